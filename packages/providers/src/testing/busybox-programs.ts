/** Test programs and commands as shell scripts for busybox: for the harness of an engine whose services are containers. */
import type { TestCommand, TestProgram } from '../contract/program.ts'

/** In every container of busybox, and open to every user. */
export const busyboxFolder = '/tmp'

/** How a program tells its commands that it is well: they have only its file system in common. */
const well = `${busyboxFolder}/.well`

/** What is run for every connection; whoever does not read the request has the answer torn off. */
const answer = `while read -r line && [ "\${#line}" -gt 1 ]; do :; done
[ -e ${well} ] && status='200 OK' || status='503 Service Unavailable'
printf 'HTTP/1.1 %s\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n' "$status"`

export const busyboxPrograms = {
  /** Arguments that follow are those of the program. */
  program: (program: TestProgram): string[] => ['sh', '-c', programScript(program), 'test-program'],
  command: (command: TestCommand): string[] => ['sh', '-c', commandScript(command), 'test-command'],
}

function programScript(program: TestProgram): string {
  const { counts, exits, listens, healthyAfterMs, healthyUntilMs } = program
  return [
    `rm -f ${well}`,
    // Before the first word: whoever reads it may ask at once.
    program.ignoresTerm ? `trap '' TERM` : `trap 'exit 0' TERM`,
    ...(exits ? [`trap 'exit ${exits.code}' USR1`, `(${sleep(exits.afterMs)}; kill -USR1 $$) &`] : []),
    ...(program.printsArgs ? [`for each; do printf 'arg %s\\n' "$each"; done`] : []),
    ...(program.prints ?? []).map(({ stream, line }) => print(line) + (stream === 'stderr' ? ' >&2' : '')),
    healthyAfterMs ? `(${sleep(healthyAfterMs)}; : > ${well}) &` : `: > ${well}`,
    ...(healthyUntilMs === undefined ? [] : [`(${sleep(healthyUntilMs)}; rm -f ${well}) &`]),
    ...(listens === undefined ? [] : [`nc -ll -p "$PORT_${shout(listens)}" -e sh -c ${quote(answer)} &`]),
    ...(counts ? [`(${counting(counts)}) &`] : []),
    // A shell hears signals between commands and while it waits, but not while one runs in front of it.
    program.burnsCpu ? 'while :; do :; done' : 'while :; do sleep 1000000 & wait $!; done',
  ].join('\n')
}

function counting({ line, everyMs }: NonNullable<TestProgram['counts']>): string {
  return `count=0; while count=$((count + 1)); do printf '%s %s\\n' ${quote(line)} "$count"; ${sleep(everyMs)}; done`
}

function commandScript(command: TestCommand): string {
  switch (command.do) {
    case 'env':
      return `[ "\${${command.name}+set}" ] && printf '%s\\n' "$${command.name}"`
    case 'read':
      return `[ -e ${quote(command.path)} ] && cat ${quote(command.path)}`
    case 'write':
      return `printf %s ${quote(command.text)} > ${quote(command.path)}`
    case 'mode':
      return `stat -c %a ${quote(command.path)}`
    case 'where':
      return 'pwd'
    case 'who':
      return 'echo "$(id -u):$(id -g)"'
    case 'say':
      return `printf %s ${quote(command.stderr)} >&2; printf %s ${quote(command.stdout)}; exit ${command.exit}`
    case 'echo':
      return 'cat'
    case 'size':
      return size
    case 'hang':
      return 'echo hanging; exec sleep 1000000'
    case 'reach':
      return reach(command)
    case 'healthy':
      return `[ -e ${well} ]`
    default:
      return command satisfies never
  }
}

/** A terminal is given its size when the command runs already, and a read ends without a line when it changes. */
const size = `size() { stty size 2>/dev/null || { tty -s || echo 'no terminal'; }; }
trap 'size; changed=yes' WINCH
size
while changed=; read -r line || [ "$changed" ]; do size; done`

/** By its name, and on the network that siblings share. */
function reach({ service, port, number }: TestCommand & { do: 'reach' }): string {
  const told = `$GANTRY_PORT_${shout(service)}_${shout(port)}`
  const get = (address: string): string => `timeout 5 wget -q -O /dev/null "http://${address}/"`
  return `${get(`${service}:${number}`)} && ${get(`127.0.0.1:${told}`)}`
}

const print = (line: string): string => `printf '%s\\n' ${quote(line)}`
const sleep = (ms: number): string => `sleep ${ms / 1000}`
const shout = (name: string): string => name.toUpperCase().replaceAll('-', '_')
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
