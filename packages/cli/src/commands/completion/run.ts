import { Fault, nearest } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { scripts, shells } from '../../completion/scripts.ts'
import type { completionCommand } from './command.ts'

export const run: Run<typeof completionCommand> = async ({ args }, world) => {
  const shell = shells.find((one) => one === args.SHELL)
  if (shell === undefined) {
    const guess = nearest(args.SHELL, [...shells])
    const hint = guess === undefined ? `there are ${shells.join(', ')}` : `did you mean ${guess}?`
    throw new Fault('bad_request', `There is no completion for ${JSON.stringify(args.SHELL)}; ${hint}`)
  }
  await world.out.write(scripts[shell])
  return 0
}
