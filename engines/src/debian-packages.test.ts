import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noDebianPackages } from './debian-packages.ts'

describe("Debian's packages", () => {
  it('are missing where one of the programs is that get them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-debian-'))
    try {
      expect(noDebianPackages(folder)).toContain('no apt-get, no dpkg')
      writeFileSync(join(folder, 'apt-get'), '', { mode: 0o755 })
      writeFileSync(join(folder, 'dpkg'), '', { mode: 0o644 })
      expect(noDebianPackages(folder)).toContain('no dpkg here')
      rmSync(join(folder, 'dpkg'))
      writeFileSync(join(folder, 'dpkg'), '', { mode: 0o755 })
      expect(noDebianPackages(folder)).toBeUndefined()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
