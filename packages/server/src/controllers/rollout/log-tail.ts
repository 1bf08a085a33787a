/** The last lines of a process that failed, kept on the rollout because the process will soon be gone. */
import { asFault, type Call, type ObjectOf, type ReplicaStatus, type RolloutFailure, withDeadline } from '@gantry/core'
import { type EngineLog, linesOf } from '@gantry/providers'
import { refOf } from '../../engines/desired-for.ts'
import { releaseSecrets } from '../../logs/collect/release-secrets.ts'
import { Automaton } from '../../logs/mask/automaton.ts'
import { formsOf } from '../../logs/mask/forms.ts'
import { Masker } from '../../logs/mask/masker.ts'
import { secretSource } from '../../vault/secret-source.ts'
import type { ControllerDeps } from '../deps.ts'

const mostLines = 20
const longestLine = 2000
const withinMs = 3000

type Instance = ObjectOf<'Instance'>

/** Being unable to read them is no reason not to say the rest: then it says why instead. */
export async function withLogTail(
  deps: ControllerDeps,
  instance: Instance | undefined,
  failure: RolloutFailure,
  call: Call,
): Promise<RolloutFailure> {
  const subject = instance && subjectOf(instance, failure)
  if (!subject) return failure
  const deadline = withDeadline(deps.clock, withinMs, 'Reading the last lines', call)
  try {
    const logTail = await tail(deps, instance, subject, deadline)
    return logTail ? { ...failure, ...subject, logTail } : { ...failure, ...subject }
  } catch (error) {
    call.signal.throwIfAborted()
    return { ...failure, ...subject, logTail: [`(the last lines could not be read: ${asFault(error).message})`] }
  } finally {
    deadline.clear()
  }
}

type Subject = { readonly service: string; readonly replica: number; readonly engineId: string }

/** The process that the failure names; where it names none, one that keeps the release from being ready. */
function subjectOf({ status }: Instance, { service, replica, engineId }: RolloutFailure): Subject | undefined {
  const made = (status.replicas ?? []).filter(({ specHash }) => specHash === status.specHash)
  const found =
    made.find((each) => each.engineId === engineId) ??
    made.find((each) => replica !== undefined && each.index === replica) ??
    made.find(({ ready, terminating }) => ready !== true && !terminating)
  const name = service ?? (found && culprit(found))
  return found && name !== undefined ? { service: name, replica: found.index, engineId: found.engineId } : undefined
}

function culprit({ services }: ReplicaStatus): string | undefined {
  const all = Object.entries(services)
  const isWell = (phase: string, ready: boolean | undefined): boolean => phase === 'completed' || ready === true
  const unwell = all.filter(([, { phase, ready }]) => !isWell(phase, ready))
  const [name] = unwell.find(([, { role }]) => role === 'main') ?? unwell[0] ?? all[0] ?? []
  return name
}

/** Values of secrets are hidden, as in all logs: a rollout is read by whoever may look. */
async function tail(
  { hub, store, scope, vault }: ControllerDeps,
  { metadata, spec }: Instance,
  { engineId, service }: Subject,
  call: Call,
): Promise<string[] | undefined> {
  const engine = hub.engine(spec.provider)
  if (!engine.logs) return undefined
  const ref = refOf(metadata.tenant ?? '', spec)
  const secrets = await releaseSecrets(store, scope, secretSource(vault))(ref, `v${spec.release}`, call)
  const masker = new Masker(new Automaton(secrets.flatMap(formsOf)))
  const lines: string[] = []
  const out = (log: EngineLog): void => {
    if (log.type === 'gap') lines.push(`(${log.message})`)
    else lines.push(...linesOf(log.text).map((line) => line.slice(0, longestLine)))
  }
  for await (const log of engine.logs(engineId, service, { tail: mostLines, follow: false }, call)) {
    masker.push(log, out)
  }
  masker.flush(out)
  return lines.slice(-mostLines)
}
