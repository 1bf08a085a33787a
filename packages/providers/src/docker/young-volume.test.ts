import { expect, it } from 'vitest'
import { engineLabel, ownerLabels } from '../labels.ts'
import { onDocker } from '../testing/on-docker.ts'
import { Volumes } from './volumes.ts'

it('a volume that another server has just made for a replica is there after a sweep of ours', (context) =>
  onDocker(context, async ({ kit, harness, rig }) => {
    const { volumes } = rig.docker
    const Labels = { ...ownerLabels(harness.installation, kit.ref()), [engineLabel]: 'of-another-server' }
    const { Name } = await volumes.create({ Name: `young-${kit.ref().uid}`, Driver: 'local', Labels }, kit.call)
    const ours = new Volumes(rig.docker, harness.installation, () => Date.now())
    expect(await ours.sweep(() => false, kit.call)).toBe(1)
    expect(await volumes.inspect(Name, kit.call)).toMatchObject({ Name })
  }))
