/** What `npm start` says, apart from doing it. */

export type Where = {
  readonly api: string
  readonly edge: { readonly host: string; readonly port: number }
  readonly tokenFile: string
  /** Whether the command line finds this server by itself. */
  readonly isUsual: boolean
}

export const serving = ({ api, tokenFile }: Where): string =>
  `The API listens on ${api}; the token for it is in ${tokenFile}\n`

export const ready = (where: Where, workload: string, tenant: string): string => {
  const { api, edge, isUsual } = where
  const gantry = `npx gantry${isUsual ? '' : ` --server ${api}`}`
  return `
It answers, through the edge, in browsers and with

  curl http://${workload}.${tenant}.localhost:${edge.port}/

(where names below localhost are not known: curl -H 'Host: ${workload}.${tenant}.localhost' http://${edge.host}:${edge.port}/)

Three things to try next, in another terminal:

  # what runs
  ${gantry} ps

  # replace it, and watch how
  ${gantry} deploy ${workload} --env GREETING=welcome --wait

  # and go back
  ${gantry} rollback ${workload} --wait

Ctrl-C ends the server and everything that it runs; the next start goes on from here.
`
}

export const bare = (): string => 'Nothing was applied. Ctrl-C ends the server and everything that it runs.\n'

export const ending = (): string => '\nEnding everything …\n'
export const ended = (): string => 'Ended. What was asked for is kept, and runs again with the next start.\n'
