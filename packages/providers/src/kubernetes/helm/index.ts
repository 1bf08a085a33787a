/** The one way in: releases of Helm charts on one cluster. */
import type { HelmOptions, HelmReleases } from './helm.ts'
import { Releases } from './releases.ts'

/** Nothing is read or started before the first question. */
export const helmReleases = (options: HelmOptions): HelmReleases => new Releases(options)
