import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sleep, systemClock } from '@gantry/core'
import { afterAll, describe, expect, it } from 'vitest'
import { engine, type PrivateEngine, startPrivate } from '../api.ts'
import { buildImage } from '../docker/image.ts'
import { controlGroups } from '../docker/processes.ts'
import { pushImage } from '../docker/push.ts'
import { keeperFiles } from '../keeper/protocol.ts'
import { sweep } from '../keeper/remains.ts'
import { kubernetesTools } from '../kubernetes-tools.ts'
import { lockHolder } from '../lock.ts'
import { isAlive } from '../process-identity.ts'
import { compactEtcd } from './etcd.ts'
import { readFootprint } from './footprint.ts'
import { type KubernetesAddress, kubernetes } from './kubernetes.ts'
import { clusterProcesses, runningContainers } from './leftovers.ts'
import { kubernetesPids } from './pids.ts'
import { settingsFrom } from './settings.ts'

const run = promisify(execFile)
const signal = AbortSignal.timeout(600_000)
/** The first time, everything is compiled. */
const patience = { timeout: 580_000 }

async function kubectl(address: KubernetesAddress, ...args: string[]): Promise<string> {
  const { kubectl } = await kubernetesTools({ signal })
  return (await run(kubectl, ['--kubeconfig', address.kubeconfig, ...args], { signal })).stdout
}

async function apply(address: KubernetesAddress, ...objects: object[]): Promise<void> {
  const { kubectl } = await kubernetesTools({ signal })
  const told = run(kubectl, ['--kubeconfig', address.kubeconfig, 'apply', '-f', '-'], { signal })
  told.child.stdin?.end(objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  await told
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(60_000)])
  while (!(await isSo())) {
    await sleep(systemClock, 200, { signal: deadline }).catch(() => {
      throw new Error(`A minute was not enough until ${what}`)
    })
  }
}

const name = 'web'
const labels = { app: name }
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: labels, ports: [{ port: 80 }] },
}
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
}

function deployment(image: string) {
  const container = {
    name,
    image,
    command: ['sh', '-c', 'echo started; echo hello > /data/index.html; exec httpd -f -p 80 -h /data'],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
    readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
  }
  const spec = {
    terminationGracePeriodSeconds: 1,
    containers: [container],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  }
}

async function isReady(address: KubernetesAddress): Promise<string> {
  const path = 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
  return kubectl(address, 'get', 'node', address.nodeName, '-o', path)
}

describe('Kubernetes from the rig', () => {
  const started: PrivateEngine<'kubernetes'>[] = []
  afterAll(() => Promise.all(started.map((one) => one.stop({ signal }).catch(() => undefined))))

  it('takes the settings it knows and no others', () => {
    expect(settingsFrom({})).toEqual({ splitLogs: true, nodeGraceSeconds: 40, metrics: true })
    const given = { splitLogs: 'off', nodeGraceSeconds: '5', metrics: 'off' }
    expect(settingsFrom(given)).toEqual({ splitLogs: false, nodeGraceSeconds: 5, metrics: false })
    expect(() => settingsFrom({ splitLogs: 'maybe' })).toThrow('splitLogs on or off')
    expect(() => settingsFrom({ nodeGraceSeconds: 'soon' })).toThrow('"nodeGraceSeconds":"soon"')
    expect(() => settingsFrom({ size: '1' })).toThrow('"size":"1"')
  })

  it(
    'runs a workload of an image from a registry, which this machine and other pods reach by address and name',
    patience,
    async ({ skip }) => {
      const [shared, registry] = await Promise.all([engine('kubernetes', { signal }), engine('registry', { signal })])
      if (shared.state === 'missing') return skip(shared.why)
      if (registry.state === 'missing') return skip(registry.why)
      const { address } = shared
      const image = `${registry.address.host}/rig/web:1`
      await pushImage(buildImage(readFileSync(address.layer), { Labels: { of: 'a-cluster' } }), image, { signal })
      const namespace = `rig-${process.pid}`
      await kubectl(address, 'create', 'namespace', namespace)
      try {
        const own = <T extends { metadata: object }>(object: T) => ({
          ...object,
          metadata: { ...object.metadata, namespace },
        })
        await apply(address, own(claim), own(service), own(deployment(image)))
        const there = (...args: string[]) => kubectl(address, '-n', namespace, ...args)
        await there('rollout', 'status', `deployment/${name}`, '--timeout=60s')
        expect(await there('get', 'pvc', name, '-o', 'jsonpath={.status.phase}')).toBe('Bound')
        expect(await there('logs', `deployment/${name}`)).toBe('started\n')
        expect(await there('exec', `deployment/${name}`, '--', 'wget', '-qO-', `http://${name}/`)).toBe('hello\n')
        const clusterAddress = await there('get', 'service', name, '-o', 'jsonpath={.spec.clusterIP}')
        const answer = await fetch(`http://${clusterAddress}/`, { signal })
        expect(await answer.text()).toBe('hello\n')
        expect(await there('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe('admin')
        await expect(there('--context', 'limited', 'get', 'pods')).rejects.toThrow('"limited" cannot list')
        await kubectl(address, 'get', '--raw', '/apis/metrics.k8s.io/v1beta1/nodes')
      } finally {
        await kubectl(address, 'delete', 'namespace', namespace)
      }
      const claimants = ['get', 'pv', '-o', 'jsonpath={.items[*].spec.claimRef.namespace}']
      await until('its volume is gone', async () => !(await kubectl(address, ...claimants)).includes(namespace))
      shared.release()
    },
  )

  it(
    'runs twice at once, keeps what is in it over a restart, misses a dead kubelet, has a failed one again, and leaves nothing',
    patience,
    async ({ skip }) => {
      const shared = await engine('kubernetes', { signal })
      if (shared.state === 'missing') return skip(shared.why)
      const own = await startPrivate('kubernetes', { signal }, { nodeGraceSeconds: '10' })
      started.push(own)
      const { address } = own
      expect(address.server).not.toBe(shared.address.server)
      shared.release()
      await apply(address, claim, service, deployment(address.image))
      await kubectl(address, 'rollout', 'status', `deployment/${name}`, '--timeout=60s')
      const pods = await kubectl(address, 'get', 'pods', '-o', 'jsonpath={.items[*].metadata.uid}')

      const before = await kubernetesPids(address)
      await compactEtcd(address, { signal })
      process.kill(before.kubelet, 'SIGKILL')
      await until('its node is missed', async () => (await isReady(address)) === 'Unknown')
      await own.restart('immediate', { signal })
      const after = await kubernetesPids(address)
      expect(after.apiserver).not.toBe(before.apiserver)
      expect(after.etcd).toBe(before.etcd)
      await until('its node is back', async () => (await isReady(address)) === 'True')
      expect(await kubectl(address, 'get', 'pods', '-o', 'jsonpath={.items[*].metadata.uid}')).toBe(pods)

      // What is written in Go ends itself with a code then, as where it fails.
      process.kill(after.kubelet, 'SIGQUIT')
      await until('it is started again', async () => (await kubernetesPids(address)).kubelet !== after.kubelet)
      await until('its node is well', async () => (await isReady(address)) === 'True')

      const keeperFolder = dirname(address.folder)
      const footprint = await readFootprint(address.folder)
      if (!footprint) throw new Error('It wrote no footprint')
      const containers = await runningContainers(address.folder)
      const groupsOf = async () => (await controlGroups('k8s.io')).flatMap((group) => readdirSync(group))
      expect(containers).toHaveLength(4)
      expect(await groupsOf()).toEqual(expect.arrayContaining(containers))
      // Its parts and the holder, and of each pod what holds it, sleeps in it and serves.
      expect((await clusterProcesses(address.folder)).length).toBeGreaterThanOrEqual(9 + 2 * 3)
      const keeper = lockHolder(join(keeperFolder, keeperFiles.lock))
      if (!keeper) throw new Error('It has no keeper')
      process.kill(keeper.pid, 'SIGKILL')
      while (isAlive(keeper)) await sleep(systemClock, 20, { signal })
      // Not all: some end by themselves when their keeper does.
      expect(await sweep(kubernetes, { signal, clock: systemClock })).toBeGreaterThan(0)
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(address.folder)
      expect(await clusterProcesses(address.folder)).toEqual([])
      const left = await groupsOf()
      expect(containers.filter((id) => left.includes(id))).toEqual([])
      expect(readdirSync('/sys/class/net')).not.toContain(footprint.link)
      expect(readdirSync(dirname(keeperFolder))).not.toContain(basename(keeperFolder))
    },
  )
})
