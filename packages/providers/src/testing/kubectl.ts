/** The cluster's own client, for tests only: what it shows is compared with what we say. */
import { execFile } from 'node:child_process'
import { type KubernetesAddress, kubernetesTools } from '@gantry/engines'

export type Ended = { readonly stdout: string; readonly stderr: string; readonly code: number }

export type Kubectl = {
  /** Throws where it ends with anything but 0. */
  (...argv: string[]): Promise<string>
  /** Whatever it ends with. */
  ended(argv: readonly string[], input?: string): Promise<Ended>
  json<T>(...argv: string[]): Promise<T>
}

export async function kubectl({ kubeconfig }: Pick<KubernetesAddress, 'kubeconfig'>): Promise<Kubectl> {
  const { kubectl: program } = await kubernetesTools({ signal: AbortSignal.timeout(300_000) })
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: kubeconfig }
  const ended: Kubectl['ended'] = (argv, input = '') =>
    new Promise((resolve, reject) => {
      const options = { env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 }
      const child = execFile(program, [...argv], options, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') return reject(error)
        resolve({ stdout, stderr, code: error ? Number(error.code) : 0 })
      })
      child.stdin?.end(input)
    })
  const run = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await ended(argv)
    if (code !== 0) throw new Error(`kubectl ${argv.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  const json = async <T>(...argv: string[]): Promise<T> => JSON.parse(await run(...argv, '-o', 'json')) as T
  return Object.assign(run, { ended, json })
}
