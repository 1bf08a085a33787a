/** Engines that lie about what comes out of them: commands, logs, events. */
import { overlay } from '../../overlay.ts'
import type { Liar } from './liar.ts'

async function* nothing(): AsyncGenerator<never> {
  // Ends at once.
}

export const streamLiars: readonly Liar[] = [
  {
    lie: 'exec answers 0 without running anything',
    caughtBy: 'runs a command for real: its exit code, and both streams apart',
    wrapEngine: (engine) =>
      overlay(engine, {
        exec: async () => ({
          stdout: nothing(),
          stderr: nothing(),
          exit: Promise.resolve({ ended: 'exited', exitCode: 0 } as const),
          write: async () => undefined,
          end: async () => undefined,
          resize: async () => undefined,
        }),
      }),
  },
  {
    lie: 'exec mixes both streams into one',
    caughtBy: 'runs a command for real: its exit code, and both streams apart',
    wrapEngine: (engine) =>
      overlay(engine, {
        async exec(id, service, request, call) {
          const session = await (engine.exec?.(id, service, request, call) ?? Promise.reject(new Error('no exec')))
          async function* both() {
            yield* session.stdout
            yield* session.stderr
          }
          return { ...session, stdout: both(), stderr: nothing() }
        },
      }),
  },
  {
    lie: 'logs are those of the first replica only',
    caughtBy: 'reads all replicas and services, or the one that is named',
    wrapEngine: (engine) => {
      let first: string | undefined
      return overlay(engine, {
        logs(id, service, from, call) {
          first ??= id
          return id === first ? (engine.logs?.(id, service, from, call) ?? nothing()) : nothing()
        },
      })
    },
  },
  {
    lie: 'logs of both streams are called stdout, though telling them apart was promised',
    caughtBy: 'tells what was written to stderr from what was written to stdout',
    wrapEngine: (engine) =>
      overlay(engine, {
        async *logs(id, service, from, call) {
          for await (const each of engine.logs?.(id, service, from, call) ?? nothing()) {
            yield 'stream' in each ? { ...each, stream: 'stdout' } : each
          }
        },
      }),
  },
  {
    lie: 'of lines that came together more are told than the last that were asked for',
    caughtBy: 'reads lines that were written at once, each once and in order, and of them the last',
    wrapEngine: (engine) =>
      overlay(engine, {
        logs(id, service, from, call) {
          const { tail = 0 } = from
          return engine.logs?.(id, service, tail > 0 ? { ...from, tail: tail + 3 } : from, call) ?? nothing()
        },
      }),
  },
  {
    lie: 'a gap in watching is passed over in silence',
    caughtBy: 'says that it is blind, and gives a whole new snapshot after the gap',
    wrapEngine: (engine) =>
      overlay(engine, {
        async *observe(call) {
          let blind = false
          for await (const seen of engine.observe(call)) {
            if (!(blind && seen.type === 'snapshot')) yield seen
            blind ||= seen.type === 'blind'
          }
        },
      }),
  },
  {
    lie: 'the command goes on when its caller has left, though killing it was promised',
    caughtBy: 'kills the command when the caller leaves',
    wrapEngine: (engine) =>
      overlay(engine, {
        async exec(id, service, request, call) {
          const never = new AbortController().signal
          const session = await (engine.exec?.(id, service, request, { signal: never }) ?? Promise.reject())
          const left = new Promise<{ ended: 'killed' }>((resolve) => {
            call.signal.addEventListener('abort', () => resolve({ ended: 'killed' }), { once: true })
          })
          async function* untilLeft() {
            for await (const chunk of session.stdout) {
              yield chunk
              if (request.stdin) return
            }
          }
          return { ...session, stdout: untilLeft(), exit: Promise.race([session.exit, left]) }
        },
      }),
  },
]
