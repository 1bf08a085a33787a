import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../../log-text.ts'
import { type CutSocket, cutSocket } from '../../testing/cut-socket.ts'
import { realDocker } from '../../testing/real-docker.ts'
import { connectDocker } from '../api/connect.ts'
import { containerExec } from './exec.ts'
import { containerLogs } from './logs.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }
const lost = expect.objectContaining({ reason: 'engine_unreachable' })

describe('an engine that is lost', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  let line: CutSocket | undefined
  beforeAll(async () => {
    found = await realDocker()
    if ('docker' in found) line = await cutSocket(found.address.socket)
  })
  afterAll(async () => {
    await line?.dispose()
    if ('docker' in found) await found.end()
  })

  it('ends a log with a fault, which is read on behind its last cursor, and a command without a code of its own', async ({
    skip,
  }) => {
    if ('missing' in found) return skip(found.missing)
    if (!line) throw new Error('There is no line')
    const id = await found.run(['sh', '-c', 'i=0; while :; do echo $i; i=$((i+1)); sleep 0.02; done'])
    const docker = await connectDocker({ socket: line.path }, call)
    const numbers: number[] = []
    let cursor: string | undefined
    const follow = async (enough: number): Promise<void> => {
      const from = { follow: true, ...(cursor === undefined ? {} : { cursor }) }
      for await (const log of containerLogs(docker, id, { tty: false }, from, call)) {
        if (log.type === 'gap') throw new Error(log.message)
        numbers.push(...linesOf(log.text).map(Number))
        cursor = log.cursor
        if (numbers.length >= enough && enough > 10) return
        if (numbers.length >= enough) await line?.cut()
      }
    }
    const session = await containerExec(docker, id, { argv: ['sleep', '100'] }, call)
    const ended = expect(session.exit).rejects.toEqual(lost)
    await expect(follow(5)).rejects.toEqual(lost)
    await ended
    for await (const bytes of session.stdout) void bytes
    await line.heal()
    await follow(numbers.length + 20)
    expect(numbers).toEqual(Array.from(numbers, (_, at) => at))
    docker.close()
  })
})
