import { connect, createServer } from 'node:net'
import { settled, until } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { CliSystem } from '../../testing/cli-system.ts'
import { startTalkingSystem } from '../../testing/talking-workload.ts'

describe('gantry port-forward', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startTalkingSystem(1)
  })
  afterAll(() => cli?.dispose())

  async function forward(...args: readonly string[]) {
    const running = cli.start(['port-forward', 'web', ...args])
    onTestFinished(() => running.end('SIGKILL'))
    const wanted = args.filter((arg) => arg.includes(':') || /^\d+$/.test(arg)).length
    const lines = await until(
      'it to listen',
      async () => running.stdout().trimEnd().split('\n'),
      (found) => found.length === wanted && found[0] !== '',
    )
    return { running, lines, ports: lines.map((line) => Number(/:(\d+) to /.exec(line)?.[1])) }
  }

  const ask = async (port: number | undefined): Promise<string> =>
    await (await fetch(`http://127.0.0.1:${port}/`)).text()

  it('listens where it says, for each port that was named, and ends with Ctrl-C', async () => {
    const { running, lines, ports } = await forward(':http', '0:8080', '-v')
    expect(lines).toEqual([
      `Forwarding 127.0.0.1:${ports[0]} to http of web`,
      `Forwarding 127.0.0.1:${ports[1]} to 8080 of web`,
    ])
    for (const port of ports) expect(await ask(port)).toMatch(/^answer of \d+$/)
    expect(running.stderr()).toMatch(/^127\.0\.0\.1:\d+ to web\/0 port http$/m)
    running.end('SIGINT')
    expect((await running.done).code).toBe(130)
  })

  it('finds the way to the replica that took the place of another', async () => {
    const { ports } = await forward(':http')
    const before = await ask(ports[0])
    const { metadata } = await cli.system.client.tenant('default').workloads.restart('web')
    await settled(cli.system.client, 'web', metadata.generation)
    const after = await until(
      'the new replica to answer',
      () => ask(ports[0]),
      (said) => said !== before,
    )
    expect(after).toMatch(/^answer of \d+$/)
  })

  it('takes a side that has no more to send, and still brings the answer', async () => {
    const { ports } = await forward(':http')
    const socket = connect({ port: ports[0] ?? 0, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer).toContain('answer of')
  })

  it('tells of a connection that found nobody, and goes on listening', async () => {
    const { workloads } = cli.system.client.tenant('default')
    const { running, ports } = await forward(':http')
    const stopped = await workloads.stop('web')
    await settled(cli.system.client, 'web', stopped.metadata.generation)
    await expect(ask(ports[0])).rejects.toThrow()
    await until(
      'it to say so',
      async () => running.stderr(),
      (said) => /^Error: the connection of 127\.0\.0\.1:\d+ to http ended: /m.test(said),
    )
    const started = await workloads.start('web')
    await settled(cli.system.client, 'web', started.metadata.generation)
    expect(await ask(ports[0])).toMatch(/^answer of/)
  })

  it('refuses a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { code, stderr } = await cli.gantry(['port-forward', 'web', `${port}:http`])
    expect(stderr).toContain(`Something else listens on 127.0.0.1:${port}`)
    expect(code).toBe(6)
  })

  it.each([
    [['port-forward', 'web', ':htp'], 'did you mean "http"?'],
    [['port-forward', 'web', '8080:http:x'], 'write LOCAL:REMOTE'],
    [['port-forward', 'web', '99999:http'], '99999 is no port'],
    [['port-forward', 'web', ':http', '--service', 'side'], 'has no port http; it has none'],
    [['port-forward', 'web'], 'PORT is missing'],
  ])('refuses %j before it listens', async (args, said) => {
    const { code, stdout, stderr } = await cli.gantry(args)
    expect(stderr).toContain(said)
    expect([code, stdout]).toEqual([2, ''])
  })
})
