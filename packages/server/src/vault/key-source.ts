/** Where the master key comes from. */
import type { Call, Clock } from '@gantry/core'
import { commandKeys } from './command-keys.ts'
import { fileKeys } from './file-keys.ts'
import { type KeyRing, parseKeyRing, unusable } from './key-ring.ts'

export interface KeySource {
  /** The keys, or `master_key_unusable`. `mayCreate`: nothing was ever sealed, so a first key may be made where it can be. */
  load(mayCreate: boolean, call: Call): Promise<KeyRing>
  /** Adds a new key as the newest, and keeps the others. Absent where only the user can: add one there, and start again. */
  addKey?(call: Call): Promise<KeyRing>
}

export type KeySourceOptions =
  /** Made on first start, readable by its owner only. */
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'environment'; readonly name: string; readonly environment: NodeJS.ProcessEnv }
  /** A program that prints the keys; it is started without a shell, and what it prints is logged nowhere. */
  | { readonly type: 'command'; readonly argv: readonly [string, ...string[]]; readonly clock: Clock }

export function keySource(options: KeySourceOptions): KeySource {
  switch (options.type) {
    case 'file':
      return fileKeys(options.path)
    case 'environment':
      return environmentKeys(options.name, options.environment)
    case 'command':
      return commandKeys(options.argv, options.clock)
  }
}

function environmentKeys(name: string, environment: NodeJS.ProcessEnv): KeySource {
  return {
    async load() {
      const text = environment[name]
      if (text === undefined) throw unusable(`the variable ${name} is not set`)
      return parseKeyRing(text, `the variable ${name}`)
    },
  }
}
