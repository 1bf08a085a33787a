/** Nodes of YAML as the plain data that kubectl would make of them. What can be read in two ways is refused. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import { type Meaning, meaningOf } from './scalars.ts'

export type Report = (node: unknown, message: string) => void

/** More than any set has: an alias of aliases of aliases has it soon. */
const mostValues = 500_000

const core = 'tag:yaml.org,2002:'
const typeOf = { string: 'str', number: 'number', boolean: 'bool' } as const

/** `undefined` where something was reported. */
export function toJson(document: Document.Parsed, report: Report): unknown {
  const anchors = new Map<string, Node>()
  const open = new Set<Node>()
  let count = 0
  let failed = false
  const value = read(document.contents)
  return failed ? undefined : value

  function refuse(node: unknown, message: string): undefined {
    failed = true
    report(node, message)
    return undefined
  }

  function read(node: Node | null | undefined): unknown {
    count += 1
    if (count > mostValues) {
      if (count === mostValues + 1) refuse(node, 'has aliases that stand for too much; write the values out')
      return undefined
    }
    if (!node) return null
    if (isAlias(node)) return readAlias(node.source, node)
    if (node.anchor) anchors.set(node.anchor, node)
    if (isScalar(node)) return readScalar(node)
    if (node.tag && !node.tag.startsWith(core)) {
      return refuse(node, `has the tag ${node.tag}, which means nothing to Kubernetes`)
    }
    open.add(node)
    const made = isMap(node)
      ? readMap(node.items as Pair<Node, Node | null>[])
      : isSeq(node)
        ? node.items.map((item) => read(item as Node))
        : null
    open.delete(node)
    return made
  }

  function readAlias(name: string, alias: Node): unknown {
    const target = anchors.get(name)
    if (!target) return refuse(alias, `refers to ${name}, which is nowhere before it`)
    if (open.has(target)) return refuse(alias, `refers to ${name}, which it is part of`)
    return read(target)
  }

  function readScalar(node: Scalar): unknown {
    const text = node.source ?? ''
    const tag = node.tag?.startsWith(core) ? node.tag.slice(core.length) : node.tag
    if (tag === undefined || tag === '!') {
      return node.type === 'PLAIN' && tag === undefined ? take(node, meaningOf(text)) : text
    }
    if (tag === 'str' || tag === 'timestamp') return text
    if (tag === 'binary') return Buffer.from(text, 'base64').toString('utf8')
    const value = take(node, meaningOf(text))
    const type = value === null ? 'null' : typeOf[typeof value as keyof typeof typeOf]
    const fits = tag === 'int' || tag === 'float' ? type === 'number' : tag === type
    if (fits || failed) return value
    return refuse(node, `has the tag ${node.tag}, which does not fit ${JSON.stringify(text.slice(0, 40))}`)
  }

  function take(node: Node, meaning: Meaning): unknown {
    return 'wrong' in meaning ? refuse(node, meaning.wrong) : meaning.value
  }

  function readMap(pairs: readonly Pair<Node, Node | null>[]): Record<string, unknown> {
    const made: Record<string, unknown> = {}
    const written = new Set<string>()
    for (const { key, value } of pairs) {
      if (isScalar(key) && key.type === 'PLAIN' && key.source === '<<') {
        merge(made, value)
        continue
      }
      const name = readKey(key)
      if (name === undefined) continue
      if (written.has(name)) refuse(key, `${name} is there twice`)
      written.add(name)
      made[name] = read(value)
    }
    return made
  }

  /** As Go's library has it: takes the place of what stands before it, gives way to what comes after, the first of several wins. */
  function merge(into: Record<string, unknown>, from: Node | null): void {
    const target = isAlias(from) ? anchors.get(from.source) : from
    const several = isSeq(target) ? [...(target.items as Node[])].reverse() : [from]
    for (const one of several) {
      const value = read(one)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        refuse(from, 'is merged (<<), but is no mapping')
        return
      }
      Object.assign(into, value)
    }
  }

  function readKey(key: Node): string | undefined {
    const value = read(key)
    if (failed && value === undefined) return undefined
    const name = typeof value === 'boolean' || typeof value === 'number' ? String(value) : value
    if (typeof name !== 'string') return refuse(key, 'has a key that is not text; write it in quotes')
    if (name === '__proto__') return refuse(key, 'has the key __proto__, which is not taken here')
    return name
  }
}
