/**
 * Config files and sources on their way into the store: their contents go into the vault, and the spec holds references. So no object,
 * no change, no plan, no audit and no note of what was last applied ever has a content in it.
 */
import {
  type Call,
  contentReference,
  Fault,
  type Issue,
  type ObjectKey,
  type OwnerRef,
  referenceIn,
  Secret,
} from '@gantry/core'
import type { Command } from '@gantry/store'
import { contentKey } from './rows.ts'
import { type PlacedContent, sourceContents, type WithContents, withSourceContents } from './source-contents.ts'
import type { Vault } from './vault.ts'

export type ContentOwner = { readonly tenant: string; readonly name: string; readonly uid: string }

export type SealedContentsOf<Spec> = {
  readonly spec: Spec
  /** To be written in one batch with the workload, and behind it. */
  readonly commands: readonly Command[]
  /** What must still be there by then: somebody may be forgetting what nobody referred to. */
  readonly requires: readonly ObjectKey[]
}

type File = { readonly name: string; readonly content: string }
type WithFiles = {
  readonly services?: readonly { readonly name: string; readonly configFiles?: readonly File[] }[]
  readonly source?: WithContents | undefined
}

/** Specs of this workload whose references may be sent again, and no others. */
export type KnownContents = {
  /** As it is stored now. */
  readonly live: unknown
  /** A release that is brought back. */
  readonly release?: unknown
}

export async function sealWorkload<Spec>(
  vault: Pick<Vault, 'sealContents'>,
  owner: ContentOwner,
  spec: Spec,
  { live, release }: KnownContents,
  call: Call,
): Promise<SealedContentsOf<Spec>> {
  const files = filesOf(spec as WithFiles)
  if (files.length === 0) return { spec, commands: [], requires: [] }
  const [ofLive, ofRelease] = [live, release].map((known) => filesOf((known ?? {}) as WithFiles))
  refuseForeign(files, [...(ofLive ?? []), ...(ofRelease ?? [])])
  const { tenant, name, uid } = owner
  // What only the release has may be forgotten with it at this very moment.
  const broughtBack = (ofRelease ?? []).flatMap(({ content }) => {
    const reference = referenceIn(content)
    return reference === undefined ? [] : [contentKey(tenant, uid, reference)]
  })
  const plain = files.filter(({ content }) => referenceIn(content) === undefined)
  if (plain.length === 0) return { spec, commands: [], requires: broughtBack }
  const ref: OwnerRef = { kind: 'Workload', name, uid }
  const contents = new Map(plain.map((file) => [file.name, new Secret(file.content)]))
  const { references, commands, requires } = await vault.sealContents({ tenant, owner: uid, ref }, contents, call)
  const sealed = withReferences(spec as WithFiles, references) as Spec
  return { spec: sealed, commands, requires: [...requires, ...broughtBack] }
}

/** The same replacement in another form of the same spec, such as the one that the user wrote. */
export function withSameContents(written: unknown, sealed: unknown): unknown {
  const references = filesOf(sealed as WithFiles).flatMap(({ name, content }): [string, string][] => {
    const reference = referenceIn(content)
    return reference === undefined ? [] : [[name, reference]]
  })
  return withReferences(written as WithFiles, new Map(references))
}

/** By the name that the vault knows them under: no two files of one service share theirs. */
function filesOf({ services = [], source }: WithFiles): PlacedContent[] {
  const files = services.flatMap(({ name, configFiles = [] }, serviceAt) =>
    configFiles.map((file, at) => ({
      name: `${name}/${file.name}`,
      content: file.content,
      path: `spec.services[${serviceAt}].configFiles[${at}].content`,
    })),
  )
  return [...files, ...sourceContents(source)]
}

function withReferences(written: WithFiles, references: ReadonlyMap<string, string>): WithFiles {
  const { source } = written
  const spec = source ? { ...written, source: withSourceContents(source, referred) } : written
  if (!spec.services) return spec
  const services = spec.services.map((service) => {
    if (!service.configFiles) return service
    const configFiles = service.configFiles.map((file) => {
      const reference = references.get(`${service.name}/${file.name}`)
      return reference === undefined ? file : { ...file, content: contentReference(reference) }
    })
    return { ...service, configFiles }
  })
  return { ...spec, services }

  function referred(name: string): string | undefined {
    const reference = references.get(name)
    return reference === undefined ? undefined : contentReference(reference)
  }
}

function refuseForeign(files: readonly PlacedContent[], live: readonly PlacedContent[]): void {
  const known = new Set(live.map(({ name, content }) => `${name} ${content}`))
  const message = 'is a reference to a content that is not the one of this field; send the content itself'
  const issues = files.flatMap(({ name, content, path }): Issue[] =>
    referenceIn(content) === undefined || known.has(`${name} ${content}`) ? [] : [{ path, message }],
  )
  if (issues.length > 0)
    throw new Fault('schema', `The workload is not valid: ${issues[0]?.path} ${message}`, { issues })
}
