import { describe, expect, it } from 'vitest'
import { contextNameFor } from './context-name.ts'

const local = { local: { server: 'http://127.0.0.1:7400' } }

describe('a context', () => {
  it.each([
    ['http://127.0.0.1:7400', {}, 'local'],
    ['http://127.0.0.1:7400', { laptop: { server: 'http://127.0.0.1:7400' } }, 'laptop'],
    ['http://127.0.0.1:7500', local, 'local-7500'],
    ['https://gantry.example.com', local, 'gantry.example.com'],
    ['https://gantry.example.com:8443', local, 'gantry.example.com'],
  ])('for %s beside %j is called %s', (server, contexts, expected) => {
    expect(contextNameFor(server, { contexts })).toBe(expected)
  })
})
