// For `node --require`: says at the end which of the things that take long to load were loaded.
'use strict'
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const large = [
    'http',
    'https',
    'tls',
    'perf_hooks',
    'fs/promises',
    'readline',
    'internal/deps/undici/undici',
    'child_process',
  ]
  const builtin = large.filter((name) => process.moduleLoadList.includes(`NativeModule ${name}`))
  const schemas = '__zod_globalRegistry' in globalThis ? ['zod'] : []
  writeSync(2, `loaded: ${[...builtin, ...schemas].join(' ')}\n`)
})
