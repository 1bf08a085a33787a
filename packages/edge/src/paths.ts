/** Where an edge keeps its things in a data folder. */
import { join } from 'node:path'

export const controlPath = (dataDir: string): string => join(dataDir, 'run', 'edge.sock')
export const tablePath = (dataDir: string): string => join(dataDir, 'edge', 'table.json')
