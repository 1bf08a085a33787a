/** Pure: what one container of a pod is doing, as a service of a replica. */
import type { ServiceObserved, ServicePhase } from '../../observed.ts'
import type { RoomHeard } from '../room/verdict.ts'
import { endWords, type PodFacts, type ServiceFacts } from './facts.ts'
import type { ContainerSeen, PodSeen } from './seen.ts'
import { waitingTrouble } from './stalls.ts'

export function serviceObserved(facts: ServiceFacts, { pod, nodeLost, words, room }: PodFacts): ServiceObserved {
  const { record, container } = facts
  const phase = phaseOf(facts, pod.deleting)
  const message = messageOf(facts, phase, words.lastLines?.[record.name]) ?? placeWords(pod, room)
  return {
    role: record.role,
    phase,
    ready: nodeLost ? undefined : readyOf(facts, phase),
    restarts: container?.restarts ?? 0,
    ...(container?.startedAt === undefined ? {} : { startedAt: new Date(container.startedAt) }),
    ...(container?.end ? { exitCode: codeOf(container.end) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(container?.id === undefined ? {} : { engineId: container.id }),
  }
}

/** An init is ready when it is through; others when their probe passes, or they run and have none. */
function readyOf({ record, container }: ServiceFacts, phase: ServicePhase): boolean {
  return record.role === 'init' ? phase === 'completed' : container?.ready === true && container.state === 'running'
}

function phaseOf({ record, container }: ServiceFacts, terminating: boolean): ServicePhase {
  if (!container) return terminating ? 'stopped' : 'waiting'
  switch (container.state) {
    case 'running':
      if (terminating) return 'stopping'
      return record.check && !container.started ? 'starting' : 'running'
    case 'ended':
      if (record.role === 'init' && container.end?.code === 0) return 'completed'
      return terminating ? 'stopped' : 'crashed'
    case 'waiting':
      if (terminating) return 'stopped'
      return waitingTrouble(container) || container.end ? 'crashed' : 'waiting'
    default:
      return container.state satisfies never
  }
}

function messageOf({ container }: ServiceFacts, phase: ServicePhase, lastLine: string | undefined): string | undefined {
  if (!container || phase !== 'crashed') return undefined
  const trouble = waitingTrouble(container)
  if (trouble) return trouble.message
  return endWords(container, lastLine)
}

/** Nothing of it can begin before it has a node. */
function placeWords({ unschedulable, node }: PodSeen, { word }: RoomHeard): string | undefined {
  if (!unschedulable || node !== undefined) return undefined
  return `waiting for a node: ${word?.coming ? word.message : unschedulable.message}`
}

/** The kubelet says 137 of what it lost sight of, which nobody has seen. */
const codeOf = ({ code, reason }: NonNullable<ContainerSeen['end']>): number | 'unknown' =>
  reason === 'ContainerStatusUnknown' ? 'unknown' : code
