/** What the README shows of the first minute, after `npm start`: lines as they are typed. */
export const session = [
  'npx gantry get workloads',
  'npx gantry ps',
  'npx gantry deploy hello --env GREETING=welcome --wait',
  'curl http://hello.default.localhost:7480/',
  'npx gantry rollback hello --wait',
  'npx gantry rollout history hello',
  'npx gantry status',
] as const

export const columns = 100
export const rows = 24
