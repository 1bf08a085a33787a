import type { RunningExec } from '@gantry/api'
import { Fault } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { connectWithSockets } from '../../connect/connect.ts'
import { checkService, workloadNamed } from '../../objects/workload-named.ts'
import type { Screen, World } from '../../world/world.ts'
import type { execCommand } from './command.ts'
import { exitCodeOf } from './outcome.ts'

export const run: Run<typeof execCommand> = async (input, world) => {
  const { args, flags, rest } = input
  refuseAtOnce(input, world)
  checkService(await workloadNamed(args.NAME, world), flags.service)
  const connection = await world.connection()
  const client = await connectWithSockets(connection, world.clock, world.globals.timeoutMs)
  const running = await client.tenant(connection.tenant).workloads.exec(args.NAME, rest, {
    service: flags.service,
    replica: flags.replica,
    stdin: flags.stdin,
    tty: flags.tty ? sizeOf(world.out) : undefined,
    signal: world.signal,
  })
  const restore = flags.tty ? takeTerminal(running, world, flags.stdin) : () => undefined
  try {
    const output = Promise.all([shown(running.stdout, world.out), shown(running.stderr, world.err)])
    // The command may end before its input does, and an input that fails ends it.
    await (flags.stdin ? Promise.race([output, passOn(running, world).then(() => output)]) : output)
    return exitCodeOf(await running.exit)
  } finally {
    restore()
    running.close()
  }
}

function refuseAtOnce({ args, flags, rest }: Input<typeof execCommand>, world: World): void {
  if (args.COMMAND.length > 0) {
    const line = ['gantry exec', ...(flags.stdin || flags.tty ? ['-it'] : []), args.NAME, '--', ...args.COMMAND]
    throw new Fault('bad_request', `The command must stand behind --, as its flags are not ours: ${line.join(' ')}`)
  }
  if (rest.length === 0) {
    throw new Fault('bad_request', `There is nothing to run; write it behind --, as in gantry exec ${args.NAME} -- ls`)
  }
  if (flags.tty && !(world.keys.isTerminal && world.out.isTerminal)) {
    throw new Fault(
      'bad_request',
      'There is no terminal here to give to the command; leave out -t, and keep -i for a pipe',
    )
  }
}

function sizeOf({ rows, columns }: Screen): { readonly rows: number; readonly columns: number } {
  return { rows, columns }
}

/**
 * Every key goes to the command, Ctrl-C among them, unless it is given no keys: then Ctrl-C is ours. Answers how to give the
 * terminal back as it was.
 */
function takeTerminal(running: RunningExec, { keys, out }: World, withKeys: boolean): () => void {
  const cooked = withKeys ? keys.raw() : () => undefined
  const leave = out.onResize(() => running.resize(sizeOf(out)))
  // It may have changed while the connection was made.
  running.resize(sizeOf(out))
  return () => {
    leave()
    cooked()
  }
}

/** Until the input ends. That the command is over meanwhile is told by its exit. */
async function passOn(running: RunningExec, { keys }: World): Promise<void> {
  for await (const chunk of keys.chunks()) await running.write(chunk)
  running.end()
}

async function shown(bytes: AsyncIterable<Uint8Array>, screen: Screen): Promise<void> {
  for await (const chunk of bytes) await screen.write(chunk)
}
