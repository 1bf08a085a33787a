/** `@gantry/providers/local`: processes of this machine as an engine. */
export { type LocalEngine, localEngine } from './index.ts'
export type { LocalOptions } from './options.ts'
