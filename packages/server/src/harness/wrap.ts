/** The store, the engines and the edge of a server, with a point before and after everything that has an effect. */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { EdgeLink } from '@gantry/edge'
import { type Engine, overlay } from '@gantry/providers'
import type { DockerApi } from '@gantry/providers/docker'
import type { KubernetesApi } from '@gantry/providers/kubernetes'
import type { ProcessSeen, Supervisor } from '@gantry/providers/local'
import type { Store } from '@gantry/store'
import type { EngineFactory } from '../providers/engine-factories.ts'
import { fileName, writeName } from './point-names.ts'
import type { Trail } from './trail.ts'

/** Every step that is written down. What came before it was the point after another. */
export function storeOn(trail: Trail, store: Store): Store {
  return overlay(store, {
    async write(scope, commands, context, call) {
      const written = await store.write(scope, commands, context, call)
      const name = writeName(commands.filter((_, at) => written.results[at]?.did !== 'unchanged'))
      // Engines are asked for what specs say: a status changes nothing for them.
      const changes = commands.some(({ op }) => op !== 'status')
      if (name !== undefined) trail.pass(name, { isStep: true, changes })
      return written
    },
  })
}

/** What only looks. Whatever else an engine learns to do is a point, without anyone remembering. */
const looks = new Set(['type', 'declares', 'info', 'check', 'plan', 'look', 'observe', 'logs', 'usage', 'capacity'])

export function enginesOn(trail: Trail, factory: EngineFactory): EngineFactory {
  return async (wish, call) => {
    const opened = await factory(wish, call)
    return { ...opened, engine: watched<Engine>(opened.engine, trail, 'engine', looks, () => false) }
  }
}

const supervisorLooks = new Set(['info', 'look', 'list', 'watch', 'output', 'usage', 'exec'])

export function supervisorOn(trail: Trail, supervisor: Supervisor): Supervisor {
  const known = new Map<string, string>()
  /** Asked again, it answers the same: nothing has happened. */
  const isNews = (args: readonly unknown[], answer: unknown): boolean => {
    const seen = answer as ProcessSeen | undefined
    const id = seen?.id ?? String(args[0])
    const now = seen ? `${seen.phase} ${seen.run}` : 'removed'
    const isNew = known.get(id) !== now
    known.set(id, now)
    return isNew
  }
  return watched(supervisor, trail, 'supervisor', supervisorLooks, isNews)
}

const dockerLooks = new Set([
  ...['ping', 'version', 'info', 'events', 'volumeSizes', 'list', 'inspect', 'stats', 'wait', 'distributed'],
  ...['logs', 'logBlocks', 'getArchive', 'exitCode'],
])

/** Every question of our client, to whatever part of the daemon. */
export function dockerOn(trail: Trail, api: DockerApi): DockerApi {
  const parts = Object.entries(api).flatMap(([part, methods]) =>
    typeof methods === 'object' ? [[part, watched(methods, trail, `docker.${part}`, dockerLooks, newOfObjects())]] : [],
  )
  return overlay(api, Object.fromEntries(parts))
}

/** Done again to the same object, it changes nothing. */
function newOfObjects(): IsNews {
  const last = new Map<string, string>()
  return (args, answer, key) => {
    const made = typeof answer === 'string' ? answer : (answer as Partial<Record<'Id' | 'Name', string>> | undefined)
    const id = typeof made === 'string' ? made : (made?.Id ?? made?.Name ?? String(args[0]))
    const isNew = last.get(id) !== key
    last.set(id, key)
    return isNew
  }
}

type ObjectsApi = KubernetesApi['objects']
type KubeObject = Awaited<ReturnType<ObjectsApi['create']>>

const kubernetesChanges = new Set(['apply', 'create', 'replace', 'patch', 'delete'])

/** Every question of our client that changes an object, by what is done to which kind. */
export function kubernetesOn(trail: Trail, api: KubernetesApi): KubernetesApi {
  const versions = new Map<string, string>()
  const objects = new Proxy(api.objects, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || typeof key !== 'string') return value
      if (!kubernetesChanges.has(key)) return value.bind(target)
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const { resource, namespace, name } = args[0] as Parameters<ObjectsApi['create']>[0] & {
          readonly name?: string
        }
        const what = `kubernetes.${key} ${resource.kind}`
        trail.pass(`${what} before`, { isStep: false, changes: false })
        const answer = (await value.apply(target, args)) as KubeObject | undefined
        // Said again as it is, an object keeps its version: nothing has happened.
        const id = [resource.kind, namespace, name ?? answer?.metadata.name].join(' ')
        const version = answer?.metadata.resourceVersion ?? 'none'
        const isStep = versions.get(id) !== version
        versions.set(id, version)
        trail.pass(`${what} after`, { isStep, changes: isStep })
        return answer
      }
    },
  })
  return overlay(api, { objects })
}

const edgeLooks = new Set(['state', 'table', 'figures', 'inFlight', 'close'])

export function edgeOn(trail: Trail, link: EdgeLink): EdgeLink {
  return watched(link, trail, 'edge', edgeLooks, () => true)
}

type IsNews = (args: readonly unknown[], answer: unknown, key: string) => boolean

function watched<T extends object>(base: T, trail: Trail, what: string, apart: ReadonlySet<string>, isNews: IsNews): T {
  return new Proxy(base, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || typeof key !== 'string') return value
      if (apart.has(key)) return value.bind(target)
      return async (...args: readonly unknown[]): Promise<unknown> => {
        trail.pass(`${what}.${key} before`, { isStep: false, changes: false })
        const answer: unknown = await value.apply(target, args)
        const isStep = isNews(args, answer, key)
        trail.pass(`${what}.${key} after`, { isStep, changes: isStep })
        return answer
      }
    },
  })
}

const changing = ['rename', 'rm', 'rmdir', 'symlink', 'unlink', 'writeFile'] as const

/**
 * Records and files of replicas are persisted steps too. They are written by whoever needs to, so the functions themselves
 * are replaced, for all of this process.
 */
export function filesOn(trail: Trail, roots: readonly string[]): void {
  const functions = fs as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
  for (const operation of changing) {
    const original = functions[operation]
    functions[operation] = async (...args) => {
      const answer = await original?.(...args)
      // Of two paths the second is the one that is changed.
      const path = operation === 'rename' || operation === 'symlink' ? args[1] : args[0]
      const name = fileName(operation, String(path), roots)
      // What is made for one replica is made for the next in the same way.
      if (name !== undefined) trail.pass(name, { isStep: true, changes: true, isOnce: true })
      return answer
    }
  }
  syncBuiltinESMExports()
}
