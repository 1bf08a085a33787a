/** Providers that lie: methods that answer success and do nothing, or something else. */
import { overlay } from '../../overlay.ts'
import type { Provider } from '../../provider.ts'
import type { Ref } from '../../ref.ts'
import type { Liar } from './liar.ts'

const still = { signal: new AbortController().signal }

async function asItIs(provider: Provider, ref: Ref) {
  const status = await provider.status(ref, still)
  const [release] = (await provider.releases(ref, still)).slice(-1)
  if (!status || !release) throw new Error('the liar was asked about nothing')
  return { status, release }
}

export const providerLiars: readonly Liar[] = [
  {
    lie: 'rollback does nothing',
    caughtBy: 'restores environment, config files and secret versions of a release',
    wrapProvider: (provider) => overlay(provider, { rollback: (ref) => asItIs(provider, ref) }),
  },
  {
    lie: 'rollback takes a release of another instance',
    caughtBy: 'refuses a release of another instance, and one that never was',
    wrapProvider: (provider) =>
      overlay(provider, {
        rollback: (ref, id, call) => provider.rollback(ref, id, call).catch(() => asItIs(provider, ref)),
      }),
  },
  {
    lie: 'scale does nothing',
    caughtBy: 'scales replicas up and down in place, and makes no release of it',
    wrapProvider: (provider) => overlay(provider, { scale: async (ref) => (await asItIs(provider, ref)).status }),
  },
  {
    lie: 'a scale of cpu alone scales to none',
    caughtBy: 'scales cpu alone, by a release that rolls, and leaves the rest as it was',
    wrapProvider: (provider) =>
      overlay(provider, { scale: (ref, request, call) => provider.scale(ref, { replicas: 0, ...request }, call) }),
  },
  {
    lie: 'restart replaces nothing',
    caughtBy: 'replaces every process of a deployment at a restart, and waits until the new ones are ready',
    wrapProvider: (provider) => overlay(provider, { restart: async () => undefined }),
  },
  {
    lie: 'stop forgets how many replicas there were',
    caughtBy: 'stops a deployment and starts as many replicas as there were',
    wrapProvider: (provider) =>
      overlay(provider, {
        async start(ref, call) {
          await provider.scale(ref, { replicas: 1 }, call)
          await provider.start(ref, call)
        },
      }),
  },
  {
    lie: 'a deploy without a new image does nothing',
    caughtBy: 'takes effect also when nothing in the spec has changed, since a tag may have moved',
    wrapProvider: (provider) => overlay(provider, { deploy: (ref) => asItIs(provider, ref) }),
  },
  {
    lie: 'a deploy replaces the environment instead of merging it',
    caughtBy: 'merges the environment of a deploy, and takes away what ends in a dash',
    wrapProvider: (provider) =>
      overlay(provider, {
        async deploy(ref, request, call) {
          const { release } = await asItIs(provider, ref)
          const services = request.services.map((service) => {
            const before = release.services.find(({ name }) => name === service.name)?.env ?? {}
            const gone = Object.fromEntries(Object.keys(before).map((key) => [`${key}-`, '']))
            return { ...service, env: { ...gone, ...service.env } }
          })
          return await provider.deploy(ref, { ...request, services }, call)
        },
      }),
  },
  {
    lie: 'a health check has no deadline',
    caughtBy: 'ends a health check at its deadline when the engine accepts and never answers',
    wrapProvider: (provider) =>
      overlay(provider, {
        async healthCheck(_options, call) {
          await provider.info(call)
          return { healthy: true, message: 'fine', latencyMs: 0, checkedAt: new Date(0) }
        },
      }),
  },
  {
    lie: 'an abort is told in its own words instead of the caller’s',
    caughtBy: 'stops with the reason it was given, whatever it was doing',
    wrapProvider: (provider) =>
      overlay(provider, {
        status: (ref, call) =>
          provider.status(ref, call).catch(() => {
            throw new Error('aborted')
          }),
      }),
  },
  {
    lie: 'a follower of logs is left alone when a replica is replaced',
    caughtBy: 'goes on following when replicas are replaced',
    wrapProvider: (provider) =>
      overlay(provider, {
        async *logs(ref, options, call) {
          yield* provider.logs?.(ref, { ...options, follow: false }, call) ?? []
        },
      }),
  },
  {
    lie: 'deprovision fails when nothing is there',
    caughtBy: 'takes the absence of an instance for a successful deprovision, also the second time',
    wrapProvider: (provider) =>
      overlay(provider, {
        async deprovision(ref, options, call) {
          if (!(await provider.status(ref, call))) throw new Error('not found')
          await provider.deprovision(ref, options, call)
        },
      }),
  },
]
