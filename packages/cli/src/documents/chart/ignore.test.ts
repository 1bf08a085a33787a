import { describe, expect, it } from 'vitest'
import { ignoredBy } from './ignore.ts'

describe('.helmignore', () => {
  it.each<[string, string, string, boolean, boolean]>([
    ['nothing', '', 'templates/web.yaml', false, false],
    ['a comment', '# templates', 'templates', true, false],
    ['a name anywhere', '.git', 'charts/db/.git', true, true],
    ['a pattern anywhere', '*.tmp', 'templates/a.tmp', false, true],
    ['a pattern that does not fit', '*.tmp', 'templates/a.tmpl', false, false],
    ['one letter', 'a?c', 'abc', false, true],
    ['a folder only, and this is a file', 'docs/', 'docs', false, false],
    ['a folder only, and this is one', 'docs/', 'docs', true, true],
    ['a place from the top', '/notes.txt', 'notes.txt', false, true],
    ['a place from the top, and this is below', '/notes.txt', 'templates/notes.txt', false, false],
    ['a place inside', 'templates/*.bak', 'templates/a.bak', false, true],
    ['what an earlier rule left out', '*.txt\n!NOTES.txt', 'templates/NOTES.txt', false, false],
    ['what a later rule leaves out again', '!a.txt\n*.txt', 'a.txt', false, true],
    ['hidden files among templates, always', '', 'templates/.web.yaml.swp', false, true],
    ['letters that a pattern knows', 'a+b', 'a+b', false, true],
    ['one of several letters', '[ab].txt', 'b.txt', false, true],
  ])('with %s: %j and %s (folder: %s) → %s', (_, text, path, isFolder, expected) => {
    expect(ignoredBy(text)(path, isFolder)).toBe(expected)
  })
})
