/**
 * Every field of a service reaches the engine, or is refused with its path before anything is touched. The table below
 * has a probe for each; a test holds it against the schema, so that a new field cannot be forgotten.
 */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { FieldProbe } from './field-probe.ts'
import { fieldProbes } from './field-probes.ts'
import type { Kit } from './kit.ts'
import { workloadProbes } from './workload-probes.ts'

export const fieldCases: readonly ContractCase[] = [
  ...Object.entries(fieldProbes).map(([field, probe]) => fieldCase(`services[].${field}`, probe)),
  ...Object.entries(workloadProbes).map(([field, probe]) => fieldCase(field, probe)),
  {
    title: 'refuses everything it cannot do at once, each with its path',
    rows: ['serviceSpec', 'shapes'],
    async run(kit) {
      for (const [field, { input, path }] of Object.entries({ ...fieldProbes, ...workloadProbes })) {
        const desired = kit.desired(await input(kit))
        for (const issue of kit.harness.engine.check(desired)) {
          assert.match(issue.path, /^spec\./, `${field}: ${issue.path}`)
          assert.notEqual(issue.message, '', `${field} (${path}) says why`)
        }
      }
    },
  },
  {
    title: 'shows what was asked for with bestEffort and is not enforced',
    rows: ['serviceSpec'],
    async run(kit) {
      const limits = { cpu: '250m', memory: '64Mi', disk: '64Mi', pids: 100 }
      const strict = { services: [kit.service({}, { resources: limits })] }
      const refused = kit.harness.engine
        .check(kit.desired(strict))
        .map(({ path }) => path)
        .sort()
      const lenient = { services: [kit.service({}, { resources: { ...limits, bestEffort: true } })] }
      assert.deepEqual(kit.harness.engine.check(kit.desired(lenient)), [], 'bestEffort is taken')
      await kit.provision(lenient)
      assert.deepEqual([...(await kit.status()).notEnforced].sort(), refused)
    },
  },
]

function fieldCase(field: string, probe: FieldProbe): ContractCase {
  return {
    title: `honours ${field}, or refuses it with its path before anything is touched`,
    rows: ['serviceSpec', ...(probe.rows ?? [])],
    ...(probe.needs ? { needs: probe.needs } : {}),
    run: (kit) => honouredOrRefused(kit, probe),
  }
}

async function honouredOrRefused(kit: Kit, { input, path, verify, capability }: FieldProbe): Promise<void> {
  const wanted = await input(kit)
  const issues = kit.harness.engine.check(kit.desired(wanted)).map((issue) => issue.path)
  const offered = capability === undefined || kit.provider.declares.has(capability)
  if (issues.length === 0 && offered) {
    await verify(kit, wanted)
    return
  }
  const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec(wanted) }, kit.call)
  const fault = await kit.refused(work, 'field_unsupported', 'capability_missing')
  assert.equal(fault.kind, 'unsupported')
  const paths = fault.issues.map((issue) => issue.path)
  assert.ok(
    paths.some((each) => each.startsWith(path)),
    `${path} is named among ${paths.join(', ')}`,
  )
  await kit.assertUntouched()
}
