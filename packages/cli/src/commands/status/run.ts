import type { Run } from '../../command/command.ts'
import { dataText } from '../../output/data.ts'
import type { statusCommand } from './command.ts'
import { healthOf } from './health.ts'
import { statusText } from './render.ts'

export const run: Run<typeof statusCommand> = async ({ flags }, world) => {
  const tenant = await world.tenant()
  const call = { signal: world.signal }
  const [workloads, providers] = await Promise.all([tenant.workloads.list(call).toArray(), tenant.providers(call)])
  const { server } = await world.client()
  const glance = { tenant: tenant.name, server, workloads: workloads.map(healthOf), providers }
  const format = flags.output ?? 'text'
  const { out, clock } = world
  const text =
    format === 'text' ? statusText(glance, clock.now(), out.columns, out.style) : await dataText(glance, format)
  await out.write(text)
  return 0
}
