import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('.', import.meta.url)
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'),
)

it.each(sources)('%s runs in a browser: nothing in it is Node’s alone', (name) => {
  const code = readFileSync(new URL(name.replaceAll('\\', '/'), folder), 'utf8').replaceAll(
    /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm,
    '',
  )
  expect(code).not.toMatch(
    /from '(?:node:|fs|path|crypto|util|events)|\b(?:Buffer|process|require|setImmediate|__dirname)\b\s*[.(]/,
  )
})
