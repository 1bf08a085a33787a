/** Test programs and commands as argv of the simulated engine, and back. */
import type { TestCommand, TestProgram } from '../contract/program.ts'
import type { DesiredService } from '../desired.ts'
import { imageOf } from './images.ts'
import type { SimulatedWorld } from './world.ts'

const programWord = 'simulated-program'
const commandWord = 'simulated-command'

export const programArgv = (program: TestProgram): string[] => [programWord, JSON.stringify(program)]
export const commandArgv = (command: TestCommand): string[] => [commandWord, JSON.stringify(command)]

/** A command wins over what the image would run; anything that is not ours is the empty program. */
export function programOf(world: SimulatedWorld, service: DesiredService): TestProgram {
  const { command } = service
  const [word, text] = command
  const image = imageOf(service)
  if (word === programWord && text !== undefined) return JSON.parse(text) as TestProgram
  return (command.length === 0 && image !== undefined && world.images.get(image)) || {}
}

/** `undefined`: no such program on this machine. */
export function commandOf([word, text]: readonly string[]): TestCommand | undefined {
  return word === commandWord && text !== undefined ? (JSON.parse(text) as TestCommand) : undefined
}
