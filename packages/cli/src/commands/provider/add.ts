import { Fault, type ProviderInput } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import type { providerAddCommand } from './commands.ts'
import { addDocker } from './docker/add-docker.ts'

export type AddInput = Input<typeof providerAddCommand>

export const run: Run<typeof providerAddCommand> = async (input, world) => {
  const name = input.args.NAME ?? input.args.TYPE
  if (input.args.TYPE === 'docker') return await addDocker(name, specOf(input), input.flags, world)
  refuseDockerFlags(input)
  const provider = { apiVersion: 'gantry/v1', kind: 'Provider', metadata: { name }, spec: specOf(input) } as const
  await (await world.client()).providers.put(provider, { ifAbsent: true, signal: world.signal })
  await world.out.write(`provider/${name} created\n`)
  await world.err.write(`"gantry wait provider/${name} --for=condition=Ready" tells when it can be used\n`)
  return 0
}

/** What a Provider of any type can be told. */
function specOf({ args, flags }: AddInput): ProviderInput {
  const tenants = flags.tenants?.split(',').map((name) => name.trim())
  return {
    type: args.TYPE,
    ...(tenants && { tenants }),
    ...(flags.default && { default: true }),
    ...(flags.region !== undefined && { location: { region: flags.region } }),
  }
}

const ofDocker = ['endpoint', 'tls-dir', 'tls-secret', 'subnets', 'host-folder', 'docker-config'] as const

function refuseDockerFlags({ args, flags }: AddInput): void {
  const given = ofDocker.filter((name) => flags[name] !== undefined && flags[name]?.length !== 0)
  if (given.length === 0) return
  const names = given.map((name) => `--${name}`).join(', ')
  throw new Fault('bad_request', `${names} is for providers of type docker, and this one is of type ${args.TYPE}`)
}
