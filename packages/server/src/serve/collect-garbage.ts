/** A full collection that also gives pages back. The inspector has one without flags; nothing listens and nothing is opened. */
import { Session } from 'node:inspector'

export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await new Promise<void>((resolve) => {
      // A runtime that cannot collect on demand is none the worse for it.
      session.post('HeapProfiler.collectGarbage', () => resolve())
    })
  } finally {
    session.disconnect()
  }
}
