#!/usr/bin/env node
// Starts the bundle that the build makes. Most of a short command is compiling it, so what was compiled is kept: by Node
// itself from 22 on, and by us on Node 20.
'use strict'
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

const bundle = join(__dirname, '..', 'dist', 'gantry.cjs')
if (enableCompileCache) {
  enableCompileCache()
  require(bundle)
} else require('./kept-code.cjs').load(bundle)
