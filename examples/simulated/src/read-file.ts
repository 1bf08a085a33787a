/** The file of the demonstration, or what is wrong with it, line by line. */
import { readFileSync } from 'node:fs'
import { faultMeaning, isFault, type Manifest, parseObjects } from '@gantry/core'

export function readManifest(file: string): Manifest {
  try {
    const [manifest] = parseObjects(readFileSync(file))
    if (manifest) return manifest
    process.stderr.write(`${file} has no object in it\n`)
    process.exit(faultMeaning.invalid.exit)
  } catch (error) {
    if (!isFault(error)) throw error
    process.stderr.write(`${file} was refused, and nothing was done:\n`)
    for (const { path, message, line } of error.issues)
      process.stderr.write(`  line ${line ?? '?'}: ${path} ${message}\n`)
    if (error.issues.length === 0) process.stderr.write(`  ${error.message}\n`)
    process.exit(faultMeaning[error.kind].exit)
  }
}
