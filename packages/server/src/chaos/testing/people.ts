/** What people ask for while things go wrong, and what they would have to find in the end. */
import { isFault, type WorkloadInput } from '@gantry/core'
import type { Rig } from './rig.ts'
import { brokenImage } from './run.ts'
import type { Strategy, Wish } from './schedule.ts'

type Asked = {
  image: string
  replicas: number
  run: 'running' | 'stopped'
  restartStamp?: string
  deployStamp?: string
}

export class People {
  readonly #rig: Rig
  readonly #strategies: readonly Strategy[]
  /** By the number of the workload: what its spec says; absent is not there, or is to go. */
  readonly asked = new Map<number, Asked>()
  #counter = 0

  constructor(rig: Rig, strategies: readonly Strategy[]) {
    this.#rig = rig
    this.#strategies = strategies
  }

  async wish(workload: number, wish: Wish): Promise<void> {
    const before = this.asked.get(workload)
    if (wish === 'delete') return await this.#remove(workload)
    if (!before) {
      if (wish === 'create') await this.#put(workload, { image: this.#newImage(), replicas: 2, run: 'running' })
      return
    }
    await this.#put(workload, this.#changed(before, wish))
  }

  /** When all trouble is over: something good of each that is there, so that it must succeed. */
  async askAtLast(): Promise<void> {
    for (const [workload, asked] of this.asked) {
      const replicas = this.#rig.random.below(4)
      const { image = '', ...rest } = asked.image === brokenImage ? { ...asked, image: this.#newImage() } : asked
      await this.#put(workload, { ...rest, image, replicas, deployStamp: this.#stamp() })
    }
  }

  #changed(before: Asked, wish: Exclude<Wish, 'delete'>): Asked {
    switch (wish) {
      case 'create':
        return before
      case 'deploy':
        return { ...before, image: this.#newImage() }
      case 'deploy_broken':
        return { ...before, image: brokenImage }
      case 'scale':
        return { ...before, replicas: this.#rig.random.below(4) }
      case 'stop':
        return { ...before, run: 'stopped' }
      case 'start':
        return { ...before, run: 'running' }
      case 'restart':
        return { ...before, restartStamp: this.#stamp() }
      case 'go_back':
        return { ...before, image: 'app:1' }
      default:
        return wish satisfies never
    }
  }

  async #put(workload: number, asked: Asked): Promise<void> {
    const { image, ...rest } = asked
    const spec: WorkloadInput = {
      ...rest,
      provider: 'here',
      services: [{ name: 'web', image }],
      strategy: this.#strategies[workload],
      stopGraceSeconds: 2,
    }
    try {
      await this.#rig.write('Workload', nameOf(workload), spec)
      this.asked.set(workload, asked)
    } catch (error) {
      // One that is on its way out cannot be changed, nor made anew before it is gone.
      if (!isFault(error, 'conflict')) throw error
    }
  }

  async #remove(workload: number): Promise<void> {
    if (!this.asked.delete(workload)) return
    await this.#rig.remove('Workload', nameOf(workload))
  }

  #newImage(): string {
    this.#counter += 1
    return `app:${this.#counter}`
  }

  #stamp(): string {
    this.#counter += 1
    return `stamp-${this.#counter}`
  }
}

export const nameOf = (workload: number): string => `w${workload}`
