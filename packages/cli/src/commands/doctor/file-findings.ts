/** What there is to find out about files of ours on this machine. */
import { access, constants, stat, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isFault } from '@gantry/core'
import { contextsPath, readContexts } from '../../connect/contexts.ts'
import type { World } from '../../world/world.ts'
import { bytesText } from '../top/figures.ts'
import type { Finding } from './finding.ts'

type Environment = World['env']

/** With less, a database can soon not be written any more. */
const scarceBytes = 1_073_741_824

export async function contextsFinding(env: Environment): Promise<Finding> {
  const about = 'contexts'
  const path = contextsPath(env)
  try {
    const { current, contexts } = await readContexts(path)
    const names = Object.keys(contexts)
    if (names.length === 0) {
      return {
        about,
        verdict: 'absent',
        found: `${path} has none`,
        next: '"gantry serve" and "gantry login" make them',
      }
    }
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) {
      const found = `${path} holds tokens, and others may read it (mode ${(mode & 0o777).toString(8)})`
      return { about, verdict: 'bad', found, next: `chmod 600 ${path}` }
    }
    return { about, verdict: 'good', found: `${path}: ${names.join(', ')}; ${current ?? 'none'} is used` }
  } catch (error) {
    if (!isFault(error)) throw error
    return { about, verdict: 'bad', found: error.message }
  }
}

/** Of a server that runs here. That there is none is nothing wrong: it may run elsewhere. */
export async function dataFinding(env: Environment): Promise<Finding> {
  const about = 'data folder'
  const path = env.GANTRY_DATA || join(env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local/share'), 'gantry')
  const found = await stat(path).catch(() => undefined)
  if (!found) return { about, verdict: 'absent', found: `there is no ${path}; "gantry serve" makes it` }
  if ((found.mode & 0o077) !== 0) {
    const what = `${path} holds keys, and others may look into it (mode ${(found.mode & 0o777).toString(8)})`
    return { about, verdict: 'bad', found: what, next: `chmod 700 ${path}` }
  }
  const isOurs = await access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isOurs) return { about, verdict: 'warning', found: `${path} belongs to another user, who then runs the server` }
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  if (free < scarceBytes) {
    const next = 'make room there, or move it with --data'
    return { about, verdict: 'warning', found: `${path} has only ${bytesText(free)} left`, next }
  }
  return { about, verdict: 'good', found: `${path}, ${bytesText(free)} free` }
}
