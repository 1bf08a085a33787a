/** Everything that takes a place in a service's file system: volumes, config files, secrets in files. */
import type { Finding } from '../../../validation/issues.ts'
import { readConfig } from '../read-config.ts'
import { repeated, type WorkloadRule } from './rule.ts'

export const uniquePaths: WorkloadRule = ({ services }) =>
  services.flatMap(({ volumes, configFiles, secrets }, serviceAt) => {
    const taken = [
      ...volumes.map(({ path }, at) => ({ place: path, path: ['volumes', at, 'path'] })),
      ...configFiles.map(({ path }, at) => ({ place: path, path: ['configFiles', at, 'path'] })),
      ...secrets.map(({ file }, at) => ({ place: file, path: ['secrets', at, 'file'] })),
    ]
    return repeated(taken, ({ place }) => place?.replace(/\/$/, '')).map((at) => ({
      path: ['services', serviceAt, ...(taken[at]?.path ?? [])],
      message: `${taken[at]?.place} is taken by something else in this service`,
    }))
  })

export const uniqueFileNames: WorkloadRule = ({ services }) =>
  services.flatMap((service, serviceAt) =>
    (['volumes', 'configFiles'] as const).flatMap((list) =>
      repeated<{ name: string }>(service[list], ({ name }) => name).map((at) => ({
        path: ['services', serviceAt, list, at, 'name'],
        message: `is taken by another one of this service: "${service[list][at]?.name}"`,
      })),
    ),
  )

export const volumeSources: WorkloadRule = ({ services }) =>
  services.flatMap(({ volumes }, serviceAt) =>
    volumes.flatMap(({ type, source }, at): Finding[] => {
      const path = ['services', serviceAt, 'volumes', at, 'source']
      if (type === 'host' && source === undefined) return [{ path, message: 'is required for a volume of type host' }]
      if (type !== 'host' && source !== undefined)
        return [{ path, message: `is for type host, and this one is ${type}` }]
      return []
    }),
  )

/** Services that name the same volume share it, so they must mean the same one. */
export const sharedVolumesAgree: WorkloadRule = ({ services }) => {
  const first = new Map<string, string>()
  return services.flatMap(({ volumes }, serviceAt) =>
    volumes.flatMap(({ name, type, size, source, retain }, at): Finding[] => {
      const same = JSON.stringify([type, size, source, retain])
      const known = first.get(name) ?? same
      first.set(name, known)
      const message = `"${name}" is shared with another service that gives it another type, size, source or retain`
      return known === same ? [] : [{ path: ['services', serviceAt, 'volumes', at], message }]
    }),
  )
}

export const readableConfig: WorkloadRule = ({ services }) =>
  services.flatMap(({ configFiles }, serviceAt) =>
    configFiles.flatMap(({ format, content }, at): Finding[] => {
      const wrong = readConfig(format, content)
      return wrong === undefined
        ? []
        : [{ path: ['services', serviceAt, 'configFiles', at, 'content'], message: wrong }]
    }),
  )
