/** Events in the engine's own words. */
export type DockerEvent = {
  readonly Type: 'container' | 'image' | 'network' | 'volume' | 'daemon' | string
  /** `start`, `die`, `oom`, `destroy`, `health_status: healthy` … */
  readonly Action: string
  readonly Actor: { readonly ID: string; readonly Attributes: Readonly<Record<string, string>> }
  /** Nanoseconds since 1970: beyond what a number holds exactly, good for order to about a microsecond. */
  readonly timeNano: number
  /** Seconds since 1970. */
  readonly time: number
}

/** Named lists: any of a list, and all lists. `{ label: ['a=b', 'c'], type: ['container'] }`. */
export type Filters = Readonly<Record<string, readonly string[]>>
