/** For tests and benches of other rooms: the whole program as a user has it, and a service to be kept busy. */
export { type DockerRelay, relayDocker } from '../whole/testing/docker-relay.ts'
export { settled } from '../whole/testing/settled.ts'
export { type System, startSystem } from '../whole/testing/system.ts'
export { until } from '../whole/testing/until.ts'
export { webProgram, webWorkload } from '../whole/testing/web-program.ts'
export { loadNodeImage, nodeImage, pushNodeImage } from './zero-failed/node-image.ts'
