/** Commands inside what runs: their own exit code, both streams, stdin, a terminal. */
import assert from 'node:assert/strict'
import type { ExecSession } from '../exec.ts'
import type { ExecOptions } from '../provider.ts'
import { bytesOf, Reader } from './bytes.ts'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'
import type { TestCommand } from './program.ts'

export const execCases: readonly ContractCase[] = [
  {
    title: 'runs a command for real: its exit code, and both streams apart',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      for (const exit of [0, 3, 42]) {
        const ran = await kit.run({ do: 'say', stdout: 'to out\n', stderr: 'to err\n', exit })
        assert.deepEqual([ran.code, ran.stdout, ran.stderr], [exit, 'to out\n', 'to err\n'])
      }
    },
  },
  {
    title: 'leaves an effect behind, since it really ran',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      await kit.write(kit.path('effect'), 'done')
      assert.equal(await kit.read(kit.path('effect')), 'done')
    },
  },
  {
    title: 'hands stdin over, and its end',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      const text = 'line one\nline two\n'.repeat(500)
      assert.deepEqual(await kit.run({ do: 'echo' }, { input: text }), {
        exit: { ended: 'exited', exitCode: 0 },
        code: 0,
        stdout: text,
        stderr: '',
      })
      assert.equal((await kit.run({ do: 'echo' })).stdout, '', 'without stdin there is nothing to read')
    },
  },
  {
    title: 'gives a terminal of the size it is told, and resizes it',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      const session = await open(kit, { do: 'size' }, { stdin: true, tty: { rows: 24, columns: 80 } })
      const reader = new Reader(session.stdout)
      await kit.settle(reader.until('24 80'))
      await kit.settle(session.resize({ rows: 50, columns: 132 }))
      await kit.settle(session.write(bytesOf('\n')))
      await kit.settle(reader.until('50 132'))
      await kit.settle(session.end())
      const plain = await open(kit, { do: 'echo' }, { stdin: true })
      await kit.refused(plain.resize({ rows: 1, columns: 1 }), 'capability_missing')
      await kit.settle(plain.end())
    },
  },
  {
    title: 'kills the command when the caller leaves',
    rows: ['exec', 'capabilities'],
    needs: ['exec', 'exec:kill'],
    async run(kit) {
      await kit.provision()
      const { exit } = await hangAndLeave(kit)
      assert.deepEqual(exit, { ended: 'killed' })
      await kit.eventually('the command is gone', async () => {
        return (await kit.processes()).every(({ commands }) => commands === 0)
      })
    },
  },
  {
    title: 'says how a command ended when the caller leaves, and ends the streams',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      const { exit } = await hangAndLeave(kit)
      const kills = kit.provider.declares.has('exec:kill')
      assert.deepEqual(exit, { ended: kills ? 'killed' : 'left_running' })
      assert.equal((await kit.processes()).length, 1, 'the service itself goes on')
    },
  },
  {
    title: 'runs in main when no service is named, and in the service and replica that are',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      const helper = kit.service({}, { name: 'helper', role: 'sidecar', env: { WHO: 'helper' } })
      await kit.provision({ replicas: 2, services: [helper, kit.service({}, { env: { WHO: 'web' } })] })
      assert.equal(await kit.env('WHO'), 'web')
      assert.equal(await kit.env('WHO', { service: 'helper' }), 'helper')
      await kit.write(kit.path('mark'), 'first', { replica: 0 })
      assert.equal(await kit.read(kit.path('mark'), { replica: 0 }), 'first')
    },
  },
  {
    title: 'says why it cannot run a command, and never answers for one that did not run',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      const exec = (options: Partial<ExecOptions> = {}, ref = kit.ref()) => {
        const argv = kit.harness.argv({ do: 'say', stdout: '', stderr: '', exit: 0 })
        return kit.provider.exec?.(ref, { argv, ...options }, kit.call) ?? Promise.resolve()
      }
      await kit.refused(exec({}, kit.ref('never')), 'instance_not_found')
      await kit.provision()
      await kit.refused(exec({ service: 'nope' }), 'service_not_found')
      await kit.refused(exec({ replica: 7 }), 'replica_not_found')
      await kit.refused(exec({ argv: [] }), 'schema')
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await kit.refused(exec(), 'service_not_running')
      await kit.harness.cut()
      await kit.refused(exec(), 'engine_unreachable', 'engine_refused')
    },
  },
  {
    title: 'answers for a program that is not there with an exit code or a fault, never with 0',
    rows: ['exec'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      const argv = ['no-such-program-anywhere']
      const outcome = await kit.settle(
        (kit.provider.exec?.(kit.ref(), { argv }, kit.call) ?? Promise.reject()).then(
          async ({ exit }) => await exit,
          () => 'refused',
        ),
      )
      const lied = typeof outcome === 'object' && outcome.ended === 'exited' && outcome.exitCode === 0
      assert.equal(lied, false)
    },
  },
]

async function open(kit: Kit, command: TestCommand, options: Partial<ExecOptions>, signal = kit.call.signal) {
  assert.ok(kit.provider.exec, 'the provider has exec')
  const request = { argv: kit.harness.argv(command), ...options }
  return await kit.settle<ExecSession>(kit.provider.exec(kit.ref(), request, { signal }))
}

async function hangAndLeave(kit: Kit) {
  const leave = new AbortController()
  const session = await open(kit, { do: 'hang' }, { stdin: true }, leave.signal)
  const reader = new Reader(session.stdout)
  await kit.settle(reader.until('hanging'))
  leave.abort(new Error('enough'))
  await kit.settle(reader.toEnd())
  return { exit: await kit.settle(session.exit) }
}
