import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/types/meta.ts'
import { readSet } from '../../manifests/read/read-set.ts'
import { hasLaterHooks, lateClaims } from './late-claims.ts'

const storageClass = (name: string, volumeBindingMode: string, isDefault = false): KubeObject =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, ...(isDefault && { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }) },
    volumeBindingMode,
  }) as KubeObject

const classes = [storageClass('late', 'WaitForFirstConsumer', true), storageClass('early', 'Immediate')]

const claim = (spec = '', metadata = ''): string =>
  `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data${metadata}}, spec: {accessModes: [ReadWriteOnce]${spec}}}`
const volumes = 'volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]'
const deployment = (more = ''): string =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {${more}template: {spec: {${volumes}}}}}`
const pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {${volumes}}}`
const job = `{apiVersion: batch/v1, kind: Job, metadata: {name: web}, spec: {suspend: true, template: {spec: {${volumes}}}}}`
const cron = `{apiVersion: batch/v1, kind: CronJob, metadata: {name: web}, spec: {jobTemplate: {spec: {template: {spec: {${volumes}}}}}}}`

const read = (...texts: string[]) => readSet(texts.join('\n---\n')).objects

describe('a claim of a chart that Helm would wait for in vain', () => {
  it.each<[string, string[], string[]]>([
    ['one that nobody uses', [claim()], ['data']],
    ['one of a class by name', [claim(', storageClassName: late')], ['data']],
    [
      'one of a class that comes with the chart',
      [
        claim(', storageClassName: own'),
        '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: own}, volumeBindingMode: WaitForFirstConsumer}',
      ],
      ['data'],
    ],
    ['one that is used later', [claim(), cron, job], ['data']],
    ['one that nobody uses while there are no replicas', [claim(), deployment('replicas: 0, ')], ['data']],
    ['not one that is used now', [claim(), deployment()], []],
    ['not one of a pod', [claim(), pod], []],
    ['not one that gets its volume at once', [claim(', storageClassName: early')], []],
    ['not one of no class', [claim(", storageClassName: ''")], []],
    ['not one that names its volume', [claim(', volumeName: v1')], []],
    ['not one that is a hook', [claim('', ', annotations: {helm.sh/hook: pre-install}')], []],
  ])('is %s', (_, texts, names) => {
    expect(lateClaims(read(...texts), classes)).toEqual(names)
  })

  it('is none where nobody shows us the classes', () => {
    expect(lateClaims(read(claim()), [])).toEqual([])
  })
})

it.each([
  ['post-install', true],
  ['pre-upgrade,post-upgrade', true],
  ['pre-install', false],
  ['test', false],
])('a hook at %s waits for all to be ready: %s', (event, expected) => {
  expect(hasLaterHooks(read(claim('', `, annotations: {helm.sh/hook: "${event}"}`)))).toBe(expected)
})
