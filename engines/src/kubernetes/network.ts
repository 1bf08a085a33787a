/** The link between the machine's network and the cluster's own, in a range of addresses that nothing else here uses. */
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { type Call, Fault } from '@gantry/core'
import { freeSubnet, interfaces, isIn, subnetRange } from '../docker/network.ts'
import { busyboxOf } from '../docker/programs.ts'
import { type Addresses, addressesOf } from './addresses.ts'
import type { Footprint } from './footprint.ts'
import { type Inside, runInside } from './inside.ts'

const run = promisify(execFile)
const attempts = 10
/** What the system calls the other end of a pair, in a network that has no other. */
const otherEnd = 'veth0'

/** Pods and Services are then reached from this machine as from a node. Nothing gets from the cluster to other machines. */
export async function makeLink({ link, programs }: Footprint, inside: Inside, call: Call): Promise<Addresses> {
  const busybox = busyboxOf(programs)
  const there = (...args: readonly string[]) => runInside(inside, busybox, ['ip', ...args], call)
  const here = (...args: readonly string[]) => run(busybox, ['ip', ...args], call)
  await there('link', 'set', 'lo', 'up')
  await runInside(inside, busybox, ['sysctl', '-w', 'net.ipv4.ip_forward=1'], call)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const subnet = freeSubnet(await interfaces(programs, call), randomInt(subnetRange.lowest, subnetRange.highest + 1))
    const addresses = addressesOf(subnet)
    const { machine, node, pods, services } = addresses
    await there('link', 'add', link, 'type', 'veth')
    await there('link', 'set', link, 'netns', String(process.pid))
    await here('addr', 'add', `${machine}/24`, 'dev', link)
    await here('link', 'set', link, 'up')
    const rivals = (await interfaces(programs, call)).filter(({ address }) => isIn(subnet, address))
    if (rivals.length === 1) {
      await there('addr', 'add', `${node}/24`, 'dev', otherEnd)
      await there('link', 'set', otherEnd, 'up')
      // Rules turn these into other addresses, but only what has a way to go is asked for at all.
      await there('route', 'add', services, 'dev', otherEnd)
      for (const range of [pods, services]) await here('route', 'add', range, 'via', node, 'dev', link)
      return addresses
    }
    await here('link', 'delete', link)
  }
  throw new Fault('engine_refused', 'No range of addresses stayed free for long enough to make a link in it')
}
