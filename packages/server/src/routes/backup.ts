import { endpoints } from '@gantry/api'
import { implement, type Routes } from '../app/implement.ts'
import { backupStream } from '../backup/backup-stream.ts'
import { describeError } from '../telemetry/describe-error.ts'
import type { RouteDeps } from './deps.ts'

export function backupRoute(deps: RouteDeps): Routes['server']['backup'] {
  return implement(endpoints.server.backup, async ({ access, requestId, signal }) => {
    const { store, clock, log, stalledMs } = deps
    const bytes = await backupStream({ store, scope: access, clock, stalledMs }, { signal })
    // The answer has begun by then, so that all that is left is to break it off.
    bytes.once('error', (error) => log.warn('a backup broke off', { requestId, ...describeError(error) }))
    const at = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')
    return { bytes, headers: { 'content-disposition': `attachment; filename="gantry-${at}.backup.gz"` } }
  })
}
