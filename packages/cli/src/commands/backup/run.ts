import { resolve } from 'node:path'
import type { Run } from '../../command/command.ts'
import { loadServer } from '../../server/load-server.ts'
import { bytesText } from '../top/figures.ts'
import type { backupCommand } from './command.ts'
import { fetchFile } from './fetch-file.ts'

/** Often enough to be seen to move. */
const everyBytes = 262_144

export const run: Run<typeof backupCommand> = async ({ flags }, world) => {
  const { err, signal, clock } = world
  const time = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')
  const path = resolve(world.folder, flags.output ?? `gantry-${time}.backup.gz`)
  const client = await world.client()
  let told = 0
  const came = async (bytes: number): Promise<void> => {
    if (!err.isTerminal || bytes - told < everyBytes) return
    told = bytes
    await err.write(`\r\u001b[K${bytesText(bytes)} so far`)
  }
  let found: { createdAt: string; rows: number } | undefined
  const check = async (partial: string): Promise<void> => {
    if (told > 0) await err.write('\r\u001b[K')
    const { verifyBackup } = await loadServer()
    found = await verifyBackup(partial, { signal })
  }
  const { bytes, sha256 } = await fetchFile(client.backup({ signal }), { path, force: flags.force, came, check })
  await world.out.write(`${path}\n`)
  await err.write(`${found?.rows} rows as of ${found?.createdAt}, ${bytesText(bytes)}, sha256 ${sha256}\n`)
  await err.write('Keep the master.key of the data folder too, elsewhere: without it no secret can be opened\n')
  return 0
}
