/** The values as files, in the order in which helm shall read them. */
import { join } from 'node:path'
import type { Issue } from '@gantry/core'
import type { HelmSource } from '../../../source.ts'
import { readMapping } from '../../manifests/read/read-set.ts'
import type { RunPlaces } from '../command/environment.ts'
import { writePrivate } from '../run/folder.ts'
import { mergedValues, pathOf, setValues } from '../values/set.ts'

type Given = Pick<HelmSource, 'valuesFiles' | 'values' | 'set'>

export type ValuesFile = { readonly name: string; readonly content: string }

/** Pure. */
export function valuesFilesOf({ valuesFiles, values, set }: Given): readonly ValuesFile[] {
  const files = valuesFiles.map((content, at) => ({ name: `values-${at}.yaml`, content }))
  const own = Object.keys(values).length > 0 ? [{ name: 'values.json', content: JSON.stringify(values) }] : []
  if (Object.keys(set).length === 0) return [...files, ...own]
  let base = valuesFiles.reduce((merged, text) => mergedValues(merged, readMapping(text).value), {})
  base = mergedValues(base, values)
  return [...files, ...own, { name: 'set.json', content: JSON.stringify(setValues(base, set)) }]
}

export async function placeValues(source: Given, places: RunPlaces): Promise<readonly string[]> {
  const paths: string[] = []
  for (const { name, content } of valuesFilesOf(source)) {
    paths.push(await writePrivate(join(places.folder, name), content))
  }
  return paths
}

/** Pure: what is wrong with them, each by its path. */
export function valuesIssues({ valuesFiles, set }: Given): readonly Issue[] {
  const ofFiles = valuesFiles.flatMap((text, at) =>
    readMapping(text).issues.map(({ message, line }) => ({
      path: `spec.source.helm.valuesFiles[${at}]`,
      message,
      ...(line !== undefined && { line }),
    })),
  )
  const ofPaths = Object.keys(set).flatMap((path) => {
    try {
      pathOf(path)
      return []
    } catch (error) {
      return [
        { path: `spec.source.helm.set[${path}]`, message: error instanceof Error ? error.message : String(error) },
      ]
    }
  })
  return [...ofFiles, ...ofPaths]
}
