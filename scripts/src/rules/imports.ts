/** Rooms know only those that they are meant to know. */
import { posix } from 'node:path'
import { type Import, importsOf } from './imports-of.ts'
import { type Room, roomAt, roomOf } from './rooms.ts'
import { isSource, isTest, type Offence, type RepoFile, type Rule } from './rule.ts'

export const roomImports: Rule = {
  name: 'what a room may import',
  check: (files) => files.filter(isSource).flatMap(checkFile),
}

function checkFile(file: RepoFile): Offence[] {
  const folder = roomOf(file.path)
  if (folder === undefined) return []
  const room = roomAt(folder)
  if (!room) return [{ path: file.path, line: 1, what: `${folder} has no line in the table of rooms` }]
  return importsOf(file).flatMap((one) => {
    const what = refusal(file, folder, room, one)
    return what ? [{ path: file.path, line: one.line, what }] : []
  })
}

function refusal(file: RepoFile, folder: string, room: Room, { specifier }: Import): string | undefined {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(file.path), specifier)
    return target.startsWith(`${folder}/`)
      ? undefined
      : `${specifier} leads out of ${folder}: import the package by its name`
  }
  if (specifier.startsWith('node:')) {
    return room.browser && !isTest(file)
      ? `${specifier} is not there in a browser, where ${folder} runs too`
      : undefined
  }
  const [, name, part] = /^@gantry\/([^/]+)(\/.*)?$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  if (isTest(file) && (name === 'engines' || part === '/testing')) return undefined
  if (`packages/${name}` === folder || name === folder) return `${folder} imports itself by its name`
  return room.imports.includes(name) ? undefined : `${folder} may not import @gantry/${name}`
}
