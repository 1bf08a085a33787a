/** Contents of config files on their way to an engine: specs and releases have references into the vault. */
import { type Call, referenceIn, type ServiceSpec, type SourceSpec } from '@gantry/core'
import type { Owner, Vault } from '../vault/vault.ts'
import { sourceReferences } from './sealed-source.ts'

/** With the contents in place of their references; what the vault no longer has is `secret_not_found`. */
export async function openServices(
  vault: Pick<Vault, 'openContent'>,
  owner: Owner,
  services: readonly ServiceSpec[],
  call: Call,
): Promise<readonly ServiceSpec[]> {
  if (contentReferences(services).length === 0) return services
  const opened: ServiceSpec[] = []
  for (const service of services) {
    const configFiles: ServiceSpec['configFiles'] = []
    for (const file of service.configFiles) {
      const reference = referenceIn(file.content)
      if (reference === undefined) {
        configFiles.push(file)
        continue
      }
      const content = await vault.openContent(owner, `${service.name}/${file.name}`, reference, call)
      configFiles.push({ ...file, content: content.reveal() })
    }
    opened.push({ ...service, configFiles })
  }
  return opened
}

/** What these services, or what is there instead of them, refer to in the vault. */
export function contentReferences(
  services: readonly Pick<ServiceSpec, 'configFiles'>[],
  source?: SourceSpec | undefined,
): string[] {
  const files = services.flatMap(({ configFiles }) => configFiles.flatMap(({ content }) => referenceIn(content) ?? []))
  return [...files, ...sourceReferences(source)]
}
