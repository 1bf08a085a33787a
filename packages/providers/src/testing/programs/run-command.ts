/** A test command as a process of its own: `node run-command.js STATE COMMAND`. See `contract/program.ts`. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestCommand } from '../../contract/program.ts'

const [state = '', text = '{}'] = process.argv.slice(2)
/** Where processes see the whole machine, the files of their spec lie below a folder that they are told. */
const place = (path: string): string => join(process.env.GANTRY_ROOT ?? '', path)
await run(JSON.parse(text) as TestCommand)

async function run(command: TestCommand): Promise<void> {
  switch (command.do) {
    case 'env': {
      const value = process.env[command.name]
      return value === undefined ? exit(1) : exit(0, `${value}\n`)
    }
    case 'read':
      return existsSync(place(command.path)) ? exit(0, readFileSync(place(command.path), 'utf8')) : exit(1)
    case 'write': {
      if (!existsSync(dirname(place(command.path)))) return exit(1)
      writeFileSync(place(command.path), command.text)
      return exit(0)
    }
    case 'mode':
      return exit(0, `${(statSync(place(command.path)).mode & 0o777).toString(8)}\n`)
    case 'where':
      return exit(0, `${process.cwd()}\n`)
    case 'who':
      return exit(0, `${process.getuid?.()}:${process.getgid?.()}\n`)
    case 'say':
      process.stderr.write(command.stderr)
      return exit(command.exit, command.stdout)
    case 'echo':
      process.stdin.pipe(process.stdout)
      return
    case 'size':
      printSize()
      // A line may be read before the size is known that came before it.
      process.stdout.on('resize', printSize)
      process.stdin.on('data', printSize).on('end', () => exit(0))
      return
    case 'hang':
      process.stdout.write('hanging\n')
      setInterval(() => undefined, 2 ** 30)
      return
    case 'reach':
      return exit((await reaches(command.service, command.port)) ? 0 : 1)
    case 'healthy':
      return exit(existsSync(state) ? 0 : 1)
    default:
      return command satisfies never
  }
}

/** What was written is through before the end. */
function exit(code: number, output = ''): void {
  process.exitCode = code
  process.stdout.write(output)
  process.stdin.pause()
}

function printSize(): void {
  const { rows, columns } = process.stdout
  process.stdout.write(rows === undefined ? 'no terminal\n' : `${rows} ${columns}\n`)
}

/** By the number that every engine tells, also where there are no names. */
async function reaches(service: string, port: string): Promise<boolean> {
  const shout = (name: string): string => name.toUpperCase().replaceAll('-', '_')
  const number = process.env[`GANTRY_PORT_${shout(service)}_${shout(port)}`]
  const answer = await fetch(`http://127.0.0.1:${number}/`).catch(() => undefined)
  return answer?.status === 200
}
