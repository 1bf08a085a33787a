/** A file may name places of the machine relative to itself; the API knows absolute places only. */

/**
 * The same document with every relative `workingDir`, and `source` of a volume, resolved against the folder of its file.
 * Anything else stays.
 */
export function withPlaces(document: unknown, folder: string): unknown {
  if (!isRecord(document) || document.kind !== 'Workload' || !isRecord(document.spec)) return document
  const { services } = document.spec
  if (!Array.isArray(services)) return document
  const resolved = services.map((service: unknown) => (isRecord(service) ? placed(service, folder) : service))
  return { ...document, spec: { ...document.spec, services: resolved } }
}

function placed(service: Record<string, unknown>, folder: string): Record<string, unknown> {
  const { workingDir, volumes } = service
  return {
    ...service,
    ...(typeof workingDir === 'string' && { workingDir: resolveBelow(folder, workingDir) }),
    ...(Array.isArray(volumes) && {
      volumes: volumes.map((volume: unknown) =>
        isRecord(volume) && typeof volume.source === 'string'
          ? { ...volume, source: resolveBelow(folder, volume.source) }
          : volume,
      ),
    }),
  }
}

/** As a shell's `cd` would: `..` goes up, and not above the root. What is absolute already stays as it is written. */
export function resolveBelow(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
