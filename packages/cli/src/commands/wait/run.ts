import { Fault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { chosen } from '../../objects/chosen.ts'
import { askedFor } from '../../objects/nothing-found.ts'
import { goalOf, goalWords } from '../../objects/waiting/goal.ts'
import { usualPatienceMs, waitUntil } from '../../objects/waiting/wait-until.ts'
import type { waitCommand } from './command.ts'

export const run: Run<typeof waitCommand> = async ({ args, flags }, world) => {
  const goal = goalOf(flags.for ?? 'condition=Ready')
  const { selector, all } = flags
  const targets = chosen({ words: [args.KIND, ...args.NAME], selector, all, line: 'gantry wait' })
  const { tenant } = await world.connection()
  const where = { client: await world.client(), tenant, selector, signal: world.signal }
  const patience = {
    clock: world.clock,
    timeoutMs: world.globals.timeoutMs ?? usualPatienceMs,
    async say({ about, isMet, text }: { about: string; isMet: boolean; text: string }) {
      if (isMet) await world.out.write(`${about}: ${text}\n`)
      else await world.err.write(`${about}: waiting for ${goalWords(goal)}; ${text}\n`)
    },
  }
  const counts = await Promise.all(targets.map((target) => waitUntil(target, goal, where, patience)))
  if (counts.every((count) => count === 0)) {
    const none = `There are no ${askedFor({ faces: targets.map(({ face }) => face), tenant, selector })}`
    if (goal.type !== 'delete') throw new Fault('object_not_found', `${none}, so there is nothing to wait for`)
    await world.err.write(`${none}.\n`)
  }
  return 0
}
