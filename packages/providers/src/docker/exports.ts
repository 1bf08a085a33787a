/** `@gantry/providers/docker`: a Docker Engine as an engine. */
export { type Endpoint, parseEndpoint, readTls, type TlsFiles } from './api/endpoint.ts'
export { type DockerEngine, dockerEngine } from './index.ts'
export type { DockerOptions } from './options.ts'
