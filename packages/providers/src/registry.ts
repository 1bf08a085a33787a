/** Providers by the name they are registered under: several of one type live side by side. */
import { Fault } from '@gantry/core'
import { overlay } from './overlay.ts'
import type { Provider } from './provider.ts'

export class ProviderRegistry {
  readonly #providers = new Map<string, Provider>()
  #default: string | undefined

  /** The first one is the default until another is named. A name that is taken is refused, never replaced in silence. */
  register(name: string, provider: Provider): void {
    if (this.#providers.has(name)) {
      throw new Fault(
        'already_exists',
        `A provider called ${name} is registered already; remove it or choose another name`,
      )
    }
    this.#providers.set(name, named(name, provider))
    this.#default ??= name
  }

  /** Takes it out and answers whether it was there. */
  unregister(name: string): boolean {
    if (this.#default === name) this.#default = undefined
    return this.#providers.delete(name)
  }

  get(name: string): Provider {
    const provider = this.#providers.get(name)
    if (provider) return provider
    const there = this.list()
    const hint = there.length > 0 ? `registered: ${there.join(', ')}` : 'none is registered'
    throw new Fault('provider_not_found', `There is no provider called ${name}; ${hint}`)
  }

  list(): readonly string[] {
    return [...this.#providers.keys()].sort()
  }

  /** A copy: what is registered later is not in it. */
  all(): ReadonlyMap<string, Provider> {
    return new Map(this.#providers)
  }

  default(): Provider {
    if (this.#default !== undefined) return this.get(this.#default)
    throw new Fault('provider_not_found', 'No default provider is set; register one, or name one with setDefault')
  }

  setDefault(name: string): void {
    this.#default = this.get(name).name
  }
}

/** The registered name is the name: what is stored under it is found under it. */
function named(name: string, provider: Provider): Provider {
  if (provider.name === name) return provider
  const info: Provider['info'] = async (call) => ({ ...(await provider.info(call)), name })
  return overlay(provider, { name, info })
}
