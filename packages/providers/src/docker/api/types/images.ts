/** Images in the engine's own words: only the fields that are used. */
import type { ContainerSettings } from './containers.ts'

export type Image = {
  readonly Id: string
  readonly RepoTags: readonly string[] | null
  /** `name@sha256:…` for each registry it was pulled from; none for an image that was loaded. */
  readonly RepoDigests: readonly string[] | null
  readonly Created: string
  readonly Size: number
  readonly Architecture: string
  readonly Os: string
  /** Digests of its layers, unpacked. */
  readonly RootFS?: { readonly Layers?: readonly string[] | null }
  readonly Config: Partial<Omit<ContainerSettings, 'Image'>> | null
}

/** What a registry says that a reference means, without the image being here. */
export type DistributedImage = {
  readonly Descriptor: { readonly digest: string }
  readonly Platforms: readonly { readonly os: string; readonly architecture: string }[] | null
}

/** A registry's account, in the words of the header that carries it. */
export type RegistryAuth = {
  readonly username?: string
  readonly password?: string
  readonly identitytoken?: string
  readonly serveraddress?: string
}

/** One line of a pull. Layers tell how far they are, in bytes, where that is known. */
export type PullProgress = {
  readonly status: string
  /** Of the layer; absent where the line is about the whole image. */
  readonly id?: string
  readonly progressDetail?: { readonly current?: number; readonly total?: number }
}
