import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { hostname, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realDocker } from '../../testing/real-docker.ts'
import { seesProcesses } from './sees-processes.ts'

describe('the processes of an engine', () => {
  let DockerRootDir: string
  beforeAll(() => {
    DockerRootDir = mkdtempSync(join(tmpdir(), 'gantry-root-'))
    mkdirSync(join(DockerRootDir, 'containers'))
  })
  afterAll(() => rmSync(DockerRootDir, { recursive: true }))

  it('are not those of this machine where anything of it differs', () => {
    const here = { Name: hostname(), KernelVersion: release(), DockerRootDir }
    expect(seesProcesses(here)).toBe(process.getuid?.() === 0)
    for (const other of [
      { Name: 'elsewhere' },
      { KernelVersion: '1.2.3' },
      { DockerRootDir: join(DockerRootDir, 'no') },
    ]) {
      expect(seesProcesses({ ...here, ...other })).toBe(false)
    }
  })

  it('are seen of the engine of the rig', async ({ skip }) => {
    const found = await realDocker()
    if ('missing' in found) return skip(found.missing)
    expect(seesProcesses(await found.docker.system.info({ signal: AbortSignal.timeout(900_000) }))).toBe(true)
    await found.end()
  })
})
