/** The editor of a person: started with an argument list, never through a shell. */
import { spawn } from 'node:child_process'
import { Fault } from '@gantry/core'

/** Pure: which program, with which arguments. Quotes keep blanks together, as in `"/opt/my editor/bin" --wait`. */
export function editorOf(env: Readonly<Record<string, string | undefined>>): readonly [string, ...string[]] {
  const said = [env.GANTRY_EDITOR, env.VISUAL, env.EDITOR].find((one) => one !== undefined && one.trim() !== '')
  const [program = 'vi', ...args] = words(said ?? 'vi')
  return [program, ...args]
}

export function words(text: string): string[] {
  const found = text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)
  return [...found].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

/** Resolves when the person has left it. */
export function openEditor([program, ...args]: readonly [string, ...string[]], file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, file], { stdio: 'inherit' })
    child.once('error', (cause) => {
      const next = 'name yours in $EDITOR, as in EDITOR="code --wait"'
      reject(new Fault('bad_request', `The editor ${program} cannot be started; ${next}`, { cause }))
    })
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else
        reject(
          new Fault(
            'bad_request',
            `The editor ${program} ended with ${signal ?? `code ${code}`}, so nothing was written`,
          ),
        )
    })
  })
}
