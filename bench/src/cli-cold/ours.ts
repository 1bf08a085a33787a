/** Our program, as npm links it. */
import { fileURLToPath } from 'node:url'
import type { Program } from './timed.ts'

export async function ours(server: string): Promise<Program> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const file = fileURLToPath(new URL('../../../packages/cli/bin/gantry.cjs', import.meta.url))
  return { file: process.execPath, args: [file], env: { ...env, GANTRY_SERVER: server, GANTRY_TOKEN: 'none' } }
}
