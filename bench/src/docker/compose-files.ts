/** What Compose is given: the same programs, image, checks and grace as ours. Pure. */
import { argv, environmentOf, stopGraceSeconds } from './web.ts'

export type ComposeService = {
  readonly name: string
  readonly port: number
  readonly says: string
  /** A port of the machine that leads to it; left out: none. */
  readonly published?: number
  /** Starts when that one is healthy. */
  readonly after?: string
}

/** JSON is YAML too. */
export function composeFile(image: string, services: readonly ComposeService[]): string {
  return JSON.stringify({ services: Object.fromEntries(services.map((one) => [one.name, service(image, one)])) })
}

function service(image: string, { port, says, published, after }: ComposeService) {
  return {
    image,
    pull_policy: 'never',
    // A dollar sign stands for a variable of Compose's own unless it is there twice.
    entrypoint: argv.map((word) => word.replaceAll('$', '$$$$')),
    environment: environmentOf(port, says),
    stop_grace_period: `${stopGraceSeconds}s`,
    healthcheck: {
      test: ['CMD', 'wget', '-q', '-O', '/dev/null', `http://127.0.0.1:${port}/`],
      interval: '1s',
      timeout: '1s',
      retries: 30,
    },
    ...(published !== undefined && { ports: [`127.0.0.1:${published}:${port}`] }),
    ...(after !== undefined && { depends_on: { [after]: { condition: 'service_healthy' } } }),
  }
}
