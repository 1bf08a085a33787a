import { describe, expect, it } from 'vitest'
import type { KubeObject, ManagedFields } from '../../api/types/meta.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import { changedFields, mayBeChanged } from './changed.ts'

const written = (object: object): SetObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'web',
  object: { apiVersion: 'apps/v1', kind: 'Deployment', ...object },
  document: 1,
  line: 1,
})

const by = (manager: string, fieldsV1: object, subresource?: string): ManagedFields => ({
  manager,
  operation: 'Update',
  fieldsV1,
  ...(subresource !== undefined && { subresource }),
})

const live = (object: object, ...managedFields: ManagedFields[]): KubeObject => {
  const { metadata, ...rest } = object as { metadata?: object }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    ...rest,
    metadata: { name: 'web', ...metadata, managedFields },
  } as KubeObject
}

const containers = (...list: object[]) => ({ spec: { template: { spec: { containers: list } } } })
const inContainer = (fields: object) => ({
  'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, ...fields } } } } },
})
const replicas = { 'f:spec': { 'f:replicas': {} } }

describe('what somebody else has changed of an object of a chart', () => {
  it.each<[string, object, KubeObject, string[]]>([
    ['nothing', { spec: { replicas: 2 } }, live({ spec: { replicas: 2 } }, by('helm', replicas)), []],
    [
      'a number, through a subresource',
      { spec: { replicas: 2 } },
      live({ spec: { replicas: 3 } }, by('kubectl', replicas, 'scale')),
      ['spec.replicas'],
    ],
    [
      'all keys of a map that Helm 3 has made, and still has the bare map of',
      { data: { page: 'one' } },
      live(
        { data: { page: 'two' } },
        by('helm', { 'f:data': {} }),
        by('kubectl-patch', { 'f:data': { 'f:page': {} } }),
      ),
      ['data.page'],
    ],
    [
      'a field of an entry that Helm 3 has made, and still has the bare entry of',
      containers({ name: 'web', image: 'one' }),
      live(
        containers({ name: 'web', image: 'two' }),
        by('helm', { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': {} } } } } }),
        by('kubectl-set', inContainer({ 'f:image': {} })),
      ),
      ['spec.template.spec.containers[web].image'],
    ],
    [
      'nothing: what can only be had as a whole is Helm’s',
      { spec: { selector: { app: 'web' } } },
      live({ spec: { selector: { app: 'other' } } }, by('helm', { 'f:spec': { 'f:selector': {} } })),
      [],
    ],
    [
      'nothing: an autoscaler of the cluster has',
      { spec: { replicas: 2 } },
      live({ spec: { replicas: 3 } }, by('kube-controller-manager', replicas, 'scale')),
      [],
    ],
    [
      'nothing: what was changed and changed back',
      { spec: { replicas: 2 } },
      live({ spec: { replicas: 2 } }, by('kubectl', replicas, 'scale')),
      [],
    ],
    [
      'nothing: a server, or a webhook, writes another value for Helm',
      containers({ name: 'web', image: 'a' }),
      live(containers({ name: 'web', image: 'registry/a' }), by('helm', inContainer({ 'f:image': {} }))),
      [],
    ],
    [
      'nothing: the same, where somebody else has said that value too',
      containers({ name: 'web', image: 'a' }),
      live(
        containers({ name: 'web', image: 'registry/a' }),
        by('helm', inContainer({ 'f:image': {} })),
        by('flux', inContainer({ 'f:image': {} })),
      ),
      [],
    ],
    [
      'nothing: what a server fills in, and others add',
      { spec: { replicas: 2 } },
      live({ spec: { replicas: 2, paused: true } }, by('kubectl', { 'f:spec': { 'f:paused': {} } })),
      [],
    ],
    [
      'an image',
      containers({ name: 'web', image: 'a' }),
      live(containers({ name: 'web', image: 'b' }), by('kubectl-set', inContainer({ 'f:image': {} }))),
      ['spec.template.spec.containers[web].image'],
    ],
    [
      'a port, by its number',
      containers({ name: 'web', ports: [{ containerPort: 80, name: 'http' }] }),
      live(
        containers({ name: 'web', ports: [{ containerPort: 80, name: 'web', protocol: 'TCP' }] }),
        by('edit', inContainer({ 'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { 'f:name': {} } } })),
      ),
      ['spec.template.spec.containers[web].ports[80/TCP].name'],
    ],
    [
      'a list that is had as a whole',
      containers({ name: 'web', args: ['a'] }),
      live(containers({ name: 'web', args: ['b'] }), by('kubectl-edit', inContainer({ 'f:args': {} }))),
      ['spec.template.spec.containers[web].args'],
    ],
    [
      'a label and a variable that are gone, for which nobody is on record',
      { metadata: { labels: { tier: 'a' } }, ...containers({ name: 'web', env: [{ name: 'A', value: '1' }] }) },
      live(containers({ name: 'web' }), by('helm', inContainer({ 'f:image': {} }))),
      ['spec.template.spec.containers[web].env[A]', 'metadata.labels'],
    ],
    [
      'nothing: a field that this server does not know',
      { spec: { replicass: 2 } },
      live({ spec: {} }, by('helm', { 'f:spec': { 'f:replicas': {} } })),
      [],
    ],
    [
      'nothing: what is null',
      { metadata: { creationTimestamp: null, labels: null }, spec: { strategy: null } },
      live({ spec: {} }, by('kubectl-edit', { 'f:spec': { 'f:strategy': {} } })),
      [],
    ],
    [
      'a secret, whose value is not told',
      { stringData: { password: 'open sesame' } },
      live({ data: { password: 'c2hlbHRlcg==' } }, by('kubectl-edit', { 'f:data': { 'f:password': {} } })),
      ['data.password'],
    ],
    [
      'nothing: a secret as the server keeps it',
      { stringData: { password: 'open sesame' } },
      live({ data: { password: 'b3BlbiBzZXNhbWU=' } }, by('kubectl-edit', { 'f:data': { 'f:password': {} } })),
      [],
    ],
  ])('%s', (_, object, seen, paths) => {
    expect([...changedFields(written(object), seen)].sort()).toEqual([...paths].sort())
  })
})

describe('an object of which only the metadata is known', () => {
  const page = written({ data: { 'index.html': 'hello', note: 'a' }, metadata: { labels: { app: 'web' } } })
  const own = { 'f:data': { 'f:index.html': {}, 'f:note': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } }

  it.each<[string, ManagedFields[], boolean]>([
    ['is as it was while Helm is on record for all of it', [by('helm', own), by('x', { 'f:spec': {} })], false],
    ['may be another when somebody else has a key', [by('helm', { ...own, 'f:data': { 'f:note': {} } })], true],
    ['may be another when nobody is on record', [], true],
  ])('%s', (_, managedFields, expected) => {
    expect(mayBeChanged(page, live({}, ...managedFields))).toBe(expected)
  })
})
