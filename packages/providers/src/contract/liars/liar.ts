/** An engine or provider that claims more than it does. Every one must be caught, by the case named here at least. */
import type { Engine } from '../../engine.ts'
import type { Provider } from '../../provider.ts'

export type Liar = {
  readonly lie: string
  readonly caughtBy: string
  readonly wrapEngine?: (engine: Engine) => Engine
  readonly wrapProvider?: (provider: Provider) => Provider
}
