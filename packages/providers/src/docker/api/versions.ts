/** Which API version is spoken, and what it can do: pure. What an old engine lacks is said, not guessed. */
import { Fault } from '@gantry/core'

/** The oldest that has what we cannot do without (Docker 20.10), and the newest whose words we know. */
export const oldestApi = '1.41'
export const newestApi = '1.51'

/** What some engine that we speak to lacks, with the version that has it. */
const gained = {
  /** A terminal has its size before its command runs. */
  execConsoleSize: '1.42',
  /** Labels for the runtime: `HostConfig.Annotations`. */
  annotations: '1.43',
  /** A health check looks more often while a container starts. */
  healthStartInterval: '1.44',
  /** A container can be made in more than one network. */
  severalNetworksAtCreate: '1.44',
  /** A mount can be of a folder inside a volume. */
  volumeSubpath: '1.45',
} as const satisfies Record<string, string>

export type DockerCapabilities = { readonly [Name in keyof typeof gained]: boolean }

export function capabilitiesOf(apiVersion: string): DockerCapabilities {
  const has = Object.entries(gained).map(([name, since]) => [name, compareVersions(apiVersion, since) >= 0] as const)
  return Object.fromEntries(has) as DockerCapabilities
}

/** The newest that both sides speak. Throws `capability_missing` where there is none. */
export function negotiate(engine: { readonly ApiVersion: string; readonly MinAPIVersion?: string }): string {
  const { ApiVersion: newest, MinAPIVersion: oldest = '1.0' } = engine
  if (compareVersions(newest, oldestApi) < 0) {
    const message = `This Docker Engine speaks API ${newest} at most, and Gantry needs ${oldestApi}; use Docker 20.10 or newer`
    throw new Fault('capability_missing', message)
  }
  if (compareVersions(oldest, newestApi) > 0) {
    const message = `This Docker Engine speaks API ${oldest} at least, and Gantry knows ${newestApi} at most; use a newer Gantry`
    throw new Fault('capability_missing', message)
  }
  return compareVersions(newest, newestApi) < 0 ? newest : newestApi
}

/** Below, at or above zero, part by part: 1.9 is older than 1.41. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
