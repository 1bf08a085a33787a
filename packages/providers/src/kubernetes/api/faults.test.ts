import { describe, expect, it } from 'vitest'
import { faultOf, wordsOf } from './faults.ts'
import type { Status } from './types/status.ts'

const of = (status: number, said: Omit<Status, 'kind'>) =>
  faultOf({ method: 'GET', path: '/x', status, body: JSON.stringify({ kind: 'Status', ...said }), as: 'me (here)' })

describe('what a server answers', () => {
  const rows: readonly [string, number, Omit<Status, 'kind'>, string][] = [
    ['nobody is known', 401, { reason: 'Unauthorized', message: 'Unauthorized' }, 'engine_unauthenticated'],
    [
      'a verb is not allowed',
      403,
      {
        reason: 'Forbidden',
        message: 'pods is forbidden: User "a" cannot list resource "pods" in API group "" in the namespace "x"',
      },
      'engine_forbidden',
    ],
    [
      'a quota is used up',
      403,
      {
        reason: 'Forbidden',
        message:
          'services "a" is forbidden: exceeded quota: q, requested: services=1, used: services=1, limited: services=1',
      },
      'engine_full',
    ],
    [
      'a namespace is going',
      403,
      {
        reason: 'Forbidden',
        message:
          'configmaps "a" is forbidden: unable to create new content in namespace x because it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
      },
      'engine_object_conflict',
    ],
    [
      'an admission plugin says no',
      403,
      { reason: 'Forbidden', message: 'pods "a" is forbidden: violates PodSecurity "restricted:latest"' },
      'engine_rejected',
    ],
    [
      'a webhook says no',
      400,
      { message: 'admission webhook "w.example" denied the request: not on Fridays' },
      'engine_rejected',
    ],
    [
      'a webhook says no with its own code',
      500,
      { message: 'admission webhook "w.example" denied the request: no' },
      'engine_rejected',
    ],
    [
      'a webhook is away',
      500,
      { reason: 'InternalError', message: 'failed calling webhook "w.example"' },
      'engine_refused',
    ],
    ['it is not there', 404, { reason: 'NotFound', message: 'pods "a" not found' }, 'engine_object_not_found'],
    ['the name is taken', 409, { reason: 'AlreadyExists', message: 'pods "a" already exists' }, 'engine_object_exists'],
    ['somebody was faster', 409, { reason: 'Conflict', message: 'the object has been modified' }, 'version_conflict'],
    ['the version is history', 410, { reason: 'Expired', message: 'too old resource version' }, 'version_expired'],
    ['a field is wrong', 422, { reason: 'Invalid', message: 'invalid' }, 'engine_rejected'],
    ['it is too large', 413, { reason: 'RequestEntityTooLarge', message: 'limit is 3145728' }, 'engine_rejected'],
    ['too many ask', 429, { reason: 'TooManyRequests', message: 'please try again later' }, 'too_many_requests'],
    ['something broke', 500, { reason: 'InternalError', message: 'etcdserver: leader changed' }, 'engine_refused'],
    [
      'it is away',
      503,
      { reason: 'ServiceUnavailable', message: 'unable to handle the request' },
      'engine_unreachable',
    ],
    [
      'it took too long for itself',
      504,
      { reason: 'Timeout', message: 'Timeout: request did not complete' },
      'deadline_exceeded',
    ],
    ['it cannot do that', 405, { reason: 'MethodNotAllowed', message: 'not allowed' }, 'capability_missing'],
    [
      'a container does not run',
      400,
      { reason: 'BadRequest', message: 'container "c" in pod "p" is waiting to start: ContainerCreating' },
      'service_not_running',
    ],
    [
      'there was no run before',
      400,
      { reason: 'BadRequest', message: 'previous terminated container "c" in pod "p" not found' },
      'engine_object_not_found',
    ],
    [
      'the node has removed a container with its log',
      400,
      { reason: 'BadRequest', message: 'unable to retrieve container logs for containerd://4f1c' },
      'engine_object_not_found',
    ],
  ]
  it.each(rows)('means, where %s (%i)', (_, status, said, reason) => {
    expect(of(status, said).reason).toBe(reason)
  })

  it('names fields that do not fit what is applied', () => {
    const said =
      'failed to create typed patch object (x/web; /v1, Kind=Service): errors:\n  .spec.ports: expected list, got &{a}\n  .spec.prots: field not declared in schema'
    expect(of(500, { message: said })).toMatchObject({
      reason: 'engine_rejected',
      issues: [
        { path: 'spec.ports', message: 'expected list, got &{a}' },
        { path: 'spec.prots', message: 'is no field of this kind' },
      ],
    })
    const alone =
      'failed to create typed patch object (x/web; /v1, Kind=Service): .spec.prots: field not declared in schema'
    expect(of(500, { message: alone }).issues).toMatchObject([{ path: 'spec.prots' }])
  })

  it('names who is not known', () => {
    expect(of(401, { message: 'Unauthorized' }).message).toBe(
      'Kubernetes does not know me (here) (Unauthorized); its token or certificate has expired or is of another cluster',
    )
  })

  it.each([
    [
      'pods is forbidden: User "a" cannot list resource "pods" in API group "" in the namespace "x"',
      'Kubernetes does not allow a to list pods in namespace x; give it a Role with the verb list on pods',
    ],
    [
      'deployments.apps "d" is forbidden: User "system:serviceaccount:x:y" cannot patch resource "deployments" in API group "apps" in the namespace "x"',
      'Kubernetes does not allow system:serviceaccount:x:y to patch deployments.apps in namespace x; give it a Role with the verb patch on deployments.apps',
    ],
    [
      'nodes is forbidden: User "a" cannot list resource "nodes" in API group "" at the cluster scope',
      'Kubernetes does not allow a to list nodes in the whole cluster; give it a ClusterRole with the verb list on nodes',
    ],
    [
      'pods "p" is forbidden: User "a" cannot create resource "pods/exec" in API group "" in the namespace "x": RBAC: role "r" not found',
      'Kubernetes does not allow a to create pods/exec in namespace x (RBAC: role "r" not found); give it a Role with the verb create on pods/exec',
    ],
    [
      'forbidden: User "a" cannot get path "/metrics"',
      'Kubernetes does not allow a to get /metrics; give it a ClusterRole with that path',
    ],
  ])('names verb, resource and namespace of what is not allowed', (message, said) => {
    expect(of(403, { message }).message).toBe(said)
  })

  it('names each field that somebody else manages, and who', () => {
    const causes = [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl-edit" using apps/v1',
        field: '.spec.replicas',
      },
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kube" with subresource "scale" using apps/v1 at 2026-01-01',
        field: '.spec.template.spec.containers[name="a"].image',
      },
    ]
    const fault = of(409, { reason: 'Conflict', message: 'Apply failed with 2 conflicts', details: { causes } })
    expect(fault).toMatchObject({
      reason: 'engine_object_conflict',
      message:
        'Kubernetes refused to take fields of others: spec.replicas is managed by kubectl-edit; spec.template.spec.containers[name="a"].image is managed by kube (through scale)',
      issues: [
        { path: 'spec.replicas', message: 'is managed by kubectl-edit' },
        { path: 'spec.template.spec.containers[name="a"].image', message: 'is managed by kube (through scale)' },
      ],
    })
  })

  it('names each field that is wrong', () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: -1', field: 'spec.replicas' }]
    expect(of(422, { message: 'bad', details: { causes } }).issues).toEqual([
      { path: 'spec.replicas', message: 'Invalid value: -1' },
    ])
    const message =
      'Deployment in version "v1" cannot be handled: strict decoding error: unknown field "spec.a", duplicate field "spec.b"'
    expect(of(400, { message }).issues).toEqual([
      { path: 'spec.a', message: 'is no field of this kind' },
      { path: 'spec.b', message: 'is there twice' },
    ])
  })

  it('keeps the words of who is in between and speaks no JSON', () => {
    const fault = faultOf({ method: 'GET', path: '/x', status: 502, body: '<html>bad gateway</html>', as: 'me' })
    expect(fault).toMatchObject({ reason: 'engine_refused', message: 'Kubernetes refused: <html>bad gateway</html>' })
    expect(wordsOf(fault)).toBe('<html>bad gateway</html>')
    expect(of(500, {}).message).toBe('Kubernetes refused: status 500')
  })
})
