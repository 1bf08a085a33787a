/** The one way in: releases of Helm charts on one cluster. */
import type { HelmOptions, HelmReleases } from './helm.ts'

/** Nothing is read or started before the first question. */
export function helmReleases(_options: HelmOptions): HelmReleases {
  throw new Error('not written yet')
}
