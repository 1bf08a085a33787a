// What `module.enableCompileCache` does, for a Node that has it not. It is never needed: whatever cannot be read or kept
// is compiled again.
'use strict'
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const fs = require('node:fs')
const { constants, Script } = require('node:vm')

function load(file) {
  const source = fs.readFileSync(file, 'latin1')
  const kept = placeOf(file)
  const cachedData = kept && readOwn(kept)
  // The bundle is plain ASCII, and begins with no #! line.
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  if (kept && (!cachedData || script.cachedDataRejected)) process.once('exit', () => keep(kept, script))
  const made = { exports: {} }
  script.runInThisContext()(made.exports, createRequire(file), made, file, dirname(file))
}

// Another build or another Node has another name.
function placeOf(file) {
  const home = process.env.HOME
  const root = process.env.XDG_CACHE_HOME || (home && join(home, '.cache'))
  if (!root) return undefined
  const { size, mtimeMs } = fs.statSync(file)
  const name = `cli-${process.version}-${process.arch}-${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`
  return join(root, 'gantry', 'kept-code', name)
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

// After the run, so that it has what a run compiles. Those of builds that are gone go too.
function keep(path, script) {
  const draft = `${path}.${process.pid}`
  try {
    const folder = dirname(path)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const old of fs.readdirSync(folder)) fs.rmSync(join(folder, old), { force: true })
    fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600, flag: 'wx' })
    fs.renameSync(draft, path)
  } catch {
    // A home that cannot be written to only makes the next start slower.
  }
}

module.exports = { load }
