/** How a workload is now, without waiting for anything. */
import { Fault } from '@gantry/core'
import { type Picture, pictures } from '../progress/picture.ts'
import type { World } from '../world/world.ts'

export async function pictureNow(names: ReadonlySet<string>, world: World): Promise<Picture> {
  const { tenant } = await world.connection()
  const where = { client: await world.client(), tenant, signal: world.signal }
  for await (const picture of pictures(names, where)) return picture
  throw new Fault('unexpected', 'The watch ended before it began')
}
