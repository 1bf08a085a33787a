import type { Run } from '../../command/command.ts'
import { loadServer } from '../../server/load-server.ts'
import type { restoreCommand } from './command.ts'

export const run: Run<typeof restoreCommand> = async ({ args, flags }, world) => {
  const { restore, restoreOptions } = await loadServer()
  const options = restoreOptions([args.FILE, ...(flags.data === undefined ? [] : ['--data', flags.data])], world.env)
  await restore(options, world)
  await world.out.write(`Restored into ${options.data}\n`)
  await world.err.write('Put the master.key of the backup there too, and start the server with "gantry serve"\n')
  return 0
}
