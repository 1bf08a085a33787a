/** What can stand where a line is being written, with the names that the server has now. */
import type { AnyFace } from '@gantry/core'
import { faceCalled } from '../objects/targets.ts'
import type { World } from '../world/world.ts'
import { earlierKind, kindWord } from './kinds.ts'
import type { Situation, Suggestion } from './situation.ts'

/** Who waits for longer has written the name meanwhile. */
const patienceMs = 2000
const mostNames = 500

export type Suggested = { readonly suggestions: readonly Suggestion[]; readonly files: boolean }

export async function suggest(situation: Situation, world: World): Promise<Suggested> {
  const { wanted, current } = situation
  if ('words' in wanted) return fixed(wanted.words)
  const { offer, prefix, kind } = wanted
  if (offer === 'files') return { suggestions: [], files: true }
  if (offer === 'contexts') return fixed(await contextNames(world))
  if (offer === 'kinds') return await kindsOrNames(current)
  if ('words' in offer) return fixed(offer.words.map((value) => ({ value: prefix + value })))
  if (offer.objects !== 'of_kind') return fixed(await names(faceCalled(offer.objects), prefix))
  const face = earlierKind(kind)
  return face ? fixed(await names(face, prefix)) : await kindsOrNames(current)

  async function kindsOrNames(word: string): Promise<Suggested> {
    const found = kindWord(word)
    return fixed('words' in found ? found.words : await names(found.face, found.prefix))
  }

  async function names(face: AnyFace, before: string): Promise<Suggestion[]> {
    const { objectsOf } = await import('../objects/access.ts')
    const { client, tenant } = await clientFor(situation.globals, world)
    for await (const page of objectsOf(client, tenant, face).list({ limit: mostNames, signal: world.signal }).pages()) {
      return page.items.map(({ metadata }) => ({ value: before + metadata.name }))
    }
    return []
  }
}

function fixed(suggestions: readonly Suggestion[]): Suggested {
  return { suggestions, files: false }
}

/** The line that is being written may say whom to ask. */
async function clientFor(globals: Situation['globals'], world: World) {
  const [{ choose }, { connect }, { contextsPath, readContexts }] = await Promise.all([
    import('../connect/choose.ts'),
    import('../connect/connect.ts'),
    import('../connect/contexts.ts'),
  ])
  const path = contextsPath(world.env)
  const { tenant, context, server, token } = globals
  const said = { ...world.globals, tenant, context, server, token }
  const connection = choose(said, world.env, await readContexts(path), path)
  return { client: await connect(connection, world.clock, patienceMs), tenant: connection.tenant }
}

async function contextNames(world: World): Promise<Suggestion[]> {
  const { contextsPath, readContexts } = await import('../connect/contexts.ts')
  const { contexts } = await readContexts(contextsPath(world.env))
  return Object.entries(contexts).map(([value, { server }]) => ({ value, about: server }))
}
