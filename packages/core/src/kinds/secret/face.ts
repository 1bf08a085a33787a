import { faceOf } from '../face.ts'
import type { SecretSpec, SecretStatus, SecretVersion } from './secret.ts'

export const secretFace = faceOf<SecretSpec, SecretStatus>()({
  kind: 'Secret',
  plural: 'secrets',
  short: 'sec',
  scope: 'tenant',
  about: 'Values that only services may see: here are their names and fingerprints, in the vault what they are.',
  columns: [
    { title: 'VERSION', value: ({ status }) => (status.version === undefined ? '-' : `v${status.version}`) },
    { title: 'KEYS', value: ({ status }) => keysOf(status.versions?.[0]) },
    { title: 'CHANGED', wide: true, value: ({ status }) => status.versions?.[0]?.createdAt ?? '-' },
    { title: 'DESCRIPTION', wide: true, value: ({ spec }) => spec.description ?? '-' },
  ],
})

function keysOf(newest: SecretVersion | undefined): string {
  return newest === undefined || newest.keys.length === 0 ? '-' : newest.keys.map(({ name }) => name).join(',')
}
