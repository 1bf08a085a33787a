/** The two daemons as processes: each is up when it answers, and each tells when it ends unasked. */
import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Call, Fault, isFault, orAbort, sleep, systemClock } from '@gantry/core'
import type { Site } from '../engine.ts'
import { childEnd } from '../keeper/children.ts'
import { ask } from './ask.ts'
import { containerdConfiguration, daemonConfiguration } from './configuration.ts'
import type { Footprint } from './footprint.ts'
import * as places from './places.ts'
import { dockerdOf, majorOf, programEnv } from './programs.ts'
import type { DockerSettings } from './settings.ts'

export type Daemon = {
  /** How it ended, in words; never rejects. */
  readonly end: Promise<string>
  /** Sends the signal, and resolves when it is gone. */
  stop(signal: NodeJS.Signals, call: Call): Promise<void>
}

/** Apart from the other daemon, as systems with a service manager have it: it stays when Docker is started again. */
export async function startContainerd(site: Site, call: Call): Promise<Daemon> {
  const { folder, programs } = site
  await writeFile(places.containerdConfig(folder), containerdConfiguration(folder))
  const output = places.containerdLog(folder)
  const child = site.spawn(join(programs, 'usr', 'bin', 'containerd'), ['--config', places.containerdConfig(folder)], {
    env: await programEnv(programs),
    output,
    // As a system starts it: folders that are made inside of containers are for all users of those.
    umask: 0o022,
  })
  return untilUp(child, output, () => isOpen(places.containerdSocket(folder)), call)
}

export async function startDockerd(
  site: Site,
  footprint: Footprint,
  settings: DockerSettings,
  call: Call,
): Promise<Daemon> {
  const { folder, programs } = site
  const major = await majorOf(programs, call)
  await writeFile(places.dockerConfig(folder), daemonConfiguration(folder, footprint, settings, major))
  const own = {
    GANTRY_CHAINS: footprint.chains,
    GANTRY_XTABLES: footprint.xtables,
    HOME: folder,
    // From 28 on it guards addresses from other machines by rules that do not tell whose they are: none could be taken away.
    DOCKER_INSECURE_NO_IPTABLES_RAW: '1',
  }
  const output = places.dockerLog(folder)
  const child = site.spawn(dockerdOf(programs), ['--config-file', places.dockerConfig(folder)], {
    env: { ...(await programEnv(programs)), ...own },
    output,
  })
  return untilUp(child, output, () => answers(places.dockerSocket(folder), call), call)
}

async function untilUp(child: ChildProcess, log: string, isUp: () => Promise<boolean>, call: Call): Promise<Daemon> {
  const end = childEnd(child).catch((error: unknown) => `could not be run: ${String(error)}`)
  let gone: string | undefined
  void end.then((how) => {
    gone = how
  })
  while (!(await isUp())) {
    if (gone) {
      const detail = (await readFile(log, 'utf8')).slice(-4_000)
      throw new Fault('engine_refused', `${child.spawnfile} ${gone}; see ${log}`, { detail })
    }
    await sleep(systemClock, 20, call)
  }
  return {
    end,
    async stop(signal, call) {
      child.kill(signal)
      await orAbort(end, call)
    },
  }
}

async function answers(socket: string, call: Call): Promise<boolean> {
  try {
    return (await ask(socket, { method: 'GET', path: '/_ping' }, call)) === 'OK'
  } catch (error) {
    if (isFault(error, 'unavailable') && !call.signal.aborted) return false
    throw error
  }
}

function isOpen(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
