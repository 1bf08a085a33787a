import { readFile } from 'node:fs/promises'

type Contexts = {
  readonly current?: string
  readonly contexts?: Readonly<Record<string, { readonly server?: string } | undefined>>
}

/** The server that the command line uses if it is told nothing; starting one has just written the file. */
export async function currentServer(contextsFile: string): Promise<string | undefined> {
  const { current = '', contexts = {} } = JSON.parse(await readFile(contextsFile, 'utf8')) as Contexts
  return contexts[current]?.server
}
