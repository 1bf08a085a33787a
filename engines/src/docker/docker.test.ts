import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sleep, systemClock } from '@gantry/core'
import { afterAll, describe, expect, it } from 'vitest'
import { engine, type PrivateEngine, startPrivate } from '../api.ts'
import { keeperFiles } from '../keeper/protocol.ts'
import { sweep } from '../keeper/remains.ts'
import { lockHolder } from '../lock.ts'
import { isAlive } from '../process-identity.ts'
import { type EngineName, engines } from '../table.ts'
import { ask } from './ask.ts'
import type { DockerAddress } from './docker.ts'
import { namesFor, readFootprint } from './footprint.ts'
import { rulesOf } from './leftovers.ts'
import { containerdSocket } from './places.ts'
import { controlGroups, processesOf } from './processes.ts'
import { listRules } from './rules.ts'
import { settingsFrom } from './settings.ts'

const signal = AbortSignal.timeout(300_000)
/** Two daemons are started, started again and ended, on a machine that may have other work. */
const patience = { timeout: 280_000 }

async function post(address: DockerAddress, path: string, body: unknown = {}): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(body))
  return ask(address.socket, { method: 'POST', path, body: bytes, type: 'application/json' }, { signal })
}

async function startContainer(address: DockerAddress, name: string): Promise<void> {
  await post(address, '/networks/create', { Name: `${name}-net` })
  const published = { PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] } }
  const body = { Image: address.image, HostConfig: { NetworkMode: `${name}-net`, ...published } }
  await post(address, `/containers/create?name=${name}`, body)
  await post(address, `/containers/${name}/start`)
}

async function startedAt(address: DockerAddress, name: string): Promise<string | undefined> {
  const text = await ask(address.socket, { method: 'GET', path: `/containers/${name}/json` }, { signal })
  const { State } = JSON.parse(text) as { State: { Running: boolean; StartedAt: string } }
  return State.Running ? State.StartedAt : undefined
}

/** Whoever comes next to the rig clears up after a keeper that had no chance to. */
async function killKeeper(name: EngineName, folder: string): Promise<void> {
  const keeper = lockHolder(join(folder, keeperFiles.lock))
  if (!keeper) throw new Error('It has no keeper')
  process.kill(keeper.pid, 'SIGKILL')
  while (isAlive(keeper)) await sleep(systemClock, 20, { signal })
  expect(await sweep(engines[name], { signal, clock: systemClock })).toBeGreaterThanOrEqual(2)
}

describe('Docker Engine from the rig', () => {
  const started: PrivateEngine<'docker' | 'docker-newer'>[] = []
  afterAll(() => Promise.all(started.map((one) => one.stop({ signal }).catch(() => undefined))))

  it('takes the settings it knows and no others', () => {
    expect(settingsFrom({})).toEqual({ liveRestore: false, dataBytes: undefined })
    expect(settingsFrom({ liveRestore: 'on', dataBytes: '5' })).toEqual({ liveRestore: true, dataBytes: 5 })
    expect(() => settingsFrom({ dataBytes: 'many' })).toThrow('dataBytes')
    expect(() => settingsFrom({ liveRestore: 'maybe' })).toThrow('liveRestore on or off')
    expect(() => settingsFrom({ size: '1' })).toThrow('"size":"1"')
  })

  it('comes in two versions', patience, async ({ skip }) => {
    const [own, newer] = await Promise.all([engine('docker', { signal }), engine('docker-newer', { signal })])
    if (own.state === 'missing') return skip(own.why)
    if (newer.state === 'missing') return skip(newer.why)
    expect(Number(newer.address.apiVersion.split('.')[1])).toBeGreaterThanOrEqual(51)
    expect(newer.address.version).not.toBe(own.address.version)
    own.release()
    newer.release()
  })

  const names = ['docker', 'docker-newer'] as const
  const title = '%s runs twice at once, keeps or stops containers over a restart, and leaves nothing'
  it.for(names)(title, patience, async (name, { skip }) => {
    const shared = await engine(name, { signal })
    if (shared.state === 'missing') return skip(shared.why)
    const settings = [{ liveRestore: 'on' }, {}]
    const [keeping, stopping] = await Promise.all(settings.map((each) => startPrivate(name, { signal }, each)))
    if (!keeping || !stopping) throw new Error('Two were asked for')
    started.push(keeping, stopping)
    const places = new Set([keeping, stopping, shared].flatMap(({ address }) => [address.socket, address.subnets]))
    expect(places.size).toBe(6)

    for (const { address } of [keeping, stopping]) await startContainer(address, 'one')
    const before = await startedAt(keeping.address, 'one')
    expect(before).toBeDefined()
    await Promise.all([keeping.restart('immediate', { signal }), stopping.restart('fast', { signal })])
    expect(await startedAt(keeping.address, 'one')).toBe(before)
    expect(await startedAt(stopping.address, 'one')).toBeUndefined()

    for (const one of [keeping, stopping]) {
      const folder = dirname(one.address.socket)
      const footprint = await readFootprint(folder)
      if (!footprint) throw new Error('It wrote no footprint')
      const bridges = rulesOf(await listRules(footprint, 'filter', { signal }), footprint).bridges
      expect(bridges).toHaveLength(2)
      if (one === keeping) await one.stop({ signal })
      else await killKeeper(name, dirname(folder))
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(folder)
      expect(await processesOf(footprint.cgroup, containerdSocket(folder))).toEqual([])
      expect(await controlGroups(footprint.cgroup)).toEqual([])
      expect(readdirSync('/sys/class/net').filter((name) => bridges.includes(name))).toEqual([])
      for (const table of ['filter', 'nat', 'raw'] as const) {
        const rules = await listRules(footprint, table, { signal })
        for (const word of [footprint.chains, `10.${footprint.subnet}.`]) expect(rules).not.toContain(word)
      }
      expect(readdirSync(dirname(dirname(folder)))).not.toContain(basename(dirname(folder)))
    }
  })

  it('names what it makes so that the system takes the names', () => {
    const { bridge, chains } = namesFor('/some/folder')
    expect(bridge.length).toBeLessThanOrEqual(15)
    expect(`${chains}-ISOLATION-STAGE-1`.length).toBeLessThanOrEqual(28)
    expect(namesFor('/another/folder').bridge).not.toBe(bridge)
  })
})
