/** Pure: what is looked for on the engine, and what a registry is asked for where it is not there. */

import { isImageId, parseReference } from '../../images/reference.ts'
import type { Image } from '../api/types/images.ts'
import type { ImageWant } from './images.ts'

export type Source = {
  /** What it is called on the engine. */
  readonly meant: string
  /** What to pull so that it is there; undefined: no registry knows it. */
  readonly pulled?: string
  /** It always means the same, so what is here is as good as what a registry has. */
  readonly isExact: boolean
}

export function sourceOf({ image, pinned }: Pick<ImageWant, 'image' | 'pinned'>): Source {
  const meant = pinned ?? image
  if (!isImageId(meant)) return { meant, pulled: meant, isExact: parseReference(meant).digest !== undefined }
  // Its tag may still mean it, in some registry.
  return isImageId(image) ? { meant, isExact: true } : { meant, pulled: image, isExact: true }
}

export type Platform = { readonly os: string; readonly architecture: string }

/** `linux/arm64/v8`: the variant is left to the engine. */
export function platformFrom(text: string): Platform {
  const [os = '', architecture = ''] = text.split('/')
  return { os, architecture }
}

export const isFor = ({ Os, Architecture }: Image, { os, architecture }: Platform): boolean =>
  Os === os && Architecture === architecture

export const platformWords = ({ Os, Architecture }: Image): string => `${Os}/${Architecture}`
