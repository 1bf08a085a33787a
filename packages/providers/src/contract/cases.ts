/** The whole contract, as a list. */
import { capabilityCases } from './capability-cases.ts'
import type { ContractCase } from './case.ts'
import { deployCases } from './deploy-cases.ts'
import { deprovisionCases } from './deprovision-cases.ts'
import { execCases } from './exec-cases.ts'
import { fieldCases } from './field-cases.ts'
import { imageCases } from './image-cases.ts'
import { infoCases } from './info-cases.ts'
import { lifecycleCases } from './lifecycle-cases.ts'
import { logCases } from './log-cases.ts'
import { observeCases } from './observe-cases.ts'
import { ownershipCases } from './ownership-cases.ts'
import { provisionCases } from './provision-cases.ts'
import { replicaCases } from './replica-cases.ts'
import { resourceCases } from './resource-cases.ts'
import { retentionCases } from './retention-cases.ts'
import { roleCases } from './role-cases.ts'
import { rollbackCases } from './rollback-cases.ts'
import { scaleCases } from './scale-cases.ts'
import { sourceCases } from './source-cases.ts'
import { statusCases } from './status-cases.ts'
import { trafficCases } from './traffic-cases.ts'
import { volumeCases } from './volume-cases.ts'

export const contractGroups: Readonly<Record<string, readonly ContractCase[]>> = {
  info: infoCases,
  capabilities: capabilityCases,
  provision: provisionCases,
  deprovision: deprovisionCases,
  'single replicas': replicaCases,
  'start, stop, restart': lifecycleCases,
  status: statusCases,
  observe: observeCases,
  deploy: deployCases,
  rollback: rollbackCases,
  images: imageCases,
  scale: scaleCases,
  resources: resourceCases,
  logs: logCases,
  exec: execCases,
  fields: fieldCases,
  roles: roleCases,
  volumes: volumeCases,
  'retained volumes': retentionCases,
  ownership: ownershipCases,
  traffic: trafficCases,
  'other sources': sourceCases,
}

export const contractCases: readonly ContractCase[] = Object.values(contractGroups).flat()
