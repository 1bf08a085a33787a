/** All of them in every pass, at most so many at once. One that fails or waits does not keep the others from their work. */
import { combine } from '../results/combine.ts'
import type { Result } from '../results/result.ts'
import { enter } from './enter.ts'
import type { Pass, Provisioner, Verb } from './provisioner.ts'

export function concurrent(name: string, steps: readonly Provisioner[], { limit = 8 } = {}): Provisioner {
  return {
    name,
    provision: (pass) => all(steps, limit, 'provision', pass),
    deprovision: (pass) => all(steps, limit, 'deprovision', pass),
  }
}

async function all(steps: readonly Provisioner[], limit: number, verb: Verb, pass: Pass): Promise<Result> {
  const results: (Result | undefined)[] = steps.map(() => undefined)
  const waiting = steps.entries()
  const work = async (): Promise<void> => {
    for (const [index, step] of waiting) results[index] = await enter(step, verb, pass)
  }
  // Settled, so that an abort is passed on only after every child has left.
  const workers = await Promise.allSettled(Array.from({ length: Math.max(1, Math.min(limit, steps.length)) }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return combine(
    '',
    results.filter((result) => result !== undefined),
  )
}
