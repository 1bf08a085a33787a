/** Commands in the environment and folder of a service that runs. */
import { type Call, Fault } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../exec.ts'
import { findService } from '../tended/find-service.ts'
import type { Site } from './site.ts'

export async function execute(
  site: Site,
  engineId: string,
  name: string,
  request: ExecRequest,
  call: Call,
): Promise<ExecSession> {
  const { link } = site.parts
  const { live, service } = findService(site.replicas, engineId, name)
  if (!service.process) {
    throw new Fault('service_not_running', `${name} of replica ${live.record.index} does not run now`)
  }
  return await link.supervisor.exec(service.id, request, call)
}
