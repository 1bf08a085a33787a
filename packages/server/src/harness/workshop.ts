/** Installations to work with: one that came out of it well is used again, another is taken down. */
import { type BundledProgram, bundledProgram } from '../testing/harness/bundled-program.ts'
import type { OpenGround } from './ground.ts'
import { kindsOfLife } from './kinds-of-life.ts'
import { warmUp } from './life.ts'
import { openRig, type Rig } from './rig.ts'
import type { Bare } from './verdict.ts'

export class Workshop {
  /** Nothing more is begun. */
  isOver = false
  readonly #all = new Set<Rig>()
  readonly #openGround: OpenGround
  readonly #warmUps: number
  #program: Promise<BundledProgram> | undefined
  #opened = 0
  readonly #free: { readonly rig: Rig; readonly bare: Bare }[] = []

  /** `warmUps`: how many of its installations are warmed up. With the others it is not compared what is left in files and stores. */
  constructor(openGround: OpenGround, { warmUps = Number.POSITIVE_INFINITY } = {}) {
    this.#openGround = openGround
    this.#warmUps = warmUps
  }

  async use<T>(work: (rig: Rig, bare: Bare) => Promise<{ readonly result: T; readonly isSound: boolean }>): Promise<T> {
    const { rig, bare } = this.#free.pop() ?? (await this.#fresh())
    let isSound = false
    try {
      const worked = await work(rig, bare)
      isSound = worked.isSound
      return worked.result
    } finally {
      if (isSound) this.#free.push({ rig, bare })
      else await this.#takeDown(rig, false)
    }
  }

  end(): void {
    this.isOver = true
  }

  /** What of it still runs: nothing, if all is well. */
  async close(): Promise<readonly string[]> {
    const sound = new Set(this.#free.splice(0).map(({ rig }) => rig))
    const left = await Promise.all([...this.#all].map((rig) => this.#takeDown(rig, sound.has(rig))))
    await (await this.#program)?.remove()
    return left.flat()
  }

  async #fresh(): Promise<{ readonly rig: Rig; readonly bare: Bare }> {
    this.#opened += 1
    const isWarmed = this.#opened <= this.#warmUps
    this.#program ??= bundledProgram()
    const { path } = await this.#program
    const rig = await openRig(this.#openGround, path)
    this.#all.add(rig)
    return { rig, bare: isWarmed ? await warmUp(rig, kindsOfLife[0]) : undefined }
  }

  async #takeDown(rig: Rig, isSound: boolean): Promise<readonly string[]> {
    this.#all.delete(rig)
    return await rig.dispose(isSound)
  }
}
