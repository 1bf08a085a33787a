/** What is desired and where, for tests of planning: written as a user writes it. */
import { Secret, type WorkloadInput, workloadKind } from '@gantry/core'
import { desiredFor } from '../../../contract/desired-for.ts'
import type { Desired } from '../../../desired.ts'
import type { Ref } from '../../../ref.ts'
import type { PlanSettings } from '../settings.ts'

export type SpecInput = Partial<WorkloadInput>
export type ServiceInput = NonNullable<WorkloadInput['services']>[number]

export const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' }

export const settings: PlanSettings = {
  installation: 'inst',
  namespaces: { prefix: 'gantry' },
  labels: {},
  imagePullSecrets: [],
  hostFolders: ['/srv/shared'],
  drainSeconds: 6,
  gpuResources: ['nvidia.com/gpu', 'example.com/npu'],
  serverVersion: { minor: 34 },
}

export const web: ServiceInput = { name: 'web', image: 'app:1' }

/** Secrets have the value that `secretValue` says. */
export function desiredOf(spec: SpecInput = {}, more: Partial<Desired> = {}): Desired {
  const read = workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: 'web' },
    spec: { services: [web], ...spec },
  }).spec
  const desired = { ...desiredFor('inst', ref, read), ...more }
  const login = { version: 1, username: new Secret('me'), password: new Secret('open sesame') }
  return {
    ...desired,
    services: desired.services.map(({ imagePullSecret, ...service }) => ({
      ...service,
      ...(imagePullSecret === undefined ? {} : { imagePullSecret: login }),
      secrets: service.secrets.map((secret) => ({ ...secret, value: new Secret(secretValue(secret)) })),
    })),
  }
}

export const secretValue = ({ name, key }: { readonly name: string; readonly key: string }): string =>
  `hidden ${name} ${key} $(HOME) ü`
