/** Where the program of the edge is: always in the build, also for whoever runs from the sources. */
import { fileURLToPath } from 'node:url'

export function edgeMain(): string {
  return fileURLToPath(new URL('../dist/edge-main.js', import.meta.url))
}
