import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentParts } from './contents.ts'
import { envOf, literal } from './environment.ts'
import { desiredOf, type ServiceInput, web } from './testing/desired.ts'

function env(more: Partial<ServiceInput>, siblings: readonly ServiceInput[] = []) {
  const desired = desiredOf({ services: [{ ...web, ...more }, ...siblings] })
  const [service] = desired.services
  return service ? envOf(service, desired.services, contentParts(desired, 'web-a-1')) : []
}

/** As Kubernetes reads a text: `$(NAME)` is a variable, `$$` a dollar. */
function expanded(text: string): string {
  let out = ''
  for (let at = 0; at < text.length; at += 1) {
    const next = text[at + 1]
    if (text[at] !== '$' || next === undefined) out += text[at]
    else if (next === '$') {
      out += '$'
      at += 1
    } else if (next === '(' && text.includes(')', at)) {
      out += '<variable>'
      at = text.indexOf(')', at)
    } else {
      out += `$${next}`
      at += 1
    }
  }
  return out
}

describe('the environment of a service', () => {
  it('has its ports and those of its siblings, and what the user says over the first', () => {
    const side: ServiceInput = { ...web, name: 'my-db', role: 'sidecar', ports: [{ name: 'sql', port: 5432 }] }
    const told = env({ ports: [{ name: 'http', port: 80 }], env: { PORT: 'mine', GANTRY_PORT_MY_DB_SQL: 'stolen' } }, [
      side,
    ])
    expect(told).toEqual([
      { name: 'PORT', value: 'mine' },
      { name: 'PORT_HTTP', value: '80' },
      { name: 'GANTRY_PORT_MY_DB_SQL', value: '5432' },
      { name: 'GANTRY_PORT_WEB_HTTP', value: '80' },
    ])
  })

  it('refers to secrets, over what is in plain text, but never over what is ours', () => {
    const told = env({
      ports: [{ name: 'http', port: 80 }],
      env: { TOKEN: 'plain' },
      secrets: [
        { name: 's', key: 'a', file: '/run/a' },
        { name: 's', key: 'b', env: 'PORT' },
        { name: 's', key: 'd', env: 'GANTRY_PORT_WEB_HTTP' },
      ],
    })
    const reference = { secretKeyRef: { name: expect.stringMatching(/^web-a-1-secret-/), key: 'web.1' } }
    expect(told).toEqual([
      { name: 'PORT', valueFrom: reference },
      { name: 'PORT_HTTP', value: '80' },
      { name: 'TOKEN', value: 'plain' },
      { name: 'GANTRY_PORT_WEB_HTTP', value: '80' },
    ])
    expect(JSON.stringify(told)).not.toContain('hidden')
  })

  it.each([
    ['plain', 'plain'],
    ['$HOME and $', '$HOME and $'],
    ['$(HOME)', '$$(HOME)'],
    ['a$$b', 'a$$$$b'],
    ['$HOME $(X', '$$HOME $$(X'],
  ])('says %s to Kubernetes as %s', (text, told) => {
    expect(literal(text)).toBe(told)
  })

  it('arrives as it was written, whatever it is', () => {
    const pieces = fc.array(fc.constantFrom('$', '(', ')', 'a', ' '), { maxLength: 12 }).map((some) => some.join(''))
    fc.assert(fc.property(pieces, (text) => expanded(literal(text)) === text))
  })
})
