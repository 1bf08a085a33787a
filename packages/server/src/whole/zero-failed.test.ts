import { zeroFailedRequests } from '../testing/zero-failed/suite.ts'
import { startSystem } from './testing/system.ts'
import { webWorkload } from './testing/web-program.ts'

zeroFailedRequests('local', { make: () => startSystem(), web: (options) => webWorkload(options) })
