/** Which page a client gets, by why nobody answered it. */
import type { FailureReason } from '../figures/figures.ts'
import type { EdgeRoute } from '../table.ts'
import type { Page } from './page.ts'

const pages: Readonly<Record<FailureReason, { readonly status: number; readonly why: string }>> = {
  nobody: { status: 503, why: 'No replica is ready.' },
  connect: { status: 502, why: 'No connection could be made to any replica that was said to be ready.' },
  reset: { status: 502, why: 'The replica closed the connection before it had answered.' },
  timeout: { status: 504, why: 'The replica did not answer in time.' },
  bad_answer: { status: 502, why: 'The replica answered with something that is not proper HTTP.' },
  client: { status: 408, why: 'The client did not go on with its request.' },
}

/** Never the text of an error: it might tell more than a client should know. */
export function failurePage({ workload, why: told }: EdgeRoute, reason: FailureReason): Page {
  const { status, why } = pages[reason]
  return {
    status,
    what: `The workload ${workload.name} of tenant ${workload.tenant} does not answer.`,
    why: reason === 'nobody' ? (told ?? why) : why,
    workload: { tenant: workload.tenant, name: workload.name },
  }
}

export function unroutedPage(host: string): Page {
  return {
    status: 404,
    what: `Nothing is served at ${host} under this path.`,
    why: 'No workload with an http port has this name, and no Route names this host and path.',
  }
}
