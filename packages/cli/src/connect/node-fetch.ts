/** What the client needs of `fetch`: the one that Node has takes longer to load than most commands to run. */
import type { Fetch } from '@gantry/api'
import { isPlain, plainFetch } from './plain-fetch.ts'

export const nodeFetch: Fetch = async (url, asking) => {
  if (isPlain(url, asking)) return await plainFetch(url, asking)
  const { httpFetch } = await import('./http-fetch.ts')
  return await httpFetch(url, asking)
}
