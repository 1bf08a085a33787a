/** Where and with what the figures were taken: without it a figure means nothing. */
import { cpus, release, totalmem, type } from 'node:os'

export function machine(now: Date): string {
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${now.toISOString().slice(0, 10)}, Node ${process.versions.node}, ${type()} ${release()}, ${processor}, ${memory}.`
}
