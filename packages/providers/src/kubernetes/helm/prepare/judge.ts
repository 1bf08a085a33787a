/** What a chart would make, before it makes it: nothing outside the tenant's namespace, unless the Provider lets it out. */
import { type Call, Fault, type Issue } from '@gantry/core'
import type { DiscoveryApi } from '../../api/api.ts'
import { confine, type Place, type ScopeOf, scopesOf } from '../../manifests/confine.ts'
import { readSet } from '../../manifests/read/read-set.ts'
import { pathOf, type SetObject } from '../../manifests/set-object.ts'

/** All objects of it, hooks too. Throws `engine_rejected`, with an issue for each object that may not be. */
export async function judgeRendered(
  text: string,
  place: Place,
  discovery: DiscoveryApi,
  call: Call,
): Promise<readonly SetObject[]> {
  const { objects, issues } = readSet(text)
  const scopeOf = await askedScopes(objects, discovery, call)
  const wrong = [...unread(objects, issues), ...confine(objects, scopeOf, place)].map(ofChart)
  if (wrong.length === 0) return objects
  const [first] = wrong
  const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : ''
  throw new Fault('engine_rejected', `The chart may not be installed: ${first?.path} ${first?.message}${more}`, {
    issues: wrong,
  })
}

/** What cannot be read cannot be judged. That an object is written oddly is for Helm and the cluster to say. */
function unread(objects: readonly SetObject[], issues: readonly Issue[]): readonly Issue[] {
  const known = new Set(objects.map(pathOf))
  return issues.filter(({ path }) => path !== 'source.manifests' && !known.has(path))
}

/** Kinds that neither we nor the chart know are asked for; one that nobody knows makes no object at all. */
async function askedScopes(objects: readonly SetObject[], discovery: DiscoveryApi, call: Call): Promise<ScopeOf> {
  const known = scopesOf(objects)
  const asked = new Map<string, boolean | undefined>()
  for (const { apiVersion, kind } of objects) {
    const key = `${apiVersion} ${kind}`
    if (known(apiVersion, kind) !== undefined || asked.has(key)) continue
    asked.set(key, (await discovery.resource(apiVersion, kind, call))?.namespaced)
  }
  return (apiVersion, kind) => known(apiVersion, kind) ?? asked.get(`${apiVersion} ${kind}`)
}

const ofChart = (issue: Issue): Issue => ({
  ...issue,
  path: issue.path.replace('source.manifests', 'spec.source.helm.chart'),
})
