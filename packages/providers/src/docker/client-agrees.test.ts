/** What Docker's own client shows of our containers is what we say of them. */
import { milliUnits, parseQuantity, wholeUnits } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { label } from '../labels.ts'
import { dockerClient } from '../testing/docker-client.ts'
import { type DockerHarness, dockerHarness } from '../testing/docker-harness.ts'
import { type DockerRig, dockerRig } from '../testing/docker-rig.ts'

type Inspected = {
  readonly Id: string
  readonly State: { readonly Running: boolean; readonly StartedAt: string; readonly ExitCode: number }
  readonly Config: { readonly Env: readonly string[]; readonly Labels: Readonly<Record<string, string>> }
  readonly HostConfig: { readonly NanoCpus: number; readonly Memory: number; readonly PidsLimit: number | null }
}

describe('the client of Docker', () => {
  let rig: DockerRig | { readonly missing: string }
  let harness: DockerHarness | undefined
  beforeAll(async () => {
    rig = await dockerRig()
    if ('docker' in rig) harness = await dockerHarness(rig)
  })
  afterAll(async () => await harness?.dispose())

  it('shows the containers that we say are there, as we say that they are, and what they wrote', async ({ skip }) => {
    if ('missing' in rig) return skip(rig.missing)
    if (!harness) throw new Error('There is no harness')
    const client = await dockerClient(rig.address)
    if ('missing' in client) return skip(client.missing)
    const kit = new Kit(harness)
    const long = 'x'.repeat(40_000)
    const prints = [
      { stream: 'stdout', line: 'ünï ☃' },
      { stream: 'stderr', line: 'to err' },
      { stream: 'stdout', line: '' },
      { stream: 'stdout', line: long },
    ] as const
    const resources = { cpu: '250m', memory: '64Mi' }
    const web = kit.service({ prints }, { resources, env: { COLOUR: 'blue' } })
    const helper = kit.service({}, { name: 'helper', role: 'sidecar' })
    const migrate = kit.service({ exits: { code: 0, afterMs: 10 } }, { name: 'migrate', role: 'init' })
    await kit.provision({ replicas: 2, services: [web, helper, migrate] })
    const webLines = async () => (await kit.lines({ service: 'web' })).length
    await expect.poll(webLines, { timeout: 60_000 }).toBe(2 * prints.length)
    const observed = await harness.engine.look(kit.ref(), kit.call)

    const mine = `label=${label.installation}=${harness.installation}`
    const ids = async (...which: string[]): Promise<string[]> => {
      const { stdout } = await client(
        'ps',
        '--no-trunc',
        '--quiet',
        '--filter',
        mine,
        '--filter',
        `label=${label.service}`,
        ...which,
      )
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .sort()
    }
    const services = (observed?.replicas ?? []).flatMap((replica) =>
      Object.entries(replica.services).map(([name, service]) => ({ name, replica, ...service })),
    )
    const idsOf = (phase?: string): (string | undefined)[] =>
      services
        .filter((each) => phase === undefined || each.phase === phase)
        .map(({ engineId }) => engineId)
        .sort()
    expect(services).toHaveLength(6)
    expect(await ids('--all')).toEqual(idsOf())
    expect(await ids()).toEqual(idsOf('running'))

    const inspected = JSON.parse((await client('inspect', ...(await ids('--all')))).stdout) as Inspected[]
    for (const { Id, State, Config, HostConfig } of inspected) {
      const said = services.find(({ engineId }) => engineId === Id)
      expect(State.Running).toBe(said?.phase === 'running')
      expect(new Date(State.StartedAt)).toEqual(said?.startedAt)
      if (said?.phase === 'completed') expect(State.ExitCode).toBe(said.exitCode)
      expect(Config.Labels).toMatchObject({
        [label.service]: said?.name,
        [label.replica]: String(said?.replica.index),
        [label.specHash]: said?.replica.specHash,
      })
      if (said?.name !== 'web') continue
      expect(Config.Env).toContain('COLOUR=blue')
      expect(HostConfig.NanoCpus / 1_000_000).toBe(Number(milliUnits(parseQuantity('250m'))))
      expect(HostConfig.Memory).toBe(Number(wholeUnits(parseQuantity('64Mi'))))
    }

    for (const { name, engineId = '', replica } of services) {
      const theirs = await client('logs', engineId)
      const ours = await kit.lines({ service: name, replica: replica.index })
      const written = (stream: string): string =>
        ours.flatMap((line) => (line.stream === stream ? [`${line.line}\n`] : [])).join('')
      expect(written('stdout')).toBe(theirs.stdout)
      expect(written('stderr')).toBe(theirs.stderr)
      if (name === 'web') expect(theirs.stdout).toBe(`ünï ☃\n\n${long}\n`)
    }
    await kit.gone()
    expect(await ids('--all')).toEqual([])
    await kit.close()
  })
})
