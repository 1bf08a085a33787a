/** What each test command answers, seen from inside a process. */
import type { TestCommand } from '../contract/program.ts'
import { environmentOf } from '../environment.ts'
import type { SimProcess, SimReplica } from './objects.ts'
import { givenFile, placeOf } from './volumes.ts'
import type { SimulatedWorld } from './world.ts'

export type Answer = {
  readonly out?: string
  readonly err?: string /** Left out: it has not ended. */
  readonly code?: number
}

export function answerTo(
  world: SimulatedWorld,
  replica: SimReplica,
  process: SimProcess,
  command: TestCommand,
): Answer {
  switch (command.do) {
    case 'env': {
      const value = environmentOf(process.spec, replica.desired.services)[command.name]
      return value === undefined ? { code: 1 } : { out: `${value}\n`, code: 0 }
    }
    case 'read': {
      const { files, key } = placeOf(world, replica, process, command.path)
      const text = givenFile(process, command.path)?.text ?? files.get(key)
      return text === undefined ? { err: `${command.path}: no such file\n`, code: 1 } : { out: text, code: 0 }
    }
    case 'write': {
      if (givenFile(process, command.path)) return { err: `${command.path}: read-only\n`, code: 1 }
      const { files, key } = placeOf(world, replica, process, command.path)
      files.set(key, command.text)
      return { code: 0 }
    }
    case 'mode':
      return { out: `${givenFile(process, command.path)?.mode ?? '644'}\n`, code: 0 }
    case 'where':
      return { out: `${process.spec.workingDir ?? '/'}\n`, code: 0 }
    case 'who':
      return { out: `${owner(process.spec.user)}\n`, code: 0 }
    case 'say':
      return { out: command.stdout, err: command.stderr, code: command.exit }
    case 'reach':
      return { code: answersOn(world, replica.services.get(command.service), command.number) ? 0 : 1 }
    case 'healthy':
      return { code: isWell(world, process) ? 0 : 1 }
    case 'hang':
      return { out: 'hanging\n' }
    case 'echo':
    case 'size':
      return {}
    default:
      return command satisfies never
  }
}

function owner(user = '0'): string {
  const [uid = '0', gid = '0'] = user.split(':')
  return `${uid}:${gid}`
}

/** Whether a GET on that port would be answered with 200. */
export function answersOn(world: SimulatedWorld, process: SimProcess | undefined, number: number): boolean {
  if (!process) return false
  const port = process.spec.ports.find((each) => each.name === process.program.listens)
  return port?.port === number && isWell(world, process)
}

function isWell(world: SimulatedWorld, { startedAt, program, phase }: SimProcess): boolean {
  if (startedAt === undefined || (phase !== 'running' && phase !== 'starting')) return false
  const age = world.clock.now() - startedAt
  return age >= (program.healthyAfterMs ?? 0) && age < (program.healthyUntilMs ?? Number.POSITIVE_INFINITY)
}
