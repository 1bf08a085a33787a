/** What users and the keeper of an instance say to each other: JSON, a line each. An open connection that has said `use` is a hold. */
import type { Socket } from 'node:net'
import type { RestartMode } from '../engine.ts'
import type { ProcessIdentity } from '../process-identity.ts'

export type Ask =
  /** Answers when the engine serves, or cannot. The sponsor, if given, holds the engine too for as long as it lives. */
  | { readonly ask: 'use'; readonly sponsor?: ProcessIdentity }
  /** Like `use`, but for good: until `stop`. */
  | { readonly ask: 'hold' }
  /** How things are, at once. */
  | { readonly ask: 'status' }
  /** The sponsor has done with it: stop without further delay, unless somebody else holds it. */
  | { readonly ask: 'leave'; readonly sponsor: ProcessIdentity }
  | { readonly ask: 'restart'; readonly mode: RestartMode }
  | { readonly ask: 'stop' }

export type Outcome =
  | { readonly state: 'ready'; readonly address: unknown }
  | { readonly state: 'missing'; readonly why: string }

export type KeeperStatus = {
  readonly state: 'starting' | 'ready' | 'missing'
  readonly pid: number
  readonly users: number
  readonly standing: boolean
}

export type Answer =
  | Outcome
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'status'; readonly status: KeeperStatus }
  | { readonly state: 'done'; readonly stopping: boolean }

export type Numbered<Message> = { readonly id: number; readonly message: Message }

export function send<Message>(socket: Socket, numbered: Numbered<Message>): void {
  socket.write(`${JSON.stringify(numbered)}\n`)
}

/** Calls back for every whole line. Both ends are of the same version and of the same user, so the words are taken as they come. */
export function onMessage<Message>(socket: Socket, receive: (numbered: Numbered<Message>) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(JSON.parse(line) as Numbered<Message>)
  })
}

/** The files of a keeper, below the folder of its instance. */
export const keeperFiles = {
  lock: 'keeper.lock',
  log: 'keeper.log',
  processes: 'processes.json',
  failure: 'failure.json',
} as const
