/** The program that both sides run: answers at a port with what it was told to say, and ends when it is asked to. */

/** The shell is the first process of its container, which gets no signal that it does not ask for. */
const script = `
mkdir -p /www && echo "$SAYS" > /www/index.html
trap 'kill "$server"; exit 0' TERM
httpd -f -p "$WEB_PORT" -h /www &
server=$!
wait
`

export const argv: readonly string[] = ['sh', '-c', script]

export function environmentOf(port: number, says: string): Readonly<Record<string, string>> {
  return { WEB_PORT: String(port), SAYS: says }
}

export const stopGraceSeconds = 10
