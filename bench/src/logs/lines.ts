/** What the noisy replicas write: lines of 100 bytes, numbered, some with a secret in them. */

export const replicas = 10
export const linesEach = 200_000
export const lineBytes = 100

/** Values such as people have; all but the last are never printed, which is the usual case. */
export const secrets = [
  'postgres://shop:hunter2hunter2@db.internal:5432/shop',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'k8s-bootstrap.token.0123456789abcdef',
  'c2VjcmV0LXZhbHVlLW9mLTMyLWJ5dGVzLWxvbmch',
  'AKIAIOSFODNN7EXAMPLE',
] as const

const printed = secrets[4]
const noise = 'GET /api/v1/items?page=3 200 12ms upstream=10.0.3.17:8080 agent=curl/8.5.0 bytes=5321 cache=miss ok'

/** Without its line end. */
export function lineOf(number: number): string {
  const secret = number % 100 === 0 ? ` key=${printed}` : ''
  return `${String(number).padStart(9, '0')}${secret} ${noise}`.slice(0, lineBytes - 1).padEnd(lineBytes - 1, '.')
}
