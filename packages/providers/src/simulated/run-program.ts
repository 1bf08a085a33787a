/** What a program does from its start on. One that only waits costs no timer. */

import { LogBuffer } from './log-buffer.ts'
import type { SimProcess } from './objects.ts'
import type { SimulatedWorld } from './world.ts'

export function beginProgram(world: SimulatedWorld, process: SimProcess, exit: (code: number) => void): void {
  const { program, spec } = process
  const { clock } = world
  const say = (stream: 'stdout' | 'stderr', line: string): void => {
    process.log ??= new LogBuffer()
    process.log.write(stream, line, clock.now())
  }
  if (program.printsArgs) for (const argument of spec.args) say('stdout', `arg ${argument}`)
  for (const { stream, line } of program.prints ?? []) say(stream, line)
  if (program.counts) {
    const { line, everyMs } = program.counts
    let count = 0
    let cancel = (): void => undefined
    const tick = (): void => {
      count += 1
      say('stdout', `${line} ${count}`)
      cancel = clock.after(everyMs, tick)
    }
    tick()
    process.cancels.push(() => cancel())
  }
  if (program.exits) {
    const { code, afterMs } = program.exits
    process.cancels.push(clock.after(afterMs, () => exit(code)))
  }
}
