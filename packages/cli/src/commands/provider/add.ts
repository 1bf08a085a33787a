import { Fault, type ProviderInput } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import type { providerAddCommand } from './commands.ts'
import { addDocker } from './docker/add-docker.ts'

export type AddInput = Input<typeof providerAddCommand>

export const run: Run<typeof providerAddCommand> = async (input, world) => {
  const name = input.args.NAME ?? input.args.TYPE
  refuseFlagsOfOthers(input)
  if (input.args.TYPE === 'docker') return await addDocker(name, specOf(input), input.flags, world)
  if (input.args.TYPE === 'kubernetes') {
    const { addKubernetes } = await import('./kubernetes/add-kubernetes.ts')
    return await addKubernetes(name, specOf(input), input.flags, world)
  }
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

type FlagName = keyof AddInput['flags']

/** Flags that only some types understand; the others are for all. */
const ofTypes: Readonly<Partial<Record<FlagName, readonly string[]>>> = {
  endpoint: ['docker'],
  'tls-dir': ['docker'],
  'tls-secret': ['docker'],
  subnets: ['docker'],
  'docker-config': ['docker'],
  'host-folder': ['docker', 'kubernetes'],
  kubeconfig: ['kubernetes'],
  'kube-context': ['kubernetes'],
  'kubeconfig-secret': ['kubernetes'],
  'server-kubeconfig': ['kubernetes'],
  'in-cluster': ['kubernetes'],
  namespace: ['kubernetes'],
  'namespace-prefix': ['kubernetes'],
  'pull-secret': ['kubernetes'],
  'chart-folder': ['kubernetes'],
  'drain-seconds': ['kubernetes'],
}

function refuseFlagsOfOthers({ args, flags }: AddInput): void {
  for (const [name, types] of Object.entries(ofTypes) as [FlagName, readonly string[]][]) {
    const value = flags[name]
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
    if (!isGiven || types.includes(args.TYPE)) continue
    const what = `--${name} is for providers of type ${types.join(' and ')}, and this one is of type ${args.TYPE}`
    throw new Fault('bad_request', what)
  }
}
