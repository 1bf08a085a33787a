import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { footprintFile, idFor } from './footprint-file.ts'

const { write, read } = footprintFile<{ readonly link: string }>()

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-footprint-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is read as it was written', async () => {
  await write(folder, { link: 'gk012345' })
  expect(await read(folder)).toEqual({ link: 'gk012345' })
})

it('is nothing where nothing was made, and an error where that cannot be told', async () => {
  expect(await read(folder)).toBeUndefined()
  mkdirSync(join(folder, 'footprint.json'))
  await expect(read(folder)).rejects.toMatchObject({ code: 'EISDIR' })
})

it('has names by the folder: the same each time, others for another', () => {
  expect(idFor('/a')).toMatch(/^[0-9a-f]{6}$/)
  expect(idFor('/a')).toBe(idFor('/a'))
  expect(idFor('/a')).not.toBe(idFor('/b'))
})
