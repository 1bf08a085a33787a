/** The store numbers commands; who asked knows nothing of commands, and is told about their objects. */
import { Fault, type Issue } from '@gantry/core'
import { inWordsOfDefault } from '../providers/default-provider.ts'

const numbered = /^commands\[(\d+)\]\.?/

/** `place`: what the path of the command is called to the caller; empty where there is only one object. */
export function inCallersWords(given: Fault, place: (index: number) => string): Fault {
  const fault = inWordsOfDefault(given)
  const issues = fault.issues.flatMap((issue): Issue[] => {
    const index = numbered.exec(issue.path)?.[1]
    if (index === undefined) return [issue]
    const rest = issue.path.replace(numbered, '')
    const path = [place(Number(index)), rest].filter((part) => part !== '').join('.')
    return path === '' ? [] : [{ ...issue, path }]
  })
  const { reason, message, detail, retryAfterMs } = fault
  return new Fault(reason, message, {
    issues,
    ...(detail !== undefined && { detail }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause: fault.cause,
  })
}
