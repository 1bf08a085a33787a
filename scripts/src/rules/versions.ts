/** All packages go by one version, and the lock file says nothing of where they were downloaded. */
import { missingFrom } from '../lock-file/complete.ts'
import type { Offence, RepoFile, Rule } from './rule.ts'

type Manifest = { version?: string; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

export const oneVersion: Rule = {
  name: 'one version',
  check(files) {
    const manifests = files.filter(({ path }) => /(^|\/)package\.json$/.test(path))
    const root = manifests.find(({ path }) => path === 'package.json')
    const version = root && (JSON.parse(root.text) as Manifest).version
    return manifests.flatMap((file) => checkManifest(file, version))
  },
}

function checkManifest({ path, text }: RepoFile, version: string | undefined): Offence[] {
  const manifest = JSON.parse(text) as Manifest
  const ours = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([name]) =>
    name.startsWith('@gantry/'),
  )
  const wrong = [['its own', manifest.version] as const, ...ours].filter(([, found]) => found !== version)
  return wrong.map(([name, found]) => ({
    path,
    line: 1,
    what: `${name} version is ${found}, the repository's ${version}`,
  }))
}

export const wholeLockFile: Rule = {
  name: 'lock file whole',
  check: (files) =>
    files
      .filter(({ path }) => path === 'package-lock.json')
      .flatMap(({ path, text }) =>
        missingFrom(JSON.parse(text)).map(({ name }) => ({ path, line: 1, what: `lacks ${name}: run npm run lock` })),
      ),
}

export const cleanLockFile: Rule = {
  name: 'lock file without download addresses',
  check: (files) =>
    files
      .filter(({ path }) => path === 'package-lock.json')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            /"resolved": "[a-z+]+:/.test(line)
              ? [{ path, line: index + 1, what: `has an address: ${line.trim()}` }]
              : [],
          ),
      ),
}
