/** One try to pull one image, from asking who we are to seeing that it is here. */
import { type Call, type Clock, Fault, isFault, onAbort } from '@gantry/core'
import type { PullCredentials } from '../../desired.ts'
import type { ImagesApi } from '../api/api.ts'
import type { PullProgress } from '../api/types/images.ts'
import { type Account, accountOf } from './accounts.ts'
import { isFor, platformFrom, platformWords } from './source.ts'
import { type PullTrouble, troubleOf } from './trouble.ts'

export type PullTarget = {
  /** As its user calls it. */
  readonly image: string
  readonly pulled: string
  /** What must be here afterwards. */
  readonly meant: string
  /** That always means the same. */
  readonly isExact: boolean
  readonly credentials?: PullCredentials
  readonly platform?: string
}

export type AttemptDeps = {
  readonly images: Pick<ImagesApi, 'pull' | 'inspect' | 'distributed'>
  readonly clock: Clock
  /** The folder of Docker's own settings. */
  readonly settings: string | undefined
  /** How long a pull may go without a word. */
  readonly silentMs: number
}

/** Throws what `troubleOf` tells apart, with what to do about it; and what else the engine throws. */
export async function attemptPull(
  target: PullTarget,
  { images, clock, settings, silentMs }: AttemptDeps,
  onProgress: (line: PullProgress) => void,
  call: Call,
): Promise<void> {
  const { pulled, credentials, platform, meant, isExact } = target
  const account = await accountOf(pulled, credentials, { settings, clock }, call)
  const silence = new Silence(clock, silentMs, call)
  try {
    const options = { ...(account.auth && { auth: account.auth }), ...(platform !== undefined && { platform }) }
    const heard = (line: PullProgress): void => {
      silence.broken()
      onProgress(line)
    }
    // What an engine has by its digest it does not ask a registry for again, and whoever may not have it would have it.
    if (isExact && (await images.inspect(meant, silence))) await images.distributed(pulled, account.auth, silence)
    else await images.pull(pulled, { ...options, onProgress: heard }, silence)
  } catch (error) {
    throw isFault(error) ? withHint(error, target, account) : error
  } finally {
    silence.end()
  }
  await assertHere(target, images, call)
}

async function assertHere({ image, pulled, meant, platform }: PullTarget, images: AttemptDeps['images'], call: Call) {
  const found = await images.inspect(meant, call)
  const failed = `Image ${pulled} could not be pulled: `
  if (found === undefined && meant === pulled) {
    throw new Fault('image_pull_failed', `${failed}the engine ended the pull without a word`)
  }
  if (found === undefined) {
    const message = `${failed}${image} means another one now than when it was released (${meant}); deploy it anew`
    throw new Fault('engine_object_not_found', message)
  }
  if (platform === undefined || isFor(found, platformFrom(platform))) return
  const message = `${failed}it is for ${platformWords(found)}, and ${platform} is asked for`
  throw new Fault('capability_missing', message)
}

/** Ends a pull that has gone quiet: a registry may take a question and never answer. */
class Silence {
  readonly #own = new AbortController()
  readonly #leave: () => void
  readonly #arm: () => () => void
  #cancel: () => void

  constructor(clock: Clock, silentMs: number, { signal }: Call) {
    const late = new Fault('deadline_exceeded', `nothing was heard of it for ${silentMs / 1000} s`)
    this.#leave = onAbort(signal, () => this.#own.abort(signal.reason))
    this.#arm = () => clock.after(silentMs, () => this.#own.abort(late))
    this.#cancel = this.#arm()
  }

  get signal(): AbortSignal {
    return this.#own.signal
  }

  broken(): void {
    this.#cancel()
    this.#cancel = this.#arm()
  }

  end(): void {
    this.#cancel()
    this.#leave()
  }
}

/** What was said stays as it was; what can be done about it is added. */
function withHint(fault: Fault, { pulled, credentials }: PullTarget, { auth, trouble }: Account): Fault {
  if (fault.reason === 'deadline_exceeded') {
    return new Fault('image_pull_failed', `Image ${pulled} could not be pulled: ${fault.message}`, { cause: fault })
  }
  if (fault.reason !== 'image_pull_failed' && fault.reason !== 'engine_full') return fault
  const hint = hintFor(troubleOf(fault), credentials !== undefined, auth !== undefined)
  const more = [hint, trouble].filter((each) => each !== undefined).join('; ')
  return more === '' ? fault : new Fault(fault.reason, `${fault.message}; ${more}`, { cause: fault })
}

function hintFor(trouble: PullTrouble, isTheirs: boolean, isKnown: boolean): string | undefined {
  if (trouble === 'full') return "make room on the engine's disk"
  if (trouble !== 'denied' && trouble !== 'limited') return undefined
  if (isTheirs) return 'look at the Secret that imagePullSecret names'
  return isKnown
    ? "the login of Docker's own settings was used; name another in imagePullSecret"
    : 'name a Secret with a login in imagePullSecret'
}
