export type { Lease, LeaseStore } from './lease.ts'
