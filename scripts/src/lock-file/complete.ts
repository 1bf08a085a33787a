/**
 * A lock file that is whole on every machine. Tools come as one optional package per platform, and a registry that has
 * only those of the own platform makes npm leave the others out of the lock file, whereupon `npm ci` refuses it. What is
 * left out can be told from the package that names it: the version is pinned there, the platform is in the name.
 */
export type LockedPackage = {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

export type LockFile = { packages: Record<string, LockedPackage> }

export type Missing = { readonly name: string; readonly version: string; readonly dev: boolean }

const systems = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
])
const processors = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
])

/** The optional packages that are named, but not there. */
export function missingFrom({ packages }: LockFile): Missing[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies).flatMap(([name, version]) => {
      const isThere = `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages
      return isThere ? [] : [{ name, version, dev }]
    }),
  )
}

/** With an entry for each of those, in the order that npm itself keeps. */
export function completed<Lock extends LockFile>(lock: Lock): Lock {
  const added = missingFrom(lock).map(({ name, version, dev }): [string, LockedPackage] => {
    const { cpu, os, libc } = platformOf(name)
    const entry = { version: version.replace(/^[\^~]/, ''), cpu, dev: dev || undefined, libc, optional: true, os }
    return [
      `node_modules/${name}`,
      Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)),
    ]
  })
  const compare = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a.localeCompare(b, 'en')
  return { ...lock, packages: Object.fromEntries([...Object.entries(lock.packages), ...added].sort(compare)) }
}

/** `@scope/tool-linux-x64-musl` → what npm is to compare with the machine that it runs on. */
export function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.has(word))
  const cpu = words.filter((word) => processors.has(word))
  const libc = words.flatMap((word) => (word === 'musl' ? ['musl'] : /^gnu/.test(word) ? ['glibc'] : []))
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(os.length > 0 ? { os } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  }
}
