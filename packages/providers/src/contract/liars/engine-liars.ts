/** Engines that lie, most of them as an original was found to. */
import { isFault } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { Engine } from '../../engine.ts'
import { overlay } from '../../overlay.ts'
import { done } from '../../pass.ts'
import type { Liar } from './liar.ts'

/** Asks the engine for less than it was asked for. */
const asking = (change: (desired: Desired) => Desired) => (engine: Engine) =>
  overlay(engine, { converge: (desired, call) => engine.converge(change(desired), call) })

export const engineLiars: readonly Liar[] = [
  {
    lie: 'an engine that cannot be reached looks like one where nothing is',
    caughtBy: 'tells absence from blindness',
    wrapEngine: (engine) =>
      overlay(engine, {
        look: (ref, call) =>
          engine.look(ref, call).catch((error: unknown) => {
            if (isFault(error, 'unavailable')) return undefined
            throw error
          }),
      }),
  },
  {
    lie: 'a removal that could not be done is told as done',
    caughtBy: 'does not take an engine that cannot be reached for one where nothing is left',
    wrapEngine: (engine) =>
      overlay(engine, {
        look: (ref, call) => engine.look(ref, call).catch(() => undefined),
        remove: (ref, options, call) => engine.remove(ref, options, call).catch(() => done),
      }),
  },
  {
    lie: 'a removal is told as done while it has only begun',
    caughtBy: 'resolves a deprovision only when everything is gone',
    wrapEngine: (engine) =>
      overlay(engine, {
        async remove(ref, options, call) {
          await engine.remove(ref, options, call)
          return done
        },
      }),
  },
  {
    lie: 'a pull that fails is swallowed',
    caughtBy: 'fails a provision whose image cannot be had, in the words of whoever refused it',
    wrapEngine: (engine) =>
      overlay(engine, {
        async converge(desired, call) {
          const pass = await engine.converge(desired, call)
          return (await engine.look(desired.ref, call))?.stalled?.reason === 'image_pull_failed' ? done : pass
        },
        async look(ref, call) {
          const { stalled: _, ...seen } = (await engine.look(ref, call)) ?? {}
          return 'ref' in seen ? seen : undefined
        },
      }),
  },
  {
    lie: 'done is said before anything is ready',
    caughtBy: 'gates readiness by the health check, and takes it back when the check fails',
    wrapEngine: (engine) =>
      overlay(engine, {
        async converge(desired, call) {
          await engine.converge(desired, call)
          return done
        },
      }),
  },
  {
    lie: 'a crash is shown as a stop',
    caughtBy: 'tells a crash from a stop',
    wrapEngine: (engine) =>
      overlay(engine, {
        async look(ref, call) {
          const seen = await engine.look(ref, call)
          if (!seen) return undefined
          const { stalled: _, ...calm } = seen
          const replicas = seen.replicas.map((replica) => ({
            ...replica,
            services: Object.fromEntries(
              Object.entries(replica.services).map(([name, service]) => [
                name,
                service.phase === 'crashed' ? { ...service, phase: 'stopped' as const } : service,
              ]),
            ),
          }))
          return { ...calm, replicas }
        },
      }),
  },
  {
    lie: 'a capability is declared that nothing proves',
    caughtBy: 'declares nothing that no case here can hold it to',
    wrapEngine: (engine) => overlay(engine, { declares: new Set([...engine.declares, 'tls']) }),
  },
  {
    lie: 'graphics processors are declared and not given',
    caughtBy: 'gives a service the graphics processors it asks for',
    wrapEngine: asking((desired) => ({
      ...desired,
      services: desired.services.map((service) => ({
        ...service,
        resources: { ...service.resources, gpu: { count: 0, type: '' } },
      })),
    })),
  },
  {
    lie: 'the entrypoint of the first image is pinned onto all later ones',
    caughtBy: 'runs the entrypoint of a new image, not that of the old one',
    wrapEngine: (engine) => {
      let first: string | undefined
      return asking((desired) => ({
        ...desired,
        services: desired.services.map((service) => {
          first ??= service.pinnedImage ?? service.image
          return service.command.length === 0 && first !== undefined ? { ...service, pinnedImage: first } : service
        }),
      }))(engine)
    },
  },
  {
    lie: 'a release runs whatever its tag means now',
    caughtBy: 'brings back the very image that a release ran, also when its tag has moved since',
    wrapEngine: asking((desired) => ({
      ...desired,
      services: desired.services.map(({ pinnedImage: _, ...service }) => service),
    })),
  },
  {
    lie: 'nothing is recognised as its own, so everything is made again',
    caughtBy: 'provisions twice with the effect of once',
    wrapEngine: (engine) => {
      let made = 0
      return overlay(engine, {
        async converge(desired, call) {
          const pass = await engine.converge({ ...desired, specHash: `${desired.specHash}-${made}` }, call)
          if (pass.state === 'done') made += 1
          return pass
        },
      })
    },
  },
  {
    lie: 'labels of the user are dropped',
    caughtBy: 'puts labels on every object that can carry them, and our own keys win',
    wrapEngine: asking((desired) => ({ ...desired, labels: {} })),
  },
  {
    lie: 'usage is made of zeros',
    caughtBy: 'measures more when more is done',
    wrapEngine: (engine) =>
      overlay(engine, { usage: async () => ({ at: new Date(0), cpuMillis: 0, memoryBytes: 0, networkInBytes: 0 }) }),
  },
]
