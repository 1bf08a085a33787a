/** The pause program in instructions of 64-bit ARM, four bytes each. */
import { assemble, type Instruction, littleEndian } from './assemble.ts'
import type { Machine } from './elf.ts'
import { type Argument, pauseProgram, type SystemCall, type Words } from './program.ts'

const numbers: Record<SystemCall, number> = { rt_sigprocmask: 135, wait4: 260, rt_sigtimedwait: 137, exit_group: 94 }

/** Where Linux looks for the number of a call; arguments are in x0 and up, and the answer is in x0. */
const x8 = 8

const conditions = { above: 0xc, is: 0x0, 'is not': 0x1 } as const

const words: Words = {
  call: (name, ...args) => [
    ...args.map((argument, at) => load(at, argument)),
    load(x8, numbers[name]),
    word(0xd400_0001), // svc #0
  ],
  jumpIf: (answer, value, to) => [
    word(0xf100_001f + value * 2 ** 10), // cmp x0, #value
    // b.condition: counted in instructions
    wordTo((distance) => 0x5400_0000 + bits(distance(to) / 4, 19) * 2 ** 5 + conditions[answer]),
  ],
  data: (value) => [{ bytes: 8, encode: () => littleEndian(value, 8) }],
}

function load(register: number, argument: Argument): Instruction {
  // adr register, label
  if (typeof argument !== 'number') {
    return wordTo((distance) => {
      const far = bits(distance(argument.addressOf), 21)
      return 0x1000_0000 + (far % 4) * 2 ** 29 + Math.floor(far / 4) * 2 ** 5 + register
    })
  }
  // mov register, #number, and where it is below zero all bits of what is left of it are turned
  if (argument >= 0) return word(0xd280_0000 + bits(argument, 17) * 2 ** 5 + register)
  return word(0x9280_0000 + bits(-argument - 1, 17) * 2 ** 5 + register)
}

/** In so many bits, the first of them for the sign. */
function bits(value: number, count: number): number {
  const half = 2 ** (count - 1)
  if (!Number.isInteger(value) || value < -half || value >= half)
    throw new Error(`${value} has no room in ${count} bits`)
  return value < 0 ? value + 2 * half : value
}

const word = (value: number): Instruction => wordTo(() => value)

function wordTo(encode: (distance: (label: string) => number) => number): Instruction {
  return { bytes: 4, encode: (distance) => littleEndian(encode(distance), 4) }
}

export function armPause(): Machine {
  return { elf: 183, page: 0x1_0000, code: assemble(pauseProgram(words)) }
}
