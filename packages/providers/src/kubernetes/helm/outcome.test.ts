import { describe, expect, it } from 'vitest'
import { interruptedWords, outcomeOf, wordsOf } from './outcome.ts'
import { operation, revision } from './testing/revision.ts'

describe('what became of a run of helm', () => {
  const upgrade = operation({ of: 'r2' })
  const before = revision(1, { of: 'r1', status: 'superseded' })
  it.each([
    ['a deployed revision of its own is success', [before, revision(2, { of: 'r2' })], undefined, 'succeeded'],
    [
      'a rollback is known by its content',
      [revision(1, { of: 'r2', status: 'superseded' }), revision(3, { of: 'r2', description: 'Rollback to 1' })],
      '',
      'succeeded',
    ],
    [
      'what helm took back by itself has failed',
      [
        revision(1, { of: 'r1', status: 'superseded' }),
        revision(2, { of: 'r2', status: 'failed', description: 'boom' }),
        revision(3, { of: 'r1', description: 'Rollback to 1' }),
      ],
      'Error: boom',
      'failed',
    ],
    ['nothing left and nothing said is a death', [revision(1, { of: 'r1' })], '', 'interrupted'],
    [
      'a revision that we unlocked is a death',
      [before, revision(2, { of: 'r2', status: 'failed', description: interruptedWords })],
      '',
      'interrupted',
    ],
    [
      'what cannot be made in a namespace that leaves was in vain',
      [before, revision(2, { of: 'r2', status: 'failed' })],
      'Error: UPGRADE FAILED: unable to create new content in namespace x because it is being terminated',
      'in vain',
    ],
    ['nothing left but words is a failure', [revision(1, { of: 'r1' })], 'Error: no such chart', 'failed'],
  ] as const)('%s', (_title, history, said, state) => {
    expect(outcomeOf(upgrade, history, said).state).toBe(state)
  })

  it('tells failure in the words of helm, and where those are lost in those of the revision', () => {
    const history = [revision(1, { of: 'r1' }), revision(2, { of: 'r2', status: 'failed', description: 'timed out' })]
    expect(outcomeOf(upgrade, history, 'Error: boom\n')).toMatchObject({ message: 'helm upgrade failed: boom' })
    expect(outcomeOf(upgrade, history, undefined)).toMatchObject({ message: 'helm upgrade failed: timed out' })
  })

  it('counts an uninstall only when no revision is left', () => {
    const uninstall = operation({ verb: 'uninstall' })
    expect(outcomeOf(uninstall, [], undefined)).toEqual({ state: 'succeeded' })
    expect(outcomeOf(uninstall, [revision(1, { status: 'uninstalling' })], 'Error: x').state).toBe('failed')
  })

  it('reads the error from among the lines of the log', () => {
    expect(wordsOf('level=WARN msg="old"\nError: UPGRADE FAILED: a\nb\n')).toBe('UPGRADE FAILED: a\nb')
    expect(wordsOf('panic: x')).toBe('panic: x')
  })
})
