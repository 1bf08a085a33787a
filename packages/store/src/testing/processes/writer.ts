/** A process that writes until it is killed, and says what was acknowledged. Run from dist: `writer.js <database> <prefix>`. */
import { writeSync } from 'node:fs'
import { openStore } from '../../open.ts'
import { systemScope } from '../../scope.ts'

const [database = '', prefix = ''] = process.argv.slice(2)
const call = { signal: new AbortController().signal }
const scope = systemScope()
const store = await openStore({ database }, call)
const writers = 8

async function write(writer: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const name = `${prefix}-${writer}-${n}`
    // Two objects that only make sense together, an entry about them, and a counter: whole or absent.
    const commands = ['left', 'right'].map((kind) => {
      const [key, labels] = [{ kind, tenant: 'crash', name }, { round: prefix }]
      const draft = { key, labels, spec: { text: name.repeat(20) }, usage: { objects: 1n } }
      return { op: 'create', draft } as const
    })
    const audit = { actor: prefix, action: 'pair', outcome: 'done', tenant: 'crash', requestId: name } as const
    await store.write(scope, commands, { audit }, call)
    // Straight to the pipe: what is said here has been acknowledged, even if this process dies with the next instruction.
    writeSync(1, `${name}\n`)
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
