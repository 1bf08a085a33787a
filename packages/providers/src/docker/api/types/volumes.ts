/** Volumes in the engine's own words: only the fields that are used. */
export type CreateVolume = {
  readonly Name: string
  readonly Driver?: string
  readonly DriverOpts?: Readonly<Record<string, string>>
  readonly Labels?: Readonly<Record<string, string>>
}

export type Volume = {
  readonly Name: string
  readonly Driver: string
  readonly Mountpoint: string
  /** To the second. Some engines count from when a file was last put into it; never from before it was made. */
  readonly CreatedAt?: string
  readonly Labels: Readonly<Record<string, string>> | null
  readonly Options: Readonly<Record<string, string>> | null
  /** Only where sizes were asked for; -1 where its driver cannot tell. */
  readonly UsageData?: { readonly Size: number } | null
}
