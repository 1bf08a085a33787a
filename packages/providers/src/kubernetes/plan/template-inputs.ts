/**
 * What is in a pod template and not in the spec hash. While the hash is the same these stay as they were when the template
 * was made, since any change of a template replaces every pod; so they are written down beside it.
 */
import { readQuantity } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { ownPrefix } from '../../labels.ts'
import { claimedVolumes, type VolumeClaim } from './claimed-volumes.ts'
import type { PlanSettings } from './settings.ts'
import { sleepMinor } from './settings.ts'

export type TemplateInputs = {
  readonly specHash: string
  readonly release: string
  /** The user's, over those of the Provider. */
  readonly labels: Readonly<Record<string, string>>
  readonly stopGraceSeconds: number
  /** 0: not at all. */
  readonly drainSeconds: number
  /** Of the Provider. */
  readonly imagePullSecrets: readonly string[]
  /** By volume: what is in the templates of claims, which a StatefulSet cannot change. Claims themselves can grow. */
  readonly claims: Readonly<Record<string, VolumeClaim>>
}

export function templateInputsOf(desired: Desired, settings: PlanSettings): TemplateInputs {
  const { specHash, release, stopGraceSeconds } = desired
  return {
    specHash,
    release,
    labels: userLabels(desired, settings),
    stopGraceSeconds,
    drainSeconds: settings.serverVersion.minor < sleepMinor ? 0 : settings.drainSeconds,
    imagePullSecrets: settings.imagePullSecrets,
    claims: claimedVolumes(desired, settings),
  }
}

/** Those to plan with: what was kept, as far as it is still true of this spec. */
export function inputsFor(desired: Desired, settings: PlanSettings, kept: TemplateInputs | undefined): TemplateInputs {
  if (kept?.specHash === desired.specHash) return kept
  const fresh = templateInputsOf(desired, settings)
  const claims = Object.entries(fresh.claims).map(([volume, claim]) => [volume, kept?.claims[volume] ?? claim] as const)
  return { ...fresh, claims: Object.fromEntries(claims) }
}

/** From the annotation; `undefined` where somebody has changed it so that it cannot be read. */
export function readTemplateInputs(text: string | undefined): TemplateInputs | undefined {
  const value = text === undefined ? undefined : parsed(text)
  return isInputs(value) ? value : undefined
}

export function userLabels(
  { labels }: Pick<Desired, 'labels'>,
  settings: Pick<PlanSettings, 'labels'>,
): Readonly<Record<string, string>> {
  const all = Object.entries({ ...settings.labels, ...labels })
  return Object.fromEntries(all.filter(([key]) => !key.startsWith(ownPrefix)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isInputs(value: unknown): value is TemplateInputs {
  if (!isRecord(value)) return false
  const { specHash, release, labels, stopGraceSeconds, drainSeconds, imagePullSecrets, claims } = value
  return (
    typeof specHash === 'string' &&
    typeof release === 'string' &&
    isRecord(labels) &&
    Object.values(labels).every((each) => typeof each === 'string') &&
    isSeconds(stopGraceSeconds) &&
    isSeconds(drainSeconds) &&
    Array.isArray(imagePullSecrets) &&
    imagePullSecrets.every((each) => typeof each === 'string') &&
    isRecord(claims) &&
    Object.values(claims).every(isClaim)
  )
}

const isSeconds = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isClaim = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.size === 'string' &&
  readQuantity(value.size) !== undefined &&
  (value.storageClass === undefined || typeof value.storageClass === 'string')

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
