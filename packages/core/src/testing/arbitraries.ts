/** Apart from the rest of `testing`, because it needs fast-check. */
export {
  arbitraryLabels,
  arbitraryName,
  arbitraryPortName,
  arbitraryQuantity,
  arbitraryText,
} from './arbitrary-fields.ts'
export {
  arbitraryDocument,
  arbitraryProviderDocument,
  arbitrarySecretDocument,
  arbitraryTenantDocument,
} from './arbitrary-kinds.ts'
export { arbitraryServiceInput, type ServiceInput } from './arbitrary-service.ts'
export { arbitraryWorkload, arbitraryWorkloadDocument, arbitraryWorkloadInput } from './arbitrary-workload.ts'
