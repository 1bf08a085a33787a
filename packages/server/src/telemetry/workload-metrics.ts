/** Figures of workloads, as they were last seen and sampled. */
import { Gauge, type Registry } from 'prom-client'

export type WorkloadFigures = {
  readonly tenant: string
  readonly workload: string
  readonly replicas: number
  readonly ready: number
  readonly restarts: number
  /** Thousandths of one core; left out: not known. */
  readonly cpuMillis?: number | undefined
  readonly memoryBytes?: number | undefined
}

/** With more than this, Prometheus would suffer: the first so many by name have figures, and the rest is counted. */
export const mostWorkloads = 5000

type Figure = { readonly help: string; readonly read: (figures: WorkloadFigures) => number | undefined }

const gauges: Readonly<Record<string, Figure>> = {
  gantry_workload_replicas: { help: 'Replicas that are there', read: ({ replicas }) => replicas },
  gantry_workload_replicas_ready: { help: 'Replicas that are ready', read: ({ ready }) => ready },
  gantry_workload_cpu_cores: {
    help: 'Cores in use, when it was last looked',
    read: ({ cpuMillis }) => cpuMillis && cpuMillis / 1000,
  },
  gantry_workload_memory_bytes: {
    help: 'Memory in use, when it was last looked',
    read: ({ memoryBytes }) => memoryBytes,
  },
  gantry_workload_restarts: {
    help: 'Restarts of the services of the replicas that are there; falls when a replica goes',
    read: ({ restarts }) => restarts,
  },
}

export function workloadMetrics(registers: Registry[], sources: ReadonlySet<() => readonly WorkloadFigures[]>): void {
  const labelNames = ['tenant', 'workload'] as const
  const bounded = (): readonly WorkloadFigures[] => all(sources).slice(0, mostWorkloads)
  for (const [name, { help, read }] of Object.entries(gauges)) {
    const gauge = new Gauge({ name, help, labelNames, registers, collect: () => collect() })
    const collect = (): void => {
      // What is gone has no figures any more.
      gauge.reset()
      for (const figures of bounded()) {
        const value = read(figures)
        if (value !== undefined) gauge.set({ tenant: figures.tenant, workload: figures.workload }, value)
      }
    }
  }
  const leftOut: Gauge = new Gauge({
    name: 'gantry_workloads_without_figures',
    help: `Workloads above the first ${mostWorkloads}, which have no figures of their own here`,
    registers,
    collect: (): void => leftOut.set(Math.max(0, all(sources).length - mostWorkloads)),
  })
}

function all(sources: ReadonlySet<() => readonly WorkloadFigures[]>): WorkloadFigures[] {
  return [...sources]
    .flatMap((read) => read())
    .sort((left, right) => order(`${left.tenant}/${left.workload}`, `${right.tenant}/${right.workload}`))
}

function order(left: string, right: string): number {
  return left < right ? -1 : 1
}
