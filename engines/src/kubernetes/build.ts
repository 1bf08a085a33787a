/** Kubernetes itself, built here: no package has it, and the Go proxy has its sources. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Call, Fault } from '@gantry/core'
import { buildOnce, cacheFolder } from '../cache.ts'

const run = promisify(execFile)

/** Raised by hand. From 1.35 on a kubelet refuses control groups of the older kind, which machines may still have. */
export const kubernetesVersion = '1.34.4'
const metricsVersion = '0.9.0'

/** The names that the one program acts by. */
const names = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
  'certificates',
] as const

/** The same place seen from the sources and from the build. */
const sources = fileURLToPath(new URL('../../src/kubernetes/program/', import.meta.url))

/** The folder that has each part under its name: 130 MB, and minutes of work the first time. */
export async function buildKubernetes(call: Call): Promise<string> {
  const files = await readSources()
  const id = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8)
  const build = async (folder: string, call: Call): Promise<void> => {
    const work = join(folder, 'work')
    await mkdir(work)
    for (const [name, text] of files) await writeFile(join(work, name), text)
    tell(`building Kubernetes ${kubernetesVersion}; the first time this takes about eight minutes on two cores`)
    await writeFile(join(work, 'go.mod'), moduleFile(await stagingModules(work, call)))
    const program = join(folder, 'cluster')
    await go(['build', '-mod=mod', '-trimpath', `-ldflags=${linkerFlags()}`, '-o', program, '.'], work, {}, call)
    await rm(work, { recursive: true })
    for (const name of names) await symlink('cluster', join(folder, name))
  }
  return buildOnce({ root: cacheFolder(), key: `kubernetes-${kubernetesVersion}-${id}`, build }, call)
}

export async function buildMetricsServer(call: Call): Promise<string> {
  const build = async (folder: string, call: Call): Promise<void> => {
    tell(`building metrics-server ${metricsVersion}; the first time this takes about three minutes on two cores`)
    const program = `sigs.k8s.io/metrics-server/cmd/metrics-server@v${metricsVersion}`
    await go(['install', '-trimpath', '-ldflags=-s -w', program], folder, { GOBIN: folder }, call)
  }
  return buildOnce({ root: cacheFolder(), key: `metrics-server-${metricsVersion}`, build }, call)
}

async function readSources(): Promise<[string, string][]> {
  const found = (await readdir(sources)).filter((name) => name.endsWith('.go')).sort()
  return Promise.all(found.map(async (name) => [name, await readFile(join(sources, name), 'utf8')]))
}

/** Those that Kubernetes has in its own repository, and replaces by folders which the module itself does not carry. */
async function stagingModules(folder: string, { signal }: Call): Promise<string[]> {
  await writeFile(join(folder, 'go.mod'), 'module gantry.test/cluster\n')
  const args = ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`]
  const { stdout } = await run('go', args, { cwd: folder, signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new Fault('engine_unreachable', `The Go proxy did not give Kubernetes: ${String(cause)}`, { cause })
  })
  const { GoMod } = JSON.parse(stdout) as { GoMod: string }
  return stagingIn(await readFile(GoMod, 'utf8'))
}

export function stagingIn(goMod: string): string[] {
  return [...goMod.matchAll(/^\s*(\S+) => \.\/staging\/src\//gm)].map(([, name = '']) => name)
}

/** A module of the staging area has the version 0.34.4 where the whole has 1.34.4. */
export function moduleFile(staging: readonly string[], version: string = kubernetesVersion): string {
  const lines = staging.map((name) => `\t${name} => ${name} v${version.replace(/^1\./, '0.')}`)
  return `module gantry.test/cluster

go 1.24.0

require k8s.io/kubernetes v${version}

replace (
${lines.join('\n')}
)
`
}

/** Else the parts would call themselves v0.0.0, and refuse each other. */
function linkerFlags(): string {
  const [major, minor] = kubernetesVersion.split('.')
  const words = { gitVersion: `v${kubernetesVersion}`, gitMajor: major, gitMinor: minor }
  const set = Object.entries(words).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  return ['-s -w', ...set].join(' ')
}

/** Its progress goes to where ours goes: the keeper's log. */
async function go(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  { signal }: Call,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('go', args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      signal,
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) return resolve()
      reject(new Fault('engine_refused', `go ${args[0]} exited with code ${code}; the keeper's log has its words`))
    })
  })
}

function tell(line: string): void {
  console.error(line)
}
