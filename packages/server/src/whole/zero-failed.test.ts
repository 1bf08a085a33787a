import { startSystem } from './testing/system.ts'
import { webWorkload } from './testing/web-program.ts'
import { zeroFailedRequests } from './testing/zero-failed-suite.ts'

zeroFailedRequests('local', { make: () => startSystem(), web: (options) => webWorkload(options) })
