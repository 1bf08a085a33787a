/**
 * Volumes that outlive replicas. Who has one now is written beside it, in the labels of an empty volume: its own labels say
 * who made it, and cannot be changed. The newest of these words counts, so that dying between two of them loses nothing.
 */
import { type Call, Fault, isFault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { RemoveOptions } from '../engine.ts'
import { engineLabel, label, ownerLabels, refFromLabels } from '../labels.ts'
import type { Ref } from '../ref.ts'
import { goesWith, isHeir, type OwnedVolume, type VolumeOwner } from '../volume-owner.ts'
import type { DockerApi } from './api/api.ts'
import { wordsOf } from './api/faults.ts'
import type { CreateVolume, Volume } from './api/types/volumes.ts'
import { ownerVolume } from './names.ts'
import { persistentVolumes, retainLabel } from './plan/volumes.ts'

const ownerRole = 'volume-owner'
/** On a word about an owner: which volume, since when, and whether that owner has left. */
const ofLabel = 'gantry.dev/owner-of'
const retainsLabel = 'gantry.dev/owner-retains'
const sinceLabel = 'gantry.dev/since'
const leftLabel = 'gantry.dev/left'

/** How long a replica may be without containers while it is made: a daemon that has much to do lets them wait. */
export const youngMs = 30_000

/**
 * Of a volume that is mounted as long as somebody has it. A daemon that was killed may lose count of who has it; or it had
 * removed the folder and not yet the rest, and can never again remove what it then looks for in vain. All there is to tell
 * that by is what it says.
 */
const beyondIt = /volume has active mounts|\bumount\b.*: no such file or directory/

export type KeptVolume = OwnedVolume & {
  readonly name: string
  readonly index: number
  /** Its owner is gone, and has left it to whoever comes next. */
  readonly left: boolean
  /** The words about it, the newest first. */
  readonly words: readonly string[]
}

/** Pure: persistent volumes with their owners, out of all that carry our labels. */
export function keptVolumes(installation: string, all: readonly Volume[]): KeptVolume[] {
  const words = all.filter(({ Labels }) => Labels?.[label.role] === ownerRole)
  return all.flatMap((volume): KeptVolume[] => {
    const labels = volume.Labels ?? {}
    if (labels[retainLabel] === undefined || engineLabel in labels) return []
    const about = words
      .filter(({ Labels }) => Labels?.[ofLabel] === volume.Name)
      .sort((left, right) => Number(right.Labels?.[sinceLabel]) - Number(left.Labels?.[sinceLabel]))
    const said = about[0]?.Labels ?? labels
    const ref = refFromLabels(installation, said)
    if (!ref) return []
    const retain = (said[retainsLabel] ?? said[retainLabel]) !== 'false'
    const left = said[leftLabel] === 'true'
    const index = Number(labels[label.replica] ?? 0)
    return [{ installation, ref, retain, name: volume.Name, index, left, words: about.map(({ Name }) => Name) }]
  })
}

export class Volumes {
  readonly #api: DockerApi
  readonly #installation: string
  readonly #now: () => number

  constructor(api: DockerApi, installation: string, now: () => number) {
    this.#api = api
    this.#installation = installation
    this.#now = now
  }

  /** Everything that workloads of this name have or left. */
  async of({ tenant, workload }: Ref, call: Call): Promise<KeptVolume[]> {
    const marks = [
      `${label.installation}=${this.#installation}`,
      `${label.tenant}=${tenant}`,
      `${label.workload}=${workload}`,
    ]
    return keptVolumes(this.#installation, await this.#api.volumes.list({ label: marks }, call))
  }

  /** Who else, that is still here, runs with what this replica wants; `undefined`: nobody. */
  async heldBy(desired: Desired, index: number, runs: (ref: Ref) => boolean, call: Call): Promise<Ref | undefined> {
    const wanted = new Set(persistentVolumes(desired, index).map(({ Name }) => Name))
    if (wanted.size === 0) return undefined
    const kept = await this.of(desired.ref, call)
    const other = kept.find(({ name, ref }) => wanted.has(name) && ref.uid !== desired.ref.uid && runs(ref))
    return other?.ref
  }

  /** Makes them, or takes up those that are there; from now on they are this instance's. */
  async take(desired: Desired, index: number, call: Call): Promise<void> {
    const wanted = persistentVolumes(desired, index)
    if (wanted.length === 0) return
    const kept = await this.of(desired.ref, call)
    await Promise.all(
      wanted.map(async (volume) => {
        const known = kept.find(({ name }) => name === volume.Name)
        if (!known) {
          await this.make(volume, call)
          return
        }
        const retain = volume.Labels?.[retainLabel] !== 'false'
        const same = known.ref.uid === desired.ref.uid && known.retain === retain && !known.left
        if (!same) await this.#say(known, { installation: this.#installation, ref: desired.ref, retain }, false, call)
      }),
    )
  }

  /** The engine answers with one of that name whosever it is. */
  async make(volume: CreateVolume, call: Call): Promise<Volume> {
    const made = await this.#api.volumes.create(volume, call)
    if (this.#isOurs(made)) return made
    // One that it knew before it was started anew, a daemon answers without its labels here, and only here.
    const there = await this.#api.volumes.inspect(volume.Name, call)
    if (there && this.#isOurs(there)) return there
    throw new Fault(
      'foreign_object',
      `Volume ${volume.Name} is somebody else's; it is left alone: remove it, or its name`,
    )
  }

  /** What goes with the instance is removed; of what stays it is written that its owner has left. */
  async leave(ref: Ref, options: RemoveOptions, isHere: (ref: Ref) => boolean, call: Call): Promise<void> {
    const owner: VolumeOwner = { installation: this.#installation, ref }
    for (const volume of await this.of(ref, call)) {
      if (goesWith(volume, owner, options, (other) => !volume.left && isHere(other))) {
        for (const name of [volume.name, ...volume.words]) await this.#api.volumes.remove(name, call)
      } else if (volume.ref.uid === ref.uid && isHeir(volume, owner) && !volume.left) {
        await this.#say(volume, volume, true, call)
      }
    }
  }

  /**
   * Those of single replicas that are not there: whoever made or removed one has died in the middle of it. Young ones stay:
   * another server may have made them, and not yet the containers that have them. Answers how many are left for later.
   */
  async sweep(isThere: (engineId: string) => boolean, call: Call): Promise<number> {
    const marks = [`${label.installation}=${this.#installation}`, engineLabel]
    const all = await this.#api.volumes.list({ label: marks }, call)
    const left = all.filter(({ Labels }) => !isThere(Labels?.[engineLabel] ?? ''))
    if (left.length === 0) return 0
    const now = Date.parse((await this.#api.system.info(call)).SystemTime)
    const old = left.filter(({ CreatedAt }) => !(now - Date.parse(CreatedAt ?? '') < youngMs))
    await Promise.all(old.map(({ Name }) => this.#removeUnused(Name, call)))
    return left.length - old.length
  }

  /** Where the daemon itself cannot, though nobody has it, it is left for the sweeps of later connections. */
  async remove(name: string, call: Call): Promise<void> {
    try {
      await this.#api.volumes.remove(name, call)
    } catch (error) {
      if (!isFault(error) || !beyondIt.test(wordsOf(error)) || (await this.#isUsed(name, call))) throw error
    }
  }

  /** What a container of somebody else has stays. */
  async #removeUnused(name: string, call: Call): Promise<void> {
    try {
      await this.remove(name, call)
    } catch (error) {
      if (!isFault(error) || error.reason !== 'engine_object_conflict') throw error
    }
  }

  async #isUsed(name: string, call: Call): Promise<boolean> {
    return (await this.#api.containers.list({ all: true, filters: { volume: [name] } }, call)).length > 0
  }

  #isOurs({ Labels }: Volume): boolean {
    return Labels?.[label.installation] === this.#installation
  }

  async #say(volume: KeptVolume, { ref, retain }: OwnedVolume, left: boolean, call: Call): Promise<void> {
    const since = this.#now()
    const Name = `${ownerVolume(volume.name, ref)}-${since.toString(36)}`
    const Labels = {
      ...ownerLabels(this.#installation, ref),
      [label.role]: ownerRole,
      [ofLabel]: volume.name,
      [sinceLabel]: String(since),
      [retainsLabel]: String(retain),
      [leftLabel]: String(left),
    }
    await this.#api.volumes.create({ Name, Driver: 'local', Labels }, call)
    for (const old of volume.words) if (old !== Name) await this.#api.volumes.remove(old, call)
  }
}
