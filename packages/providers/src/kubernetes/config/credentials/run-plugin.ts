/** Runs an exec plugin: by argv, with nothing on its input, and no longer than its deadline. */
import { spawn } from 'node:child_process'
import { type Call, type Clock, onAbort, withDeadline } from '@gantry/core'
import type { ExecPlugin } from '../cluster-config.ts'
import type { Environment } from '../settings.ts'
import { broken } from './exec-protocol.ts'

/** A token is far smaller. */
const mostBytes = 1024 * 1024
const shownBytes = 500

export type RunPluginOptions = { readonly clock: Clock; readonly env: Environment; readonly deadlineMs: number }

/** Answers what it wrote to its output. */
export async function runPlugin(
  { command, args, env: own, installHint }: ExecPlugin,
  info: string,
  { clock, env, deadlineMs }: RunPluginOptions,
  call: Call,
): Promise<string> {
  const deadline = withDeadline(clock, deadlineMs, `The sign-in program ${command}`, call)
  try {
    return await new Promise<string>((resolve, reject) => {
      deadline.signal.throwIfAborted()
      const child = spawn(command, [...args], {
        env: { ...env, ...own, KUBERNETES_EXEC_INFO: info },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const leave = onAbort(deadline.signal, () => {
        child.kill('SIGKILL')
        // What it started itself may hold its output open.
        child.stdout.destroy()
        child.stderr.destroy()
        reject(deadline.signal.reason)
      })
      const out: Buffer[] = []
      let size = 0
      let said = ''
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= mostBytes) out.push(chunk)
        else child.kill('SIGKILL')
      })
      child.stderr.on('data', (chunk: Buffer) => {
        said = `${said}${chunk}`.slice(-shownBytes)
      })
      child.once('error', (cause: NodeJS.ErrnoException) => {
        leave()
        const hint = cause.code === 'ENOENT' && installHint ? ` (${installHint.trim()})` : ''
        reject(broken(`The sign-in program ${command} cannot be run: ${cause.code ?? cause.message}${hint}`, { cause }))
      })
      child.once('close', (code, signal) => {
        leave()
        if (size > mostBytes) reject(broken(`The sign-in program ${command} said more than ${mostBytes} bytes`))
        else if (code === 0) resolve(Buffer.concat(out).toString('utf8'))
        else {
          const how = code === null ? `was ended by ${signal}` : `ended with ${code}`
          reject(broken(`The sign-in program ${command} ${how}: ${said.trim() || 'it said nothing'}`))
        }
      })
    })
  } finally {
    deadline.clear()
  }
}
