import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { command, type Entry } from '../command/command.ts'
import { commands } from '../commands/table.ts'
import { earlierKind, kindWord } from './kinds.ts'
import { behindBreak, joinedWords, suggestionLines } from './shell-words.ts'
import { situationOf } from './situation.ts'

const examples = [{ line: 'gantry x', about: 'x' }] as const
const table: Entry[] = [
  command({
    words: ['get'],
    about: 'Look',
    args: [
      { name: 'KIND', about: 'k', offer: 'kinds' },
      { name: 'NAME', about: 'n', optional: true, many: true, offer: { objects: 'of_kind' } },
    ],
    flags: [
      { name: 'output', short: 'o', value: 'F', choices: ['json', 'yaml'], about: 'How' },
      { name: 'file', short: 'f', value: 'F', many: true, about: 'Which', offer: 'files' },
      { name: 'watch', short: 'w', about: 'Stay' },
    ],
    examples,
  }),
  command({
    words: ['rollout', 'pause'],
    about: 'Pause',
    args: [{ name: 'W', about: 'w', offer: { objects: 'workloads' } }],
    flags: [],
    examples,
  }),
  command({ words: ['rollout', 'resume'], about: 'Resume', args: [], flags: [], examples }),
  command({ words: ['delete'], about: 'Delete', args: [], flags: [], rest: 'COMMAND', examples }),
  command({ words: ['__complete'], hidden: true, about: 'Hidden', args: [], flags: [], examples }),
].map((one) => ({ command: one, load: () => Promise.reject(new Error('not loaded')) }))

function wanted(line: string): unknown {
  const { wanted: found } = situationOf(table, line.split(' '))
  return 'words' in found ? found.words.map(({ value }) => value) : found
}

describe('what a shell asks for', () => {
  it.each([
    ['', ['get', 'rollout', 'delete']],
    ['ge', ['get', 'rollout', 'delete']],
    ['-n acme ', ['get', 'rollout', 'delete']],
    ['--tenant=acme ', ['get', 'rollout', 'delete']],
    ['rollout ', ['pause', 'resume']],
    ['rollout -n acme ', ['pause', 'resume']],
    ['get -o ', ['json', 'yaml']],
    ['get --output=', ['--output=json', '--output=yaml']],
    ['get wl -o json --output', undefined],
    ['delete -- ', []],
    ['delete x ', []],
    ['nonsense ', []],
    ['get --watch=', []],
    ['get --nonsense=', []],
    ['__complete ', []],
  ])('%j', (line, words) => {
    if (words !== undefined) expect(wanted(line)).toEqual(words)
    else expect(wanted(line)).not.toContain('--output')
  })

  it('is an argument by its place, with the kind that an earlier one names', () => {
    expect(wanted('get ')).toEqual({ offer: 'kinds', prefix: '', kind: undefined })
    expect(wanted('-v get -w wl ')).toEqual({ offer: { objects: 'of_kind' }, prefix: '', kind: 'wl' })
    expect(wanted('get wl web -o json ')).toEqual({ offer: { objects: 'of_kind' }, prefix: '', kind: 'wl' })
    expect(wanted('ls wl ')).toEqual({ offer: { objects: 'of_kind' }, prefix: '', kind: 'wl' })
    expect(wanted('rollout pause ')).toMatchObject({ offer: { objects: 'workloads' } })
  })

  it('is the value of a flag, however that is written', () => {
    expect(wanted('get -f ')).toMatchObject({ offer: 'files', prefix: '' })
    expect(wanted('get --file=')).toMatchObject({ offer: 'files', prefix: '--file=' })
    expect(wanted('get --tenant ')).toMatchObject({ offer: { objects: 'tenants' } })
    expect(wanted('--context ')).toMatchObject({ offer: 'contexts' })
  })

  it('are flags that are not there yet, or may be there twice', () => {
    const flags = wanted('get -w -f a -')
    expect(flags).toEqual(expect.arrayContaining(['--output', '--file', '--tenant']))
    expect(flags).not.toContain('--watch')
  })

  it('is asked of the server that the line names', () => {
    const { globals } = situationOf(table, [
      '-nacme',
      '--server',
      'http://x',
      'get',
      '--context=work',
      '-o',
      'json',
      '',
    ])
    expect(globals).toEqual({ tenant: 'acme', server: 'http://x', context: 'work' })
  })

  it('never fails, whatever was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('get', '-o', '--', '-', '--output=', 'wl', 'rollout'))),
        (words) => {
          expect(situationOf(commands, words).current).toBe(words.at(-1) ?? '')
        },
      ),
    )
  })
})

describe('the word for a kind', () => {
  it('goes on with kinds, behind others, and with names behind a slash', () => {
    expect(kindWord('wo')).toMatchObject({
      words: expect.arrayContaining([expect.objectContaining({ value: 'workloads' })]),
    })
    expect(kindWord('wl,ro')).toMatchObject({
      words: expect.arrayContaining([expect.objectContaining({ value: 'wl,routes' })]),
    })
    expect(kindWord('wl/we')).toMatchObject({ face: { kind: 'Workload' }, prefix: 'wl/' })
    expect(kindWord('nothing/we')).toEqual({ words: [] })
  })

  it('says whose names come behind it, if it is one', () => {
    expect(earlierKind('wl')?.kind).toBe('Workload')
    for (const word of [undefined, 'wl/web', 'wl,rt', 'nothing']) expect(earlierKind(word)).toBeUndefined()
  })
})

describe('the words of bash', () => {
  it.each([
    [
      ['get', '--output', '=', 'js'],
      ['get', '--output=js'],
    ],
    [
      ['get', '--output', '='],
      ['get', '--output='],
    ],
    [['--for', '=', 'condition', '=', 'Rea'], ['--for=condition=Rea']],
    [
      ['--server', 'http', ':', '//x', ':', '80'],
      ['--server', 'http://x:80'],
    ],
    [
      ['get', 'wl', ''],
      ['get', 'wl', ''],
    ],
    [[], []],
  ])('%j', (words, joined) => {
    expect(joinedWords(words)).toEqual(joined)
  })

  it('are replaced behind their last break only', () => {
    const words = behindBreak([{ value: '--for=condition=Ready' }], '--for=condition=Re')
    expect(words).toEqual([{ value: 'Ready' }])
    expect(behindBreak([{ value: 'web' }], 'w')).toEqual([{ value: 'web' }])
  })

  it('come one on a line, with what they are behind a tab', () => {
    expect(suggestionLines([{ value: 'get', about: 'Look\nat it' }, { value: 'x' }])).toBe('get\tLook at it\nx\n')
  })
})
