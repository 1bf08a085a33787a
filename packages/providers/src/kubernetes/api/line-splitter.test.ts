import { describe, expect, it } from 'vitest'
import { LineSplitter } from './line-splitter.ts'

const text = '{"a":"é"}\n\n{"b":2}\n{"c":"日本"}\n{"d":'
const lines = ['{"a":"é"}', '{"b":2}', '{"c":"日本"}']

describe('lines of a watch', () => {
  it.each([1, 2, 3, 7, 11, 1000])('are whole in pieces of %i bytes, also where a letter is cut', (size) => {
    const bytes = Buffer.from(text)
    const splitter = new LineSplitter()
    const found: string[] = []
    for (let at = 0; at < bytes.length; at += size) {
      found.push(...splitter.push(bytes.subarray(at, at + size)).map(String))
    }
    expect(found).toEqual(lines)
    expect(splitter.push(Buffer.from('4}\n')).map(String)).toEqual(['{"d":4}'])
  })
})
