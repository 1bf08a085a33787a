/** Real shells for tests. */
import { debianProgram, type Found } from './debian-program.ts'

export type ShellName = 'bash' | 'zsh' | 'fish'

export function shellProgram(name: ShellName): Promise<Found> {
  return debianProgram(name)
}
