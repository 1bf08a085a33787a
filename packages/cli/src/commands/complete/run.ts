import type { Run } from '../../command/command.ts'
import { behindBreak, joinedWords, suggestionLines } from '../../completion/shell-words.ts'
import { situationOf } from '../../completion/situation.ts'
import { suggest } from '../../completion/suggest.ts'
import { commands } from '../table.ts'
import type { completeCommand } from './command.ts'

export const run: Run<typeof completeCommand> = async ({ flags, rest }, world) => {
  const isBash = flags.shell === 'bash'
  const situation = situationOf(commands, isBash ? joinedWords(rest) : rest)
  const { current } = situation
  try {
    const { suggestions, files } = await suggest(situation, world)
    const fitting = suggestions.filter(({ value }) => value.startsWith(current))
    const shown = isBash ? behindBreak(fitting, current) : fitting
    await world.out.write(suggestionLines(shown) + (files ? ':files\n' : ''))
  } catch (error) {
    // A person is in the middle of a line: a server that is not there offers nothing, and is heard of when it is asked. -v says it.
    if (world.globals.verbose) throw error
  }
  return 0
}
