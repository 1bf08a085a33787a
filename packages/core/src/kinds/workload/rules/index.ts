/** All that must hold between the fields of a workload. A new rule is a function, a row here and rows of tests. */
import { knownDependencies, noDependencyCycle, noDependencyTwice } from './dependencies.ts'
import { secretsSomewhere, uniqueEnvironment } from './environment.ts'
import { readableConfig, sharedVolumesAgree, uniqueFileNames, uniquePaths, volumeSources } from './files.ts'
import { oneProbe, probedPortsExist } from './health-checks.ts'
import { noHostPortCollision, uniquePortNames, uniquePorts } from './ports.ts'
import { limitsAboveZero, requestsWithinLimits } from './resources.ts'
import type { WorkloadRule } from './rule.ts'
import { exactlyOneMain, uniqueServiceNames } from './services.ts'
import { atomicWaits, oneChart, oneSource, safeCredentials, sourceAlone, sourceOrServices } from './source.ts'
import { canaryClimbs, fieldsOfItsType, somethingMayMove, statefulOneByOne } from './strategy.ts'

export const workloadRules: readonly WorkloadRule[] = [
  sourceOrServices,
  oneSource,
  oneChart,
  atomicWaits,
  safeCredentials,
  sourceAlone,
  exactlyOneMain,
  uniqueServiceNames,
  knownDependencies,
  noDependencyTwice,
  noDependencyCycle,
  uniquePortNames,
  uniquePorts,
  noHostPortCollision,
  uniquePaths,
  uniqueFileNames,
  volumeSources,
  sharedVolumesAgree,
  readableConfig,
  secretsSomewhere,
  uniqueEnvironment,
  oneProbe,
  probedPortsExist,
  requestsWithinLimits,
  limitsAboveZero,
  fieldsOfItsType,
  somethingMayMove,
  statefulOneByOne,
  canaryClimbs,
]
