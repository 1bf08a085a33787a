/** Test programs and commands as processes of this machine: for the harness of an engine whose services are those. */
import { fileURLToPath } from 'node:url'
import type { TestCommand, TestProgram } from '../contract/program.ts'
import { reachable } from './reachable.ts'

/** `state` is a file of the harness by which a program tells its commands that it is well; one per service that is asked. */
export function nodePrograms(state: string): {
  program(program: TestProgram): string[]
  command(command: TestCommand): string[]
} {
  return {
    program: (program) => [reachable(process.execPath), script('run-program'), state, JSON.stringify(program)],
    command: (command) => [reachable(process.execPath), script('run-command'), state, JSON.stringify(command)],
  }
}

/** Node runs what was built; whoever imports this from the sources is led there. */
function script(name: string): string {
  const here = fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url))
  const at = here.lastIndexOf('/src/testing/')
  return reachable(at < 0 ? here : `${here.slice(0, at)}/dist/testing/${here.slice(at + '/src/testing/'.length)}`)
}
