import { webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

/** Ages and the like are another every time. */
const steady = (text: string): string => text.replaceAll(/\b\d+[smh]\b/g, 'AGE').replaceAll(/AGE {2,}/g, 'AGE   ')

describe('a workload through its life, from the command line', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startCliSystem()
  })
  afterAll(() => cli?.dispose())
  const gantry = (...args: string[]) => cli.gantry(args)
  const apply = (object: unknown, ...more: string[]) =>
    cli.gantry(['apply', '-f', '-', ...more], { stdin: JSON.stringify(object) })

  it('is applied and waited for, one line for each change of state', async () => {
    const { code, stdout, stderr } = await apply(webWorkload({ name: 'web', replicas: 2 }), '--wait')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'workload/web created\n' })
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toContain('web a/0 v1: ready')
    expect(lines).toContain('web a/1 v1: ready')
    expect(lines.at(-1)).toBe('web: v1 runs, 2 of 2 ready')
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('is deployed with a reason, and rolled back', async () => {
    expect(await gantry('deploy', 'web', '--env', 'SAYS=v2', '-m', 'say v2', '--wait')).toMatchObject({
      code: 0,
      stdout: 'workload/web deployed\n',
      stderr: expect.stringMatching(/\nweb: v2 runs, 2 of 2 ready\n$/),
    })
    expect(await gantry('rollback', 'workload/web', '--to', 'v1', '--wait')).toMatchObject({
      code: 0,
      stdout: 'workload/web rolls back to v1\n',
    })
    const { stdout } = await gantry('rollout', 'history', 'web')
    expect(steady(stdout)).toBe(`ROLLOUT   RELEASE     RESULT      BY            AGE   MESSAGE
1         v1          succeeded   token:admin   AGE   first release
2         v2          succeeded   token:admin   AGE   say v2
3         v1 (runs)   succeeded   token:admin   AGE   back to v1
`)
    expect((await gantry('rollout', 'history', 'web', '-o', 'wide')).stdout).toContain('services[web].env.SAYS')
    expect(JSON.parse((await gantry('rollout', 'history', 'web', '-o', 'json')).stdout).items).toHaveLength(3)
    expect((await gantry('rollback', 'web', '--to', 'newest')).stderr).toContain('such as v3')
  })

  it('is scaled, stopped, started and restarted', async () => {
    expect(await gantry('scale', 'web', '1', '--wait')).toMatchObject({ code: 0, stdout: 'workload/web scaled to 1\n' })
    expect(await gantry('stop', 'web', '--wait')).toMatchObject({ code: 0, stdout: 'workload/web stops\n' })
    expect((await gantry('ps', 'web')).stdout).toBe(
      'WORKLOAD   REPLICA   RELEASE   STATE   RESTARTS   SINCE   ENDPOINT\n',
    )
    expect(await gantry('start', 'web', '--wait')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 of 1 ready'),
    })
    const before = JSON.parse((await gantry('ps', 'web', '-o', 'json')).stdout)
    expect(await gantry('restart', 'web', '--wait')).toMatchObject({ code: 0, stdout: 'workload/web restarts\n' })
    const after = JSON.parse((await gantry('ps', 'web', '-o', 'json')).stdout)
    expect(after.items[0].engineId).not.toBe(before.items[0].engineId)
    expect((await gantry('scale', 'web')).stderr).toContain('say how many replicas')
  })

  it('is seen at a glance, and replica by replica', async () => {
    const status = await gantry('status')
    expect(steady(status.stdout)).toMatch(
      /^Tenant default at \S+: 1 workload, ready\n\nWORKLOAD {3}STATE {3}READY {3}RELEASE {3}SINCE\nweb {8}ready {3}1\/1 {5}v1 {8}AGE\n$/,
    )
    const { stdout } = await gantry('ps')
    expect(stdout).toMatch(/\nweb +a\/\d+ +v1 +ready +0 +\d+s +http 127\.0\.0\.1:\d+\n$/)
  })

  it('fails with the reason, the exit code and the last lines, and runs what ran before', async () => {
    const strategy = { progressDeadlineSeconds: 10 }
    const { code, stderr } = await apply(
      webWorkload({
        name: 'web',
        replicas: 1,
        env: { FAILS: 'start' },
        strategy,
        more: { restart: { maxPerHour: 1 } },
      }),
      '--wait',
    )
    expect(code).toBe(11)
    expect(stderr).toMatch(
      /The last lines of service web of replica \d+ of v\d+ of web, exit code 3:\n {2}\| cannot start: the answer is 42\n/,
    )
    expect(stderr).toMatch(
      /Error: web did not become what was asked for: v\d+ failed \(.*\)(, running v1)?\. See "gantry logs web"/,
    )
    // Also who comes later is told.
    expect(await gantry('rollout', 'status', 'web')).toMatchObject({
      code: 11,
      stderr: expect.stringContaining('exit code 3'),
    })
    expect((await gantry('status')).stdout).toMatch(/\nweb +degraded +1\/1 +v1 .*\n\n! web, since \d+s: v\d+ failed/)
    expect(await gantry('scale', 'web', '2', '--wait')).toMatchObject({ code: 0 })
  })

  it('stops at a gate, can be paused, goes on and is given up', async () => {
    const canary = { type: 'canary', steps: [{ weight: 20, manual: true }] }
    await apply(webWorkload({ name: 'can', replicas: 1, strategy: canary }), '--wait')
    await gantry('deploy', 'can', '--env', 'SAYS=v2')
    const waiting = cli.inTerminal(['rollout', 'status', 'can'])
    const screen = await waiting.shows(/promote can"\n {4}a\/\d {2}v1 {2}ready .*\n {4}b\/\d {2}v2 {2}ready /)
    expect(screen).toMatch(
      /… can {2}v2 waits at its gate, 20% of requests, 1 of 1 ready\n {4}waiting for .*, since \d+s\n/,
    )
    expect(await gantry('rollout', 'pause', 'can')).toMatchObject({
      stdout: 'workload/can: the rollout of v2 is paused\n',
    })
    await waiting.shows('go on with "gantry rollout resume can"')
    expect((await gantry('rollout', 'status', 'can', '--no-wait')).stdout).toContain('v2 is paused')
    expect(await gantry('rollout', 'resume', 'can')).toMatchObject({
      stdout: 'workload/can: the rollout of v2 goes on\n',
    })
    expect(await gantry('rollout', 'promote', 'can', '--wait')).toMatchObject({ code: 0 })
    expect(await waiting.exit).toBe(0)
    expect(await waiting.screen()).toContain('✔ can  v2 runs, 1 of 1 ready')

    await gantry('deploy', 'can', '--env', 'SAYS=v3')
    const aborted = await gantry('rollout', 'abort', 'can', '-m', 'not this one', '--wait')
    expect(aborted).toMatchObject({ code: 0, stderr: expect.stringMatching(/can: v2 runs, 1 of 1 ready\n$/) })
    expect((await gantry('status')).stdout).toContain('v3 was aborted by token:admin (not this one), running v2')
    expect((await gantry('rollout', 'pause', 'can')).code).toBe(6)
  })

  it('goes on when nobody watches any more, which is said', async () => {
    const env = { READY_MS: '4000' }
    const running = cli.start(['apply', '-f', '-', '--wait'], {
      stdin: JSON.stringify(webWorkload({ name: 'slow', replicas: 1, env })),
    })
    const deadline = Date.now() + 30_000
    while (!running.stderr().includes('slow a/0') && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    running.end('SIGINT')
    const { code, stderr } = await running.done
    expect(code).toBe(130)
    expect(stderr).toContain('Stopped watching; slow goes on without it. "gantry rollout status slow" follows it again')
    expect(await gantry('rollout', 'status', 'slow')).toMatchObject({
      code: 0,
      stdout: 'slow: v1 runs, 1 of 1 ready\n',
    })
  })

  it('has a time for it, after which it says what it still waits for', async () => {
    const { code, stderr } = await gantry('deploy', 'slow', '--retry', '--wait', '--timeout', '1s')
    expect(code).toBe(12)
    expect(stderr).toMatch(
      /Error: Not done after 1s: slow v2 rolls out, waiting for .*\. It goes on without this program; --timeout waits longer\./,
    )
  })

  it('is named by who misspells it', async () => {
    for (const line of [
      ['stop', 'webb'],
      ['rollout', 'pause', 'webb'],
      ['deploy', 'webb'],
      ['ps', 'webb'],
    ]) {
      expect(await gantry(...line)).toMatchObject({ code: 5, stderr: expect.stringContaining('did you mean "web"?') })
    }
  })
})
