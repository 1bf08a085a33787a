/** An object in the JSON that it is stored as. Parsed when somebody looks, and once. */
import type { GantryObject } from '@gantry/core'

const texts = new WeakMap<GantryObject, string>()

export class StoredJson {
  readonly text: string
  #object: GantryObject | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Everybody who reads it shares it, so nobody can change it. */
  get object(): GantryObject {
    this.#object ??= frozen(parseStored(this.text))
    return this.#object
  }
}

export function parseStored(text: string): GantryObject {
  const object = JSON.parse(text) as GantryObject
  texts.set(object, text)
  return object
}

/** The very text that an object was read from, for who passes it on as it is; `undefined`: it is none of the store's. */
export function storedText(object: GantryObject): string | undefined {
  return texts.get(object)
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const key in value) frozen(value[key])
  return Object.freeze(value)
}
