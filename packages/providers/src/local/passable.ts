/** Whether a tenant's own user can get to where its service is to start: below root's home, for one, nobody can. */
import { stat } from 'node:fs/promises'
import type { DesiredService } from '../desired.ts'
import type { Ref } from '../ref.ts'
import { isErrno } from './errno.ts'
import type { User } from './users.ts'

export type Starting = {
  readonly ref: Pick<Ref, 'tenant'>
  readonly services: readonly Pick<DesiredService, 'name' | 'workingDir'>[]
}

/** A sentence about the first folder that lets the user not through; `undefined`: none does. */
export async function barredFolder({ ref, services }: Starting, user: User | undefined): Promise<string | undefined> {
  if (!user) return undefined
  for (const { name, workingDir } of services) {
    const folder = workingDir === undefined ? undefined : await firstBarred(workingDir, user)
    if (folder === undefined) continue
    const who = `user ${user.uid}, which processes of tenant ${ref.tenant} run as`
    return `${name} cannot start in ${workingDir}: ${who}, may not enter ${folder}. Move the program, or open the folder to others (chmod o+x ${folder})`
  }
  return undefined
}

/** By its mode alone; a folder that is not there is told by others. */
async function firstBarred(path: string, { uid, gid }: User): Promise<string | undefined> {
  const parts = path.split('/').filter((part) => part !== '')
  for (let count = 0; count <= parts.length; count += 1) {
    const folder = `/${parts.slice(0, count).join('/')}`
    try {
      const { mode, uid: owner, gid: group } = await stat(folder)
      const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
      if ((mode & bit) === 0) return folder
    } catch (error) {
      if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return undefined
      throw error
    }
  }
  return undefined
}
