import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { emulated } from '../testing/terminal.ts'
import { type Played, play } from './play.ts'
import { castOf, lasting, textOfCast, transcriptOf } from './recording.ts'
import { columns, rows } from './session.ts'

const docs = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')

describe('the first minute that the README shows', () => {
  let played: Played[]
  beforeAll(async () => {
    played = await play()
  })

  it('is what the commands print now; "npm run record" writes it anew', async () => {
    expect(lasting(transcriptOf(played))).toBe(lasting(await docs('first-minute.txt')))
  })

  it('is what the recording ends with', async () => {
    const seen = await emulated(textOfCast(await docs('first-minute.cast')), { columns, rows })
    expect(lasting(seen).split('\n').filter(isText)).toEqual(
      lasting(await docs('first-minute.txt'))
        .split('\n')
        .filter(isText),
    )
  })

  it('is recorded with every line that is typed', () => {
    const typed = textOfCast(castOf(played))
    for (const { line } of played) expect(typed).toContain(`$ ${line}\r\n`)
  })
})

const isText = (line: string): boolean => line.trim() !== ''
