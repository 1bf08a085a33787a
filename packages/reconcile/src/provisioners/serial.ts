/** One after the other: each starts when the one before is done. Taken down in reverse. */
import { combine } from '../results/combine.ts'
import type { Result } from '../results/result.ts'
import { enter } from './enter.ts'
import type { Pass, Provisioner, Verb } from './provisioner.ts'

export function serial(name: string, steps: readonly Provisioner[]): Provisioner {
  const backwards = steps.toReversed()
  return {
    name,
    provision: (pass) => inOrder(steps, 'provision', pass),
    deprovision: (pass) => inOrder(backwards, 'deprovision', pass),
  }
}

async function inOrder(steps: readonly Provisioner[], verb: Verb, pass: Pass): Promise<Result> {
  const results: Result[] = []
  for (const step of steps) {
    const result = await enter(step, verb, pass)
    results.push(result)
    if (result.state !== 'done') break
  }
  return combine('', results)
}
