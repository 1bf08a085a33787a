/**
 * `npm start`: a server of one's own with the provider of this machine and its edge, and the workload of this folder on it.
 * Takes what `gantry serve` takes; with `--bare` nothing is applied.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@gantry/api'
import { isFault, parseObjects } from '@gantry/core'
import { createLog, type Serving, serve, serveOptions } from '@gantry/server'
import { currentServer } from './current-server.ts'
import { reachableFolder } from './reachable.ts'
import { shutDown } from './shut-down.ts'
import { edgeListens, workloadReady } from './wait.ts'
import { bare, ended, ending, ready, serving, type Where } from './words.ts'

const file = fileURLToPath(new URL('../gantry.yaml', import.meta.url))
const say = (text: string): boolean => process.stdout.write(text)
const interrupted = new AbortController()
let running: { readonly serving: Serving; readonly data: string } | undefined

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const isBare = args.includes('--bare')
  const options = serveOptions(
    args.filter((arg) => arg !== '--bare'),
    process.env,
  )
  const call = { signal: interrupted.signal }
  say(`Gantry is starting; its data is in ${options.data}\n`)
  running = { serving: await serve(options, createLog({ level: 'warn' }), call), data: options.data }
  const { address } = running.serving
  const where: Where = {
    api: address,
    edge: options.edge,
    tokenFile: join(options.data, 'admin.token'),
    isUsual: (await currentServer(options.contexts)) === address,
  }
  say(serving(where))
  const token = (await readFile(where.tokenFile, 'utf8')).trim()
  const client = createClient({ server: address, token })
  await edgeListens(client, call)
  if (isBare) return void say(bare())
  const folder = await reachableFolder(dirname(file), options.data, process.getuid?.() ?? -1)
  const objects = parseObjects(await readFile(file, 'utf8'), { folder })
  const { results } = await client
    .tenant('default')
    .apply(objects as unknown as Parameters<ReturnType<typeof client.tenant>['apply']>[0])
  for (const { did, object } of results) {
    const { name } = object.metadata
    say(`${object.kind} ${name}: ${did}\n`)
    await workloadReady(client, 'default', name, say, call)
    say(ready(where, name, 'default'))
  }
}

async function end(): Promise<void> {
  if (!running) return
  const { serving: server, data } = running
  await server.stop()
  await shutDown(data)
}

let endings = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    endings += 1
    if (endings > 1) return
    say(ending())
    interrupted.abort(new Error('interrupted'))
    end().then(
      () => {
        say(ended())
        process.exit(0)
      },
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      },
    )
  })
}

main().catch(async (error: unknown) => {
  if (endings > 0) return
  process.stderr.write(`${isFault(error) ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  await end()
  process.exit(2)
})
