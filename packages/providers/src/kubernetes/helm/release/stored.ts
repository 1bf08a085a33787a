/** A revision as Helm itself keeps it: a Secret `sh.helm.release.v1.<name>.v<revision>` whose content is JSON, packed twice. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { Fault } from '@gantry/core'
import type { KubeObject } from '../../api/types/meta.ts'
import type { HelmStatus } from '../helm.ts'

export type HelmSecret = KubeObject & { readonly type?: string; readonly data?: Readonly<Record<string, string>> }

export const helmSecretType = 'helm.sh/release.v1'

/** What of Helm's own JSON is read here; all else is kept as it came. */
export type ReleaseBody = {
  readonly name: string
  readonly namespace: string
  readonly version: number
  readonly info: {
    readonly status: HelmStatus
    readonly description?: string
    readonly last_deployed?: string
    readonly notes?: string
  }
  readonly chart?: {
    readonly metadata?: { readonly name?: string; readonly version?: string; readonly appVersion?: string }
  }
  readonly config?: Readonly<Record<string, unknown>> | null
  readonly manifest?: string
  readonly hooks?: readonly HookBody[] | null
}

export type HookBody = {
  readonly name?: string
  readonly kind?: string
  readonly manifest?: string
  readonly events?: readonly string[]
  readonly last_run?: { readonly phase?: string }
}

/** Longer ones are no release of Helm's: a Secret holds a megabyte. */
const longest = 64 * 1024 * 1024

export function decodeRelease(secret: HelmSecret): ReleaseBody {
  const packed = Buffer.from(Buffer.from(secret.data?.release ?? '', 'base64').toString('latin1'), 'base64')
  try {
    // Helm reads those of its early days too, which were not compressed.
    const isPacked = packed[0] === 0x1f && packed[1] === 0x8b
    const text = isPacked ? gunzipSync(packed, { maxOutputLength: longest }) : packed
    return JSON.parse(text.toString('utf8')) as ReleaseBody
  } catch (cause) {
    const { namespace, name } = secret.metadata
    throw new Fault('bad_answer', `The Secret ${namespace}/${name} holds no release that Helm could have written`, {
      cause,
    })
  }
}

/** As it goes into `data.release`. */
export function encodeRelease(body: ReleaseBody): string {
  const packed = gzipSync(JSON.stringify(body)).toString('base64')
  return Buffer.from(packed, 'latin1').toString('base64')
}

/** The name of the Secret of a revision. */
export const secretNameOf = (release: string, revision: number): string => `sh.helm.release.v1.${release}.v${revision}`

/** What finds all revisions of a release, as Helm does. */
export const selectorOf = (release: string): string => `owner=helm,name=${release}`

/**
 * The same revision, as Helm leaves it when it is interrupted and still can say so. The next upgrade goes on from the one that
 * was deployed before, where a pending one would refuse everybody for ever.
 */
export function markedFailed(secret: HelmSecret, why: string, now: Date): HelmSecret {
  const body = decodeRelease(secret)
  const failed: ReleaseBody = { ...body, info: { ...body.info, status: 'failed', description: why } }
  const labels = { ...secret.metadata.labels, status: 'failed', modifiedAt: String(Math.floor(now.getTime() / 1000)) }
  return {
    ...secret,
    metadata: { ...secret.metadata, labels },
    data: { ...secret.data, release: encodeRelease(failed) },
  }
}
