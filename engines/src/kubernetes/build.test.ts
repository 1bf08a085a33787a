import { describe, expect, it } from 'vitest'
import { moduleFile, stagingIn } from './build.ts'
import { hidden, noGo } from './probe.ts'

describe('the build of Kubernetes', () => {
  it('replaces the modules that lie in its own repository by those that were published apart', () => {
    const goMod = `module k8s.io/kubernetes

require github.com/spf13/cobra v1.9.1

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/kms => ./staging/src/k8s.io/kms
	example.com/other => example.com/fork v1.0.0
)
`
    expect(stagingIn(goMod)).toEqual(['k8s.io/api', 'k8s.io/kms'])
    const written = moduleFile(stagingIn(goMod), '1.99.7')
    expect(written).toContain('require k8s.io/kubernetes v1.99.7\n')
    expect(written).toContain('\tk8s.io/api => k8s.io/api v0.99.7\n\tk8s.io/kms => k8s.io/kms v0.99.7\n')
  })

  it('is refused with its reason where there is no Go', () => {
    expect(noGo('/nowhere:/proc')).toContain('there is no go here')
  })

  it('is refused where the cluster would not see its own files', () => {
    expect(hidden(['/some/rig', '/some/.cache'])).toBeUndefined()
    expect(hidden(['/some/rig', '/var/lib/me/.cache'])).toContain('/var/lib/me/.cache is out of its sight')
    expect(hidden(['/run/user/0/rig'])).toContain('GANTRY_ENGINES_DIR')
  })
})
