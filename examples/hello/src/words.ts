/** What `npm start` says, apart from doing it. */

export type Where = {
  readonly api: string
  readonly edge: { readonly host: string; readonly port: number }
  readonly tokenFile: string
}

export const serving = ({ api, tokenFile }: Where): string =>
  `The API listens on ${api}; the token for it is in ${tokenFile}\n`

export const ready = (where: Where, workload: string, tenant: string): string => {
  const { api, tokenFile, edge } = where
  const ask = `curl -s -H "authorization: Bearer $(cat ${tokenFile})"`
  const one = `${api}/v1/tenants/${tenant}/workloads/${workload}`
  return `
It answers, through the edge, in browsers and with

  curl http://${workload}.${tenant}.localhost:${edge.port}/

(where names below localhost are not known: curl -H 'Host: ${workload}.${tenant}.localhost' http://${edge.host}:${edge.port}/)

Three things to try next, in another terminal:

  # what runs
  ${ask} \\
    ${one}/replicas

  # replace it
  ${ask} -H 'content-type: application/json' \\
    -d '{"services":[{"name":"web","env":{"GREETING":"good day"}}]}' \\
    ${one}/actions/deploy

  # and go back
  ${ask} -H 'content-type: application/json' \\
    -d '{}' ${one}/actions/rollback

Ctrl-C ends the server and everything that it runs; the next start goes on from here.
`
}

export const bare = (): string => 'Nothing was applied. Ctrl-C ends the server and everything that it runs.\n'

export const ending = (): string => '\nEnding everything …\n'
export const ended = (): string => 'Ended. What was asked for is kept, and runs again with the next start.\n'
