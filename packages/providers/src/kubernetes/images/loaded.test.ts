import { describe, expect, it } from 'vitest'
import { isLoaded } from './loaded.ts'

const digest = `sha256:${'a'.repeat(64)}`
const node = (...names: readonly string[]) => ({ status: { images: [{ names }] } })

describe('an image was put on a node by hand', () => {
  it.each([
    ['web:1', [node('docker.io/library/web:1')]],
    ['web', [node('docker.io/library/web:latest')]],
    ['team/web:1', [node(), node('docker.io/team/web:1')]],
    ['web:1', [node('docker.io/library/web:1', `docker.io/library/import-2026-11-17@${digest}`)]],
    ['a.example:5000/web:1', [node('a.example:5000/web:1')]],
    ['web:1', [node('docker.io/library/web:1', `docker.io/library/web@${digest}`), node('docker.io/library/web:1')]],
  ])('where %s is there by its tag alone', (image, nodes) => {
    expect(isLoaded(image, nodes)).toBe(true)
  })

  it.each([
    ['web:1', []],
    ['web:1', [{}, { status: {} }, { status: { images: null } }, { status: { images: [{ names: null }] } }]],
    ['web:1', [node('docker.io/library/web:2')]],
    ['web:1', [node('a.example/library/web:1')]],
    ['web:1', [node('docker.io/library/web:1', `docker.io/library/web@${digest}`)]],
    ['web:1', [node(`docker.io/library/web@${digest}`)]],
  ])('and not where %s is absent, another one, or was pulled', (image, nodes) => {
    expect(isLoaded(image, nodes)).toBe(false)
  })
})
