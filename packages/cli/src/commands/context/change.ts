/** Pure: what each command makes of the contexts. */
import { Fault, isName, nameRule, nearest } from '@gantry/core'
import type { Context, Contexts } from '../../connect/contexts.ts'

export function used(contexts: Contexts, name: string): Contexts {
  known(contexts, name)
  return { ...contexts, current: name }
}

export function renamed(before: Contexts, name: string, next: string): Contexts {
  const context = known(before, name)
  if (name === next) return before
  if (Object.hasOwn(before.contexts, next)) {
    throw new Fault('already_exists', `There is a context "${next}" already; remove it first, or choose another name`)
  }
  if (next === '' || /\s/.test(next)) throw new Fault('bad_name', 'The name of a context has no blanks')
  const { [name]: _, ...rest } = before.contexts
  return {
    ...(before.current !== undefined && { current: before.current === name ? next : before.current }),
    contexts: { ...rest, [next]: context },
  }
}

/** Which one is used afterwards is for people to say. */
export function without(before: Contexts, name: string): Contexts {
  known(before, name)
  const { [name]: _, ...rest } = before.contexts
  return { ...(before.current !== undefined && before.current !== name && { current: before.current }), contexts: rest }
}

export function withTenant(before: Contexts, name: string | undefined, tenant: string): Contexts {
  if (!isName(tenant)) throw new Fault('bad_name', `"${tenant}" is no name of a tenant: it ${nameRule}`)
  const which = name ?? before.current
  if (which === undefined) {
    throw new Fault(
      'bad_request',
      'No context is used; name one with --context, or choose one with "gantry context use"',
    )
  }
  return { ...before, contexts: { ...before.contexts, [which]: { ...known(before, which), tenant } } }
}

function known({ contexts }: Contexts, name: string): Context {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined
  if (found) return found
  const names = Object.keys(contexts)
  const guess = nearest(name, names)
  const hint =
    names.length === 0
      ? 'there are none; "gantry login" makes one'
      : guess === undefined
        ? `there are ${names.join(', ')}`
        : `did you mean "${guess}"?`
  throw new Fault('bad_request', `There is no context ${JSON.stringify(name)}; ${hint}`)
}
