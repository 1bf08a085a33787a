import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { barredFolder, type Starting } from './passable.ts'

let above: string
const user = { uid: 210_001, gid: 210_001 }
const startingIn = (workingDir: string | undefined): Starting => ({
  ref: { tenant: 'shop' },
  services: [{ name: 'web', ...(workingDir !== undefined && { workingDir }) }],
})

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'gantry-passable-'))
  await chmod(above, 0o755)
  await mkdir(join(above, 'home', 'app'), { recursive: true })
})
afterEach(() => rm(above, { recursive: true, force: true }))

describe('the folder that a service starts in', () => {
  it('is fine where others may pass, where there is none, and where nobody else runs it', async () => {
    expect(await barredFolder(startingIn(join(above, 'home', 'app')), user)).toBeUndefined()
    expect(await barredFolder(startingIn(undefined), user)).toBeUndefined()
    await chmod(join(above, 'home'), 0o700)
    expect(await barredFolder(startingIn(join(above, 'home', 'app')), undefined)).toBeUndefined()
    expect(await barredFolder(startingIn(join(above, 'nowhere')), user)).toBeUndefined()
  })

  it('is named where the user of the tenant may not enter it, with the folder that is closed and a way out', async () => {
    const home = join(above, 'home')
    await chmod(home, 0o700)
    expect(await barredFolder(startingIn(join(home, 'app')), user)).toBe(
      `web cannot start in ${join(home, 'app')}: user 210001, which processes of tenant shop run as, may not enter ${home}. ` +
        `Move the program, or open the folder to others (chmod o+x ${home})`,
    )
  })
})
