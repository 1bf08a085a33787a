import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tablePath } from './paths.ts'
import { emptyTable } from './table.ts'
import { tableFile } from './table-file.ts'

describe('the table on disk', () => {
  it('is free of what an edge was writing when it was killed, and not of what another still writes', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gantry-edge-'))
    try {
      const path = tablePath(dataDir)
      const dead = spawnSync(process.execPath, ['-e', '']).pid
      const drafts = [dead, process.pid].map((pid) => `.table.${pid}.next`)
      await mkdir(dirname(path), { recursive: true })
      for (const name of drafts) await writeFile(join(dirname(path), name), '{"vers')
      expect(await tableFile(path).load()).toEqual({ table: emptyTable })
      expect(await readdir(dirname(path))).toEqual([drafts[1]])
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it('is empty where nothing was ever kept', async () => {
    expect(await tableFile('/nowhere/at/all/table.json').load()).toEqual({ table: emptyTable })
  })
})
