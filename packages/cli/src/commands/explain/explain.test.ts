import { faces } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { gantry } from '../../testing/gantry.ts'

describe('gantry explain', () => {
  it('lists the kinds, with what each is called', async () => {
    const { code, stdout } = await gantry(['explain'])
    expect(code).toBe(0)
    for (const { kind, plural, short } of faces)
      expect(stdout).toMatch(new RegExp(`^${kind} +${plural} +${short} `, 'm'))
  })

  it('says types, defaults and the text of the schema, at 80 columns', async () => {
    const { code, stdout } = await gantry(['explain', 'workload.spec.services.healthCheck'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Workload gantry\/v1\n/)
    expect(stdout).toContain(`workload.spec.services.healthCheck <object>
  Startup and readiness: one of http, tcp, grpc and command.

Fields:
  http <object>
      Healthy when a GET is answered with 200 to 399.
`)
    expect(stdout).toContain('  intervalSeconds <integer 1 to 3600>, default 2\n')
    expect(stdout).toContain('  onUnhealthy <drain | restart>, default drain\n')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('shows everything below as a tree', async () => {
    const { stdout } = await gantry(['explain', 'rt', '--recursive'])
    expect(stdout).toContain('\n  spec <object>, required\n    workload <string>, required\n')
    expect(stdout).toContain('    paths <[]string>, default ["/"]\n')
  })

  it('knows what the server says too', async () => {
    expect((await gantry(['explain', 'workload.status.restarts'])).stdout).toContain('<integer from 0>')
  })

  it.each([
    ['worklod.spec', 'did you mean "workload'],
    ['workload.spec.servces', 'workload.spec has no field "servces"; did you mean "workload.spec.services"?'],
    ['workload.spec.replicas.more', 'there are none below it'],
    ['workload.spec.services.env.ANY.more', 'there are none below it'],
  ])('says what was meant by %s', async (path, text) => {
    const { code, stderr } = await gantry(['explain', path])
    expect(stderr).toContain(text)
    expect(code).toBe(2)
  })
})
