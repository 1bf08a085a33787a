import { createControlPlane, simulatedFactory } from '@gantry/server'

const plane = createControlPlane({
  database: 'sqlite::memory:', // or sqlite:<file>, or postgres://…; with keys for the vault then
  providers: { simulated: simulatedFactory() }, // engines by type; this one only pretends
  edge: false,
})
await plane.start()

const shop = plane.client.tenant('default')
const { metadata, spec } = await shop.workloads.put({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'hello' },
  spec: { replicas: 2, services: [{ name: 'web', image: 'app:1.2' }] },
})
console.log(`${metadata.name} is stored as generation ${metadata.generation}, with ${spec.replicas} replicas`)

const answer = await plane.fetch('http://gantry/readyz')
console.log(await answer.json())

await plane.stop()
