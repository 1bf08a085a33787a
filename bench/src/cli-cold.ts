/** How long a command takes from nothing: most of what people feel of a command line. */
import type { Bench, Row } from './bench.ts'
import { answering } from './cli-cold/answering.ts'
import { kubectl } from './cli-cold/kubectl.ts'
import { ours } from './cli-cold/ours.ts'
import { timed } from './cli-cold/timed.ts'
import { contest, type Peer } from './rounds.ts'

export const cliCold: Bench = {
  name: 'cli-cold',
  about:
    'From starting the program to its end, median of nine starts in a row: the bundle under Node against the real kubectl. ' +
    'Lists are answered by a small HTTP server of the bench, with as many objects and bytes for both; kubectl has its ' +
    'discovery cached. NODE_EXTRA_CA_CERTS is unset for both.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const server = await answering()
    const theirs = await kubectl(server.address, context)
    try {
      const mine = await ours(server.address)
      const rows: Row[] = []
      const cases = [
        { title: 'version --client', own: ['version', '--client'], other: ['version', '--client'] },
        { title: 'get workloads, get configmaps', own: ['get', 'workloads'], other: ['get', 'configmaps'] },
      ]
      for (const { title, own, other } of cases) {
        const peer: Peer =
          'missing' in theirs
            ? { name: 'kubectl', missing: theirs.missing }
            : {
                name: 'kubectl',
                run: () => timed({ ...theirs.program, args: [...theirs.program.args, ...other] }, context),
              }
        const run = () => timed({ ...mine, args: [...mine.args, ...own] }, context)
        rows.push(await contest(context, { case: title, better: 'lower', ours: run, peer, reach: 1 }))
      }
      return rows
    } finally {
      await server.close()
      if ('close' in theirs) await theirs.close()
    }
  },
}
