/** Pure: which hierarchies of control groups this machine has, and where in them a process is, from what /proc says. */

export type Hierarchy = {
  readonly version: 1 | 2
  /** Where it is mounted. */
  readonly mount: string
  /** Of version 1; of version 2 each group says itself. */
  readonly controllers: readonly string[]
  /** Where we are in it: a folder below `mount`. */
  readonly home: string
}

/** `mounts` is /proc/self/mountinfo, `groups` is /proc/self/cgroup. */
export function hierarchiesFrom(mounts: string, groups: string): Hierarchy[] {
  const homes = groups.split('\n').flatMap((line) => {
    const match = /^\d+:([^:]*):(.*)$/.exec(line)
    return match ? [{ controllers: (match[1] ?? '').split(',').filter(Boolean), path: match[2] ?? '/' }] : []
  })
  return mounts.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ')
    const [, , , root, at] = (before ?? '').split(' ')
    const [type, , options] = (after ?? '').split(' ')
    if (root === undefined || at === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return []
    const words = new Set((options ?? '').split(','))
    const version = type === 'cgroup2' ? 2 : 1
    const home = homes.find(({ controllers }) =>
      version === 2 ? controllers.length === 0 : controllers.length > 0 && controllers.every((each) => words.has(each)),
    )
    if (!home) return []
    const mount = unescapeOctal(at)
    return [
      {
        version,
        mount,
        controllers: version === 2 ? [] : home.controllers,
        home: below(mount, unescapeOctal(root), home.path),
      },
    ]
  })
}

/** A mount may show a part of the hierarchy only (in containers): our path counts from the root of that part. */
function below(mount: string, root: string, path: string): string {
  const inside = root === '/' || !path.startsWith(root) ? path : path.slice(root.length)
  return inside === '/' || inside === '' ? mount : `${mount}${inside.startsWith('/') ? '' : '/'}${inside}`
}

function unescapeOctal(text: string): string {
  return text.replace(/\\(\d{3})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
