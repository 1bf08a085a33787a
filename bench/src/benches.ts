/** Every benchmark there is, in the order of RESULTS.md. */
import { apiRead } from './api-read.ts'
import { apiWrite } from './api-write.ts'
import { applyMany } from './apply-many.ts'
import type { Bench } from './bench.ts'
import { cliCold } from './cli-cold.ts'
import { converge } from './converge.ts'
import { convergeWorkloads } from './converge-workloads.ts'
import { dockerDeploy } from './docker-deploy.ts'
import { dockerMany } from './docker-many.ts'
import { dockerStatus } from './docker-status.ts'
import { dockerUp } from './docker-up.ts'
import { edge, edgeLatency } from './edge.ts'
import { idle } from './idle.ts'
import { k8sApply } from './k8s-apply.ts'
import { k8sClient } from './k8s-client.ts'
import { k8sDeploy } from './k8s-deploy.ts'
import { k8sScale } from './k8s-scale.ts'
import { logs } from './logs.ts'
import { rollback } from './rollback.ts'
import { startLocal } from './start-local.ts'
import { storeList } from './store-list.ts'
import { storeWrite } from './store-write.ts'
import { watch } from './watch.ts'
import { workqueue } from './workqueue.ts'

export const benches: readonly Bench[] = [
  workqueue,
  storeWrite,
  storeList,
  converge,
  convergeWorkloads,
  apiWrite,
  apiRead,
  watch,
  idle,
  logs,
  edge,
  edgeLatency,
  startLocal,
  rollback,
  cliCold,
  applyMany,
  dockerUp,
  dockerDeploy,
  dockerMany,
  dockerStatus,
  k8sClient,
  k8sApply,
  k8sDeploy,
  k8sScale,
]
