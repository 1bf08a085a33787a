import type { Finding } from '../../../validation/issues.ts'
import { repeated, type WorkloadRule } from './rule.ts'

export const secretsSomewhere: WorkloadRule = ({ services }) =>
  services.flatMap(({ secrets }, serviceAt) =>
    secrets.flatMap(({ env, file }, at): Finding[] => {
      if ((env === undefined) !== (file === undefined)) return []
      const path = ['services', serviceAt, 'secrets', at]
      const found = env === undefined ? 'neither' : 'both'
      return [{ path, message: `must have one of env and file, and has ${found}` }]
    }),
  )

export const uniqueEnvironment: WorkloadRule = ({ services }) =>
  services.flatMap(({ env, secrets }, serviceAt) => {
    const names = [...Object.keys(env).map((name) => ({ env: name })), ...secrets]
    const plain = Object.keys(env).length
    return repeated(names, (item) => item.env).map((at) => ({
      path: ['services', serviceAt, 'secrets', at - plain, 'env'],
      message: `${names[at]?.env} is set already`,
    }))
  })
