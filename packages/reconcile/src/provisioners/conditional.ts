/** A feature that can be switched off: off means taken down, not merely skipped. */
import { combine } from '../results/combine.ts'
import { enter } from './enter.ts'
import type { Pass, Provisioner } from './provisioner.ts'

export function conditional(
  name: string,
  wanted: (pass: Pass) => boolean | Promise<boolean>,
  step: Provisioner,
): Provisioner {
  return {
    name,
    async provision(pass) {
      const verb = (await wanted(pass)) ? 'provision' : 'deprovision'
      return combine('', [await enter(step, verb, pass)])
    },
    /** Without asking: it may have been made while it was still wanted. */
    async deprovision(pass) {
      return combine('', [await enter(step, 'deprovision', pass)])
    },
  }
}
