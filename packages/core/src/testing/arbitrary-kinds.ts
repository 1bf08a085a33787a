/** Valid objects of the other kinds, and of any kind. */
import fc from 'fast-check'
import type { ProviderInput } from '../kinds/provider/spec.ts'
import type { RouteInput } from '../kinds/route/spec.ts'
import type { SecretInput } from '../kinds/secret/secret.ts'
import type { TenantInput } from '../kinds/tenant/tenant.ts'
import { arbitraryLabels, arbitraryName, arbitraryQuantity, sometimes } from './arbitrary-fields.ts'
import { arbitrarySourceDocument, arbitraryWorkloadDocument } from './arbitrary-workload.ts'

const title = fc.stringMatching(/^[ -~à-žΑ-ωあ-ん]{1,40}$/u)
const count = fc.integer({ min: 0, max: 1000 })

const quota = sometimes({
  workloads: count,
  replicas: count,
  services: count,
  secrets: count,
  cpu: arbitraryQuantity,
  memory: arbitraryQuantity,
  disk: arbitraryQuantity,
})

const tenantInput: fc.Arbitrary<TenantInput> = sometimes({ displayName: title, plan: arbitraryName, quota })

const place = fc.tuple(fc.integer({ min: -90, max: 90 }), fc.double({ min: -180, max: 180, noNaN: true }))

const location = fc
  .tuple(sometimes({ region: arbitraryName, country: title, city: title }), fc.option(place, { nil: undefined }))
  .map(([fields, found]) => ({ ...fields, ...(found && { latitude: found[0], longitude: found[1] }) }))

const providerInput: fc.Arbitrary<ProviderInput> = fc
  .tuple(
    arbitraryName,
    sometimes({
      tenants: fc.oneof(fc.constant(['*']), fc.uniqueArray(arbitraryName, { maxLength: 3 })),
      location,
    }),
  )
  .map(([type, fields]) => ({ type, ...fields }))

const secretInput: fc.Arbitrary<SecretInput> = sometimes({
  description: title,
  keys: fc.uniqueArray(fc.stringMatching(/^[-._A-Za-z0-9]{1,30}$/), { maxLength: 4 }),
})

const routeInput: fc.Arbitrary<RouteInput> = fc
  .tuple(
    arbitraryName,
    fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}(\.[a-z0-9]{1,9}){0,2}\.example$/), { minLength: 1, maxLength: 3 }),
    sometimes({
      paths: fc.uniqueArray(fc.stringMatching(/^(\/[a-z0-9~]{1,9}){1,3}\/?$/), { minLength: 1, maxLength: 3 }),
    }),
  )
  .map(([workload, hosts, fields]) => ({ workload, hosts, ...fields }))

function document<Kind extends string, Spec>(kind: Kind, input: fc.Arbitrary<Spec>) {
  return fc
    .tuple(arbitraryName, arbitraryLabels, input)
    .map(([name, labels, spec]) => ({ apiVersion: 'gantry/v1' as const, kind, metadata: { name, labels }, spec }))
}

export const arbitraryTenantDocument = document('Tenant', tenantInput)
export const arbitraryProviderDocument = document('Provider', providerInput)
export const arbitrarySecretDocument = document('Secret', secretInput)
export const arbitraryRouteDocument = document('Route', routeInput)

/** A whole object of any kind, as a user may write it. */
export const arbitraryDocument = fc.oneof(
  arbitraryWorkloadDocument,
  arbitrarySourceDocument,
  arbitraryTenantDocument,
  arbitraryProviderDocument,
  arbitrarySecretDocument,
  arbitraryRouteDocument,
)
