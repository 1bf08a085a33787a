import { describe, expect, it } from 'vitest'
import { continueIn } from './list-all.ts'

const head = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"'

describe('the beginning of a page', () => {
  it.each([
    ['says where the next begins', `${head},"continue":"eyJ2_-9","remainingItemCount":3},"items":[`, 'eyJ2_-9'],
    ['says that there is none', `${head}},"items":[{"metadata":{"continue":"no"}}]`, undefined],
    ['is cut off in the middle of it', `${head},"continue":"eyJ2`, undefined],
    [
      'is of a kind that says it last',
      '{"apiVersion":"a/v1","items":[],"kind":"AList","metadata":{"continue":"x"}}',
      undefined,
    ],
    ['is something else', '<html>', undefined],
  ])('%s', (_, text, token) => {
    expect(continueIn(Buffer.from(text))).toBe(token)
  })
})
