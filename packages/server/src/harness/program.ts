/** The server as a program, as `main.ts` is, but watched: every step that it takes is a point where it can be made to die. */
import { connectSupervisor } from '@gantry/providers/local'
import { type Store, systemScope } from '@gantry/store'
import { dockerFactory } from '../providers/docker-factory.ts'
import { kubernetesFactory } from '../providers/kubernetes-factory.ts'
import { localFactory } from '../providers/local-factory.ts'
import { serveOptions } from '../serve/options.ts'
import { serve } from '../serve/serve.ts'
import { createLog } from '../telemetry/log.ts'
import type { Answer, Hit, Question } from './control.ts'
import { Trail } from './trail.ts'
import { dockerOn, edgeOn, enginesOn, filesOn, kubernetesOn, storeOn, supervisorOn } from './wrap.ts'

const call = { signal: new AbortController().signal }
const options = serveOptions(process.argv.slice(2), process.env)
const dataDir = options.data
const trail = new Trail(
  ({ pid, signal }) => {
    process.kill(pid, signal)
    process.send?.({ hit: true } satisfies Hit)
  },
  () => performance.now(),
)
let store: Store | undefined

filesOn(trail, [`${dataDir}/local`, `${dataDir}-run`])
const supervisor = supervisorOn(trail, connectSupervisor(dataDir, { start: true }))

const answers = {
  begin: async (question) => trail.begin('aim' in question ? question.aim : undefined),
  report: async () => trail.report(),
  stored,
} satisfies Record<Question['ask'], (question: Question) => Promise<unknown>>

process.on('message', (message) => {
  const question = message as Question
  const { id } = question
  const tell = (answer: Answer): void => void process.send?.(answer)
  answers[question.ask](question).then(
    (answer) => tell({ id, answer }),
    (error: unknown) => tell({ id, error: String(error) }),
  )
})
let stopServer: () => Promise<void> = async () => undefined
let isStopping = false
// Whoever could tell it what to do is gone, and would have ended what runs here. A server that runs would start it again.
process.once('disconnect', () => {
  if (!isStopping) void abandon().finally(() => process.exit(1))
})

async function abandon(): Promise<void> {
  const say = (error: unknown): void => void process.stderr.write(`could not end in order: ${error}\n`)
  const deadline = setTimeout(() => process.exit(1), 60_000)
  await stopServer().catch(say)
  await supervisor.shutdown({ processes: 'stop' }, { signal: AbortSignal.timeout(30_000) }).catch(say)
  clearTimeout(deadline)
}

const served = await serve(options, createLog(), call, {
  wrapStore: (opened) => {
    store = opened
    return storeOn(trail, opened)
  },
  wrapEdge: (link) => edgeOn(trail, link),
  providers: {
    local: enginesOn(trail, localFactory({ dataDir, supervisor })),
    docker: enginesOn(trail, dockerFactory({ wrapApi: (api) => dockerOn(trail, api) })),
    kubernetes: enginesOn(trail, kubernetesFactory({ wrapApi: (api) => kubernetesOn(trail, api) })),
  },
})
stopServer = served.stop
process.once('SIGTERM', () => {
  isStopping = true
  served.stop().then(
    () => process.disconnect(),
    (error: unknown) => {
      process.stderr.write(`could not stop in order: ${error}\n`)
      process.exit(1)
    },
  )
})

async function stored(): Promise<readonly string[]> {
  const found: string[] = []
  if (!store) return found
  for await (const row of store.snapshot(systemScope(), call)) {
    if (row.type === 'object') found.push(`${row.kind} ${row.tenant} ${row.name}`)
    if (row.type === 'usage') found.push(`usage ${row.tenant} ${row.counter} ${row.used}`)
  }
  return found
}
