/** A small HTTP server that answers lists of the same length to both programs, and what kubectl asks before. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const count = 20

export async function answering(): Promise<{ readonly address: string; close(): Promise<void> }> {
  const workloads = JSON.stringify({
    items: Array.from({ length: count }, (_, at) => workload(at)),
    resourceVersion: 1,
  })
  const answers: Readonly<Record<string, string>> = {
    '/v1/tenants/default/workloads': workloads,
    '/api': JSON.stringify({ kind: 'APIVersions', versions: ['v1'] }),
    '/apis': JSON.stringify({ kind: 'APIGroupList', apiVersion: 'v1', groups: [] }),
    '/api/v1': JSON.stringify({ kind: 'APIResourceList', groupVersion: 'v1', resources: [resource] }),
    '/api/v1/namespaces/default/configmaps': padded(configMaps(), workloads.length),
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const body = answers[path]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(body ?? '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const resource = {
  name: 'configmaps',
  singularName: 'configmap',
  namespaced: true,
  kind: 'ConfigMap',
  verbs: ['get', 'list'],
  shortNames: ['cm'],
}

function workload(at: number) {
  return {
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: {
      name: `web-${at}`,
      tenant: 'default',
      uid: `uid-${at}`,
      labels: { team: 'web' },
      annotations: {},
      generation: 1,
      resourceVersion: at + 1,
      ownerRefs: [],
      finalizers: [],
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    spec: {
      type: 'deployment',
      replicas: 2,
      strategy: { type: 'rolling' },
      services: [
        { name: 'web', role: 'main', command: ['node', 'server.mjs'], env: {}, ports: [{ name: 'http', port: 8080 }] },
      ],
    },
    status: {
      state: 'running',
      release: 1,
      replicas: 2,
      readyReplicas: 2,
      conditions: [{ type: 'Ready', status: 'True', reason: 'ready', message: '', since: '2026-01-01T00:00:00.000Z' }],
    },
  }
}

/** As a table, which is what kubectl asks for first. */
function configMaps() {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1' },
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
      { name: 'Data', type: 'string', format: '', description: '', priority: 0 },
      { name: 'Age', type: 'string', format: '', description: '', priority: 0 },
    ],
    rows: Array.from({ length: count }, (_, at) => ({
      cells: [`web-${at}`, '2', '5d'],
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { name: `web-${at}`, namespace: 'default' },
      },
    })),
  }
}

/** As long as the other: what is missing is shared out among annotations, as real objects have them. */
function padded(table: ReturnType<typeof configMaps>, length: number): string {
  const share = Math.floor((length - JSON.stringify(table).length) / count) - 25
  const rows = table.rows.map(({ cells, object }) => ({
    cells,
    object: { ...object, metadata: { ...object.metadata, annotations: { note: 'x'.repeat(Math.max(0, share)) } } },
  }))
  return JSON.stringify({ ...table, rows })
}
