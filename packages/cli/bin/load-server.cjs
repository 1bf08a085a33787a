// Code that was kept compiled cannot import by itself without a warning of Node 20; a file of its own can.
'use strict'
module.exports = { loadServer: () => import('@gantry/server') }
