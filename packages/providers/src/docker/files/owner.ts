/** Who a service runs as, and so whose its files are: pure, as the engine itself finds out. */
import { Fault } from '@gantry/core'

export type Owner = { readonly uid: number; readonly gid: number }

/** Texts of an image's /etc/passwd and /etc/group; empty where it has none. */
export type UserTables = { readonly passwd: string; readonly group: string }

const root: Owner = { uid: 0, gid: 0 }

/** Of `user`, `user:group` or nothing; undefined where it takes the image's tables to tell. */
export function ownerByNumbers(user: string): Owner | undefined {
  if (['', '0', 'root'].includes(user)) return root
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(user) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** A number that no line has is taken as it is, with group 0; throws `engine_rejected` for a name that no line has. */
export function ownerFromTables(user: string, tables: UserTables): Owner {
  const [name = '', groupName] = user.split(':')
  const line = lineOf(tables.passwd, name)
  const uid = numberOf(line?.[2] ?? name)
  if (uid === undefined) throw unknown('user', name, 'passwd')
  if (groupName === undefined || groupName === '') return { uid, gid: numberOf(line?.[3] ?? '') ?? 0 }
  const gid = numberOf(lineOf(tables.group, groupName)?.[2] ?? groupName)
  if (gid === undefined) throw unknown('group', groupName, 'group')
  return { uid, gid }
}

/** What looks like a number is one, even where somebody has it for a name. */
function lineOf(table: string, wanted: string): readonly string[] | undefined {
  const at = numberOf(wanted) === undefined ? 0 : 2
  return table
    .split('\n')
    .map((line) => line.trim().split(':'))
    .find((fields) => fields[at] === wanted)
}

function numberOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function unknown(what: string, name: string, table: string): Fault {
  const message = `The image has no ${what} ${name} in its /etc/${table}; name one that it has, or write a number`
  return new Fault('engine_rejected', message)
}
