/**
 * Contents of config files on their way into a release and out of it: a release has references into the vault, the
 * spec of a workload and an engine have the contents. Equal contents have equal references, so hashes can be compared.
 */
import { type Call, Fault, referenceIn, Secret, type ServiceSpec } from '@gantry/core'
import type { Command } from '@gantry/store'
import type { Owner, Vault } from '../vault/vault.ts'

const scheme = 'vault:'

export type SealedServices = {
  readonly services: readonly ServiceSpec[]
  /** To be written together with what refers to them. */
  readonly commands: readonly Command[]
}

export async function sealServices(
  vault: Pick<Vault, 'sealContents'>,
  owner: Owner,
  services: readonly ServiceSpec[],
  call: Call,
): Promise<SealedServices> {
  const contents = new Map(
    services.flatMap((service) =>
      // What was written over the API is sealed already.
      service.configFiles.flatMap((file) =>
        referenceIn(file.content) === undefined
          ? [[contentName(service, file), new Secret(file.content)] as const]
          : [],
      ),
    ),
  )
  if (contents.size === 0) return { services, commands: [] }
  const { references, commands } = await vault.sealContents(owner, contents, call)
  const sealed = services.map((service) => ({
    ...service,
    configFiles: service.configFiles.map((file) => {
      if (referenceIn(file.content) !== undefined) return file
      const reference = references.get(contentName(service, file))
      if (reference === undefined) throw new Fault('unexpected', `The vault sealed "${file.name}" without a reference`)
      return { ...file, content: `${scheme}${reference}` }
    }),
  }))
  return { services: sealed, commands }
}

/** With the contents in place of their references; what the vault no longer has is `secret_not_found`. */
export async function openServices(
  vault: Pick<Vault, 'openContent'>,
  owner: Owner,
  services: readonly ServiceSpec[],
  call: Call,
): Promise<readonly ServiceSpec[]> {
  if (services.every(({ configFiles }) => configFiles.length === 0)) return services
  const opened: ServiceSpec[] = []
  for (const service of services) {
    const configFiles: ServiceSpec['configFiles'] = []
    for (const file of service.configFiles) {
      const content = await vault.openContent(owner, contentName(service, file), referenceOf(file.content), call)
      configFiles.push({ ...file, content: content.reveal() })
    }
    opened.push({ ...service, configFiles })
  }
  return opened
}

/** What these services refer to in the vault. */
export function contentReferences(services: readonly Pick<ServiceSpec, 'configFiles'>[]): string[] {
  return services.flatMap(({ configFiles }) => configFiles.map(({ content }) => referenceOf(content)))
}

const contentName = (service: Pick<ServiceSpec, 'name'>, file: { readonly name: string }): string =>
  `${service.name}/${file.name}`

function referenceOf(content: string): string {
  if (content.startsWith(scheme)) return content.slice(scheme.length)
  throw new Fault('unexpected', 'A release holds the content of a file where its reference belongs')
}
