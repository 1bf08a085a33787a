/** The real API, with its writes counted, and broken after one of them where a test wants that. */
import type { KubernetesApi, ObjectsApi } from '../../api/api.ts'

export type Written = { readonly verb: string; readonly object: string }

export type CountedApi = { readonly api: KubernetesApi; readonly writes: Written[] }

const verbs = ['apply', 'create', 'replace', 'patch', 'delete'] as const

/** `after` is called when a write was done; what it throws is what the caller gets instead of an answer. */
export function countedApi(real: KubernetesApi, after: (count: number) => void = () => undefined): CountedApi {
  const writes: Written[] = []
  const objects = { ...real.objects }
  for (const verb of verbs) {
    const own = real.objects[verb] as (...parameters: unknown[]) => Promise<unknown>
    Object.assign(objects, {
      [verb]: async (...parameters: unknown[]) => {
        const [where] = parameters as [{ resource: { kind: string }; name?: string }]
        const answer = await own(...parameters)
        writes.push({ verb, object: `${where.resource.kind}/${where.name ?? '?'}` })
        after(writes.length)
        return answer
      },
    })
  }
  return { api: { ...real, objects: objects as ObjectsApi }, writes }
}
