/** `@gantry/providers/docker`: a Docker Engine as an engine. */
export type { DockerApi } from './api/api.ts'
export { type ConnectOptions, connectDocker } from './api/connect.ts'
export { type Endpoint, parseEndpoint, readTls, type TlsFiles } from './api/endpoint.ts'
export { type DockerEngine, dockerEngine } from './index.ts'
export type { DockerOptions } from './options.ts'
