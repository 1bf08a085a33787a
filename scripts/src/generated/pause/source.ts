/** The pause programs as they lie in the packages that need them: as text, so that they are bundled with everything else. */
import { armPause } from './arm64.ts'
import { elfProgram } from './elf.ts'
import { x86Pause } from './x86-64.ts'

/** By the name that container engines have for a machine. */
export const pausePrograms = { amd64: elfProgram(x86Pause()), arm64: elfProgram(armPause()) } as const

export function pauseProgramSource(): string {
  return [
    '/** Made by `npm run generate`; what is in it is written in scripts/src/generated/pause. */',
    'export const pausePrograms = {',
    ...Object.entries(pausePrograms).flatMap(([machine, bytes]) => [
      `  /** ${bytes.length} bytes. */`,
      `  ${machine}:`,
      ...quoted(bytes.toString('base64')),
    ]),
    '} as const',
    '',
  ].join('\n')
}

function quoted(text: string): string[] {
  const lines = text.match(/.{1,100}/g) ?? []
  return lines.map((line, at) => `    '${line}'${at === lines.length - 1 ? ',' : ' +'}`)
}
