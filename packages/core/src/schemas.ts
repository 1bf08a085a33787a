/** The schemas of all kinds, apart from the rest: a bundle that imports them here loads them only when they are asked for. */
export { type JsonSchema, objectSchema } from './kinds/json-schema.ts'
