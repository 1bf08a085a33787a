/** Whether an engine answers, told within the deadline also when it hangs. */
import { asFault, type Call, type Clock, withDeadline } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { ProviderHealth } from '../provider.ts'
import { bounded } from './bounded.ts'

export async function engineHealth(
  engine: Pick<Engine, 'info' | 'type'>,
  clock: Clock,
  timeoutMs: number,
  call: Call,
): Promise<ProviderHealth> {
  const begun = clock.monotonic()
  const deadline = withDeadline(clock, timeoutMs, `Asking ${engine.type} whether it is well`, call)
  const answer = (healthy: boolean, message: string): ProviderHealth => ({
    healthy,
    message,
    latencyMs: clock.monotonic() - begun,
    checkedAt: new Date(clock.now()),
  })
  try {
    const { version } = await bounded((within) => engine.info(within), deadline)
    return answer(true, `${engine.type} ${version} answers`)
  } catch (error) {
    call.signal.throwIfAborted()
    return answer(false, asFault(error).message)
  } finally {
    deadline.clear()
  }
}
