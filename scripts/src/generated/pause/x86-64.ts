/** The pause program in instructions of x86-64. */
import { assemble, type Instruction, littleEndian, plain } from './assemble.ts'
import type { Machine } from './elf.ts'
import { type Argument, pauseProgram, type SystemCall, type Words } from './program.ts'

const numbers: Record<SystemCall, number> = { rt_sigprocmask: 14, wait4: 61, rt_sigtimedwait: 128, exit_group: 231 }

/** Where Linux looks for arguments: rdi, rsi, rdx, r10, each by its number. */
const places = [7, 6, 2, 10] as const

const jumps = { above: 0x7f, is: 0x74, 'is not': 0x75 } as const

const words: Words = {
  call: (name, ...args) => [
    ...args.map((argument, at) => load(places[at] ?? 0, argument)),
    plain(0xb8, ...littleEndian(numbers[name], 4)), // mov eax, number
    plain(0x0f, 0x05), // syscall
  ],
  jumpIf: (answer, value, to) => [
    plain(0x83, 0xf8, value), // cmp eax, value
    // Counted from the end of the jump, which has two bytes.
    { bytes: 2, encode: (distance) => [jumps[answer], short(distance(to) - 2)] },
  ],
  data: (value) => [plain(...littleEndian(value, 8))],
}

/** A number is extended to 64 bits with its sign. */
function load(register: number, argument: Argument): Instruction {
  const [low, isHigh] = [register & 7, register >> 3]
  // mov register, number
  if (typeof argument === 'number') return plain(0x48 | isHigh, 0xc7, 0xc0 | low, ...littleEndian(argument, 4))
  // lea register, [rip + distance]: counted from its end, after seven bytes
  const encode: Instruction['encode'] = (distance) => {
    return [0x48 | (isHigh << 2), 0x8d, 0x05 | (low << 3), ...littleEndian(distance(argument.addressOf) - 7, 4)]
  }
  return { bytes: 7, encode }
}

function short(distance: number): number {
  if (distance < -128 || distance > 127) throw new Error(`A short jump cannot go ${distance} bytes`)
  return distance & 0xff
}

export function x86Pause(): Machine {
  return { elf: 62, page: 0x1000, code: assemble(pauseProgram(words)) }
}
