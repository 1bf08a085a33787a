/** Pure: reads fields out of a document of somebody else's, and keeps in mind all that is wrong with them. */
import { Fault, type Issue } from '@gantry/core'

export type Fields = Readonly<Record<string, unknown>>

export class DocumentReader {
  readonly #issues: Issue[] = []

  wrong(path: string, message: string): void {
    this.#issues.push({ path, message })
  }

  /** An object; what is left out is an empty one. */
  fields(value: unknown, path: string): Fields {
    if (value === undefined || value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Fields
    this.wrong(path, 'must be an object')
    return {}
  }

  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined || value === null) return []
    if (Array.isArray(value)) return value
    this.wrong(path, 'must be a list')
    return []
  }

  /** An empty text is as good as none, as everywhere in these files. */
  text(from: Fields, name: string, path: string): string | undefined {
    const value = from[name]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    this.wrong(`${path}.${name}`, 'must be text')
    return undefined
  }

  flag(from: Fields, name: string, path: string): boolean {
    const value = from[name]
    if (value === undefined || value === null) return false
    if (typeof value === 'boolean') return value
    this.wrong(`${path}.${name}`, 'must be true or false')
    return false
  }

  texts(from: Fields, name: string, path: string): readonly string[] {
    return this.list(from[name], `${path}.${name}`).flatMap((value, at) => {
      if (typeof value === 'string') return [value]
      this.wrong(`${path}.${name}[${at}]`, 'must be text')
      return []
    })
  }

  /** What is written in base64. */
  decoded(from: Fields, name: string, path: string): string | undefined {
    const value = this.text(from, name, path)?.replaceAll(/\s/g, '')
    if (value === undefined) return undefined
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return Buffer.from(value, 'base64').toString('utf8')
    this.wrong(`${path}.${name}`, 'must be base64')
    return undefined
  }

  /** Throws all that was wrong at once. */
  done(what: string): void {
    const [first] = this.#issues
    if (!first) return
    const more = this.#issues.length > 1 ? ` (and ${this.#issues.length - 1} more)` : ''
    throw new Fault('bad_document', `${what} is no kubeconfig: ${first.path} ${first.message}${more}`, {
      issues: this.#issues,
    })
  }
}
