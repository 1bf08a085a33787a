#!/usr/bin/env node
// The bundle is made by the build. Node from 22 on can keep what it compiled.
const { enableCompileCache } = require('node:module')
enableCompileCache?.()
require('../dist/gantry.cjs')
