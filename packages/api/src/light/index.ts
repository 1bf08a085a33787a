export { createLightClient } from './create-light-client.ts'
