/** The time from a spawn to the end of the process. */
import { spawn } from 'node:child_process'
import { median } from '../rounds.ts'

export type Program = {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

const starts = 9

export async function timed(program: Program, { signal }: { readonly signal: AbortSignal }): Promise<number> {
  const figures: number[] = []
  for (let at = 0; at < starts; at++) figures.push(await once(program, signal))
  return median(figures)
}

/** Of a single one. */
export function once({ file, args, env }: Program, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(file, [...args], { env, signal, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stdout.resume()
    child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
    child.once('error', reject)
    // A command that fails is quick, and no figure.
    child.once('close', (code) =>
      code === 0
        ? resolve(performance.now() - began)
        : reject(new Error(`${file} ${args.join(' ')}: exit ${code}: ${said}`)),
    )
  })
}
