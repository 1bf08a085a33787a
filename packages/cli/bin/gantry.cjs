#!/usr/bin/env node
// Starts the bundle that the build makes. Most of a short command is compiling it, so what was compiled is kept, for each
// verb apart: the cache that Node has from 22 on keeps what the first command of all needed, and nothing for those after it.
// It is never needed: whatever cannot be read or kept is compiled again. All in one file, as every other costs time too.
'use strict'
const fs = require('node:fs')
const { dirname, join } = require('node:path')
const { constants, Script } = require('node:vm')

const dist = join(__dirname, '..', 'dist')
const verb = verbOf(process.argv.slice(2))
const loaded = new Map()

load('gantry')

// A part of the bundle is a function as Node makes one of a module, and plain ASCII.
function load(part) {
  const known = loaded.get(part)
  if (known) return known.exports
  const file = join(dist, `${part}.cjs`)
  const kept = placeOf(part, file)
  const cachedData = kept && readOwn(kept.path)
  const script = new Script(fs.readFileSync(file, 'utf8'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  if (kept && (!cachedData || script.cachedDataRejected))
    process.once('exit', (code) => code === 0 && keep(kept, script))
  const made = { exports: {} }
  loaded.set(part, made)
  script.runInThisContext()(made.exports, requireFromPart, made, file, dist)
  return made.exports
}

function requireFromPart(name) {
  const [, part] = /^gantry-part:(\w+)$/.exec(name) ?? []
  return part === undefined ? require(name) : load(part)
}

// What runs much the same code. Only a first word is one: others may be anybody's names, of which there is no end.
function verbOf(words) {
  if (words.includes('--help') || words.includes('-h')) return 'help'
  return /^[a-z-]{1,20}$/.test(words[0]) && !words[0].startsWith('-') ? words[0] : 'other'
}

// Another build or another Node has another name.
function placeOf(part, file) {
  const home = process.env.HOME
  const root = process.env.XDG_CACHE_HOME || (home && join(home, '.cache'))
  if (!root) return undefined
  const { size, mtimeMs } = fs.statSync(file)
  const build = `${part}-${process.version}-${process.arch}-${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}-`
  return { part, build, path: join(root, 'gantry', 'kept-code', build + verb) }
}

// Code is taken from nobody else: not from a file of another user, nor from one that others may write.
function readOwn(path) {
  try {
    const handle = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    try {
      const { uid, mode } = fs.fstatSync(handle)
      return uid === process.getuid() && (mode & 0o022) === 0 ? fs.readFileSync(handle) : undefined
    } finally {
      fs.closeSync(handle)
    }
  } catch {
    return undefined
  }
}

// After a run that went well, so that it has what a run compiles. Those of builds that are gone go too.
function keep({ part, build, path }, script) {
  const draft = `${path}.${process.pid}`
  try {
    const folder = dirname(path)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const old of fs.readdirSync(folder)) {
      if (!old.startsWith(build) && (old.startsWith(`${part}-`) || old.startsWith('cli-'))) {
        fs.rmSync(join(folder, old), { force: true })
      }
    }
    fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600, flag: 'wx' })
    fs.renameSync(draft, path)
  } catch {
    // A home that cannot be written to only makes the next start slower.
  }
}
