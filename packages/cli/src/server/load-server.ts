/** The server, loaded when it is run. In the bundle this file is `bin/load-server.cjs`, which does the same. */
export function loadServer(): Promise<typeof import('@gantry/server')> {
  return import('@gantry/server')
}
