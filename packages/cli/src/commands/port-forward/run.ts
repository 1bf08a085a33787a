import type { Socket } from 'node:net'
import type { WorkloadClient } from '@gantry/api'
import { asFault, isFault, onAbort } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { connectWithSockets } from '../../connect/connect.ts'
import { checkService, workloadNamed } from '../../objects/workload-named.ts'
import type { World } from '../../world/world.ts'
import type { portForwardCommand } from './command.ts'
import { join } from './connection.ts'
import { type Listening, listen } from './listen.ts'
import { checkPort, type Forward, forwardOf } from './ports.ts'

export const run: Run<typeof portForwardCommand> = async ({ args, flags }, world) => {
  const forwards = args.PORT.map(forwardOf)
  const workload = await workloadNamed(args.NAME, world)
  checkService(workload, flags.service)
  for (const forward of forwards) checkPort(workload.spec, flags.service, forward)
  const connection = await world.connection()
  const client = await connectWithSockets(connection, world.clock, world.globals.timeoutMs)
  const { workloads } = client.tenant(connection.tenant)
  const target = { name: args.NAME, service: flags.service, replica: flags.replica }
  const open: Listening[] = []
  try {
    for (const forward of forwards) {
      const take = (socket: Socket): void => void serve(socket, workloads, { ...target, ...forward }, world)
      const found = await listen(flags.address ?? '127.0.0.1', forward.local, take)
      open.push(found)
      const host = found.host.includes(':') ? `[${found.host}]` : found.host
      await world.out.write(`Forwarding ${host}:${found.port} to ${forward.remote} of ${args.NAME}\n`)
    }
    await world.err.write(world.err.isTerminal ? 'Ctrl-C ends it\n' : '')
    return await new Promise<never>((_, reject) => void onAbort(world.signal, () => reject(world.signal.reason)))
  } finally {
    for (const { server } of open) server.close()
  }
}

type Target = Forward & {
  readonly name: string
  readonly service: string | undefined
  readonly replica: number | undefined
}

/** One that fails is told of, and the next may find a replica again. */
async function serve(socket: Socket, workloads: WorkloadClient, target: Target, world: World): Promise<void> {
  const { name, remote, service, replica } = target
  const leave = onAbort(world.signal, () => socket.destroy())
  const who = `${socket.remoteAddress}:${socket.remotePort}`
  try {
    const there = await workloads.portForward(name, remote, { service, replica, signal: world.signal })
    const { where } = there
    if (world.globals.verbose) {
      await world.err.write(`${who} to ${where.service}/${where.replica} port ${where.port}\n`)
    }
    await join(socket, there)
  } catch (error) {
    // Whoever connected from here may go as they like; what is not a fault of ours is that.
    if (world.signal.aborted || (!isFault(error) && !world.globals.verbose)) return
    const { message } = isFault(error) ? error : asFault(error)
    await world.err.write(`${world.err.style.bad('Error:')} the connection of ${who} to ${remote} ended: ${message}\n`)
  } finally {
    leave()
    socket.destroy()
  }
}
