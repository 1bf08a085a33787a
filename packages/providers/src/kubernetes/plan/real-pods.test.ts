/** Planned pods on a real cluster: what a program inside finds is what was asked for, letter by letter. */
import { describe, expect, it } from 'vitest'
import type { Desired } from '../../desired.ts'
import { label } from '../../labels.ts'
import { inOwnNamespace } from '../../testing/on-shared-cluster.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { changedPlaces } from '../drift.ts'
import type { Pod } from '../observe/objects.ts'
import { planInstance } from './instance.ts'
import { desiredOf, ref, type ServiceInput, type SpecInput, secretValue, settings } from './testing/desired.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const options = { fieldManager: 'gantry', force: true }

describe('a real pod', () => {
  const on = inOwnNamespace()

  const shell = (script: string, more: Partial<ServiceInput> = {}): ServiceInput => ({
    name: 'web',
    image: on.rig.address.image,
    imagePullPolicy: 'never',
    command: ['/bin/sh', '-c', `${script}; exec sleep 600`],
    ...more,
  })

  async function applied(workload: string, spec: SpecInput): Promise<{ desired: Desired; pods: () => Promise<Pod[]> }> {
    const desired = desiredOf({ stopGraceSeconds: 1, ...spec }, { ref: { ...ref, workload, uid: workload } })
    const here = { ...settings, namespaces: { shared: on.namespace }, drainSeconds: 1 }
    const { config, claims, workload: controller, others } = planInstance(desired, here)
    for (const { at, body } of [...config, ...claims, controller, ...others]) {
      const answer = await on.rig.api.objects.apply<KubeObject>(at, body, options, call)
      expect(changedPlaces(body, answer)).toEqual([])
    }
    const which = { labelSelector: `${label.uid}=${workload}` }
    const pods = async (): Promise<Pod[]> => {
      const { items } = await on.rig.api.objects.list<Pod>(
        { resource: resources.pod, namespace: on.namespace },
        which,
        call,
      )
      return [...items]
    }
    return { desired, pods }
  }

  const isReady = ({ status }: Pod): boolean =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false

  async function said(pod: Pod | undefined, container: string): Promise<string> {
    const at = { namespace: on.namespace, pod: pod?.metadata.name ?? '', container }
    const chunks: Buffer[] = []
    for await (const chunk of await on.rig.api.pods.logs(at, { follow: false, timestamps: false }, call))
      chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  it('is told its environment and arguments as they are written, dollars and all', async () => {
    const script = 'echo "$MONEY|$DOLLARS|$SECRET|$PORT|$GANTRY_PORT_WEB_HTTP|$0|$1"'
    const service = shell(script, {
      command: ['/bin/sh', '-c', `${script}; exec sleep 600`],
      args: ['$(MONEY)', '$$ and $HOME'],
      env: { MONEY: '$(PORT) $$ $HOME', DOLLARS: 'a$$(b' },
      secrets: [{ name: 's', key: 'k', env: 'SECRET' }],
      ports: [{ name: 'http', port: 8080 }],
    })
    const { pods } = await applied('told', { services: [service] })
    await expect.poll(async () => (await pods()).some(isReady)).toBe(true)
    const [pod] = await pods()
    const line = `$(PORT) $$ $HOME|a$$(b|${secretValue({ name: 's', key: 'k' })}|8080|8080|$(MONEY)|$$ and $HOME\n`
    expect(await said(pod, 'web')).toBe(line)
  })

  it('finds files with their modes, which its own user can read, and its siblings by name', async () => {
    const look = 'stat -Lc "%a" /etc/app/conf /etc/app/open /run/s/cert; cat /etc/app/conf /run/s/cert; id -u; id -g'
    const service = shell(`${look}; grep -c "127.0.0.1.*web.*helper" /etc/hosts; touch /data/x /fast/x && echo wrote`, {
      user: '1000:1001',
      configFiles: [
        { name: 'conf', path: '/etc/app/conf', content: 'only for us\n', mode: '0440' },
        { name: 'open', path: '/etc/app/open', content: 'for all' },
      ],
      secrets: [{ name: 's', key: 'cert', file: '/run/s/cert' }],
      volumes: [
        { name: 'data', path: '/data', type: 'ephemeral' },
        { name: 'fast', path: '/fast', type: 'memory', size: '1Mi' },
      ],
    })
    const helper = shell('true', { name: 'helper', role: 'sidecar' })
    const { pods } = await applied('files', { services: [service, helper] })
    await expect.poll(async () => (await pods()).some(isReady)).toBe(true)
    const [pod] = await pods()
    const secret = secretValue({ name: 's', key: 'cert' })
    expect(await said(pod, 'web')).toBe(`440\n444\n440\nonly for us\n${secret}1000\n1001\n1\nwrote\n`)
  })

  it('is in the group that its secrets are for, whoever its image runs as', async () => {
    const service = shell('id -G; stat -Lc "%a %g" /run/s/cert', {
      secrets: [{ name: 's', key: 'cert', file: '/run/s/cert' }],
    })
    const { pods } = await applied('group', { services: [service] })
    await expect.poll(async () => (await pods()).some(isReady)).toBe(true)
    const [pod] = await pods()
    const [groups = '', file] = (await said(pod, 'web')).trim().split('\n')
    expect([groups.split(' ').includes('65532'), file]).toEqual([true, '440 65532'])
  })

  it('starts whoever is waited for first, and waits until it is healthy', async () => {
    // In seconds, by the node's own clock.
    const stamp = 'cut -d" " -f1 /proc/uptime'
    const { pods } = await applied('order', {
      services: [
        shell(stamp, { dependsOn: [{ service: 'db', until: 'healthy' }] }),
        shell(`${stamp}; sleep 2; touch /ok`, {
          name: 'db',
          role: 'sidecar',
          healthCheck: { command: ['test', '-f', '/ok'] },
        }),
        { ...shell(stamp, { name: 'migrate', role: 'init' }), command: ['/bin/sh', '-c', `${stamp}; sleep 1`] },
      ],
    })
    await expect.poll(async () => (await pods()).some(isReady)).toBe(true)
    const [pod] = await pods()
    const times = await Promise.all(['migrate', 'db', 'web'].map(async (name) => Number(await said(pod, name))))
    const [migrate = 0, db = 0, web = 0] = times
    expect(db - migrate).toBeGreaterThanOrEqual(0.99)
    expect(web - db).toBeGreaterThanOrEqual(1.99)
  })

  it('of a set with volumes takes up the claims that were planned for it', async () => {
    const volumes = [{ name: 'data', path: '/data', size: '16Mi' }]
    const { desired, pods } = await applied('stored', {
      type: 'stateful_set',
      replicas: 2,
      services: [shell('echo mine > /data/x && cat /data/x', { volumes })],
    })
    await expect.poll(async () => (await pods()).filter(isReady).length).toBe(2)
    for (const pod of await pods()) expect(await said(pod, 'web')).toBe('mine\n')
    const which = { labelSelector: `${label.workload}=stored` }
    const of = { resource: resources.claim, namespace: on.namespace }
    const { items } = await on.rig.api.objects.list<KubeObject>(of, which, call)
    expect(items.map(({ metadata }) => metadata.labels?.[label.uid])).toEqual([desired.ref.uid, desired.ref.uid])
    expect(items.map(({ metadata }) => metadata.labels?.['gantry.dev/replica']).sort()).toEqual(['0', '1'])
  })
})
