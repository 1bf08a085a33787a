/** Pure: what a server says to who may not, put so that it says what to change. */

const denied =
  /User "([^"]*)" cannot (\S+) resource "([^"]*)" in API group "([^"]*)"(?: in the namespace "([^"]*)"| at the cluster scope)?(?:: (.*))?/s
const deniedPath = /User "([^"]*)" cannot (\S+) path "([^"]*)"/

/** Names verb, resource and namespace; undefined where the words are others. */
export function deniedText(message: string): string | undefined {
  const [, user, verb, resource, group, namespace, more] = denied.exec(message) ?? []
  if (user !== undefined) {
    const what = group ? `${resource}.${group}` : resource
    const where = namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`
    const role = namespace === undefined ? 'ClusterRole' : 'Role'
    const why = more?.trim() ? ` (${more.trim()})` : ''
    return `Kubernetes does not allow ${user} to ${verb} ${what} ${where}${why}; give it a ${role} with the verb ${verb} on ${what}`
  }
  const [, asker, method, path] = deniedPath.exec(message) ?? []
  if (asker === undefined) return undefined
  return `Kubernetes does not allow ${asker} to ${method} ${path}; give it a ClusterRole with that path`
}
