/** The one table of what each room may import: the house of design §2, and the rooms around it. */
export type Room = {
  /** Other rooms, by the name of their folder. Nothing else of ours. */
  readonly imports: readonly string[]
  /** Runs in a browser too: no `node:` modules and no globals of Node, tests excepted. */
  readonly browser?: boolean
}

const allButClients = ['core', 'reconcile', 'store', 'cells', 'providers', 'nodes', 'edge', 'api'] as const

export const rooms = {
  'packages/core': { imports: [], browser: true },
  'packages/reconcile': { imports: ['core'] },
  'packages/store': { imports: ['core', 'reconcile'] },
  'packages/cells': { imports: ['core'] },
  'packages/providers': { imports: ['core', 'cells'] },
  'packages/nodes': { imports: ['core'] },
  'packages/edge': { imports: ['core'] },
  'packages/api': { imports: ['core'], browser: true },
  'packages/server': { imports: allButClients },
  'packages/cli': { imports: ['core', 'api', 'server'] },
  'packages/dashboard': { imports: ['core', 'api'], browser: true },
  examples: { imports: [...allButClients, 'server'] },
  engines: { imports: ['core'] },
  bench: { imports: [...allButClients, 'server', 'cli', 'engines'] },
  scripts: { imports: ['core', 'api', 'cli', 'engines'] },
} as const satisfies Record<string, Room>

/** The folder of the room that a file belongs to, if it is in one. */
export function roomOf(path: string): string | undefined {
  return /^(packages\/[^/]+|engines|bench|scripts|examples)\//.exec(path)?.[1]
}

export function roomAt(folder: string): Room | undefined {
  return Object.hasOwn(rooms, folder) ? (rooms as Record<string, Room>)[folder] : undefined
}
