import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFault } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enterableByAll, rigFolder, socketOf } from './folder.ts'
import { servant } from './servant.ts'

describe('the folder of the rig', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gantry-folder-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is made where the user says, open to nobody but those who must pass', () => {
    const folder = rigFolder({ GANTRY_ENGINES_DIR: join(root, 'deep', 'rig') })
    expect(folder).toBe(join(root, 'deep', 'rig'))
    expect(statSync(folder).mode & 0o777).toBe(servant() ? 0o711 : 0o700)
  })

  it('is refused if it leads somewhere else', () => {
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'rig'))
    expect(() => rigFolder({ GANTRY_ENGINES_DIR: join(root, 'rig') })).toThrow('is not a folder of yours')
  })

  it('is known to be closed to others if any folder above it is', () => {
    mkdirSync(join(root, 'a', 'b'), { recursive: true })
    expect(enterableByAll(join(root, 'a', 'b'))).toBe(false)
    chmodSync(root, 0o711)
    expect(enterableByAll(join(root, 'a', 'b'))).toBe(enterableByAll(tmpdir()))
  })

  it('names a socket shorter than the system allows, or says what to do', () => {
    const [one, other] = [socketOf('/r/postgres-1/shared'), socketOf('/r/postgres-1/private-1')]
    expect(one).toMatch(/^\/r\/sockets\/\w{10}$/)
    expect(one).not.toBe(other)
    const refused = catching(() => socketOf(`/${'r'.repeat(100)}/postgres-1/shared`))
    expect(isFault(refused, 'unavailable') && refused.message).toContain('set GANTRY_ENGINES_DIR to a shorter path')
  })
})

function catching(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
