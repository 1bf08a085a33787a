/** Networks in the engine's own words: only the fields that are used. */
export type AddressRange = { readonly Subnet?: string; readonly Gateway?: string; readonly IPRange?: string }

export type CreateNetwork = {
  readonly Name: string
  readonly Driver?: string
  readonly Internal?: boolean
  readonly IPAM?: { readonly Driver?: string; readonly Config: readonly AddressRange[] }
  readonly Options?: Readonly<Record<string, string>>
  readonly Labels?: Readonly<Record<string, string>>
  /** Names are not unique unless this is asked for, and even then only as far as the engine looks. */
  readonly CheckDuplicate?: boolean
}

export type Network = {
  readonly Id: string
  readonly Name: string
  readonly Created: string
  readonly Driver: string
  readonly Internal: boolean
  readonly IPAM: { readonly Config: readonly AddressRange[] | null }
  readonly Labels: Readonly<Record<string, string>> | null
  /** By id of the container; in an inspection only. */
  readonly Containers?: Readonly<Record<string, { readonly Name: string; readonly IPv4Address: string }>>
}

export type EndpointSettings = {
  readonly Aliases?: readonly string[]
  readonly IPAMConfig?: { readonly IPv4Address?: string }
}
