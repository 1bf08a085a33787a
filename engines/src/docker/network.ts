/** The addresses of an instance: a range that nothing else on this machine uses, and the first bridge in it. */
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { type Call, Fault } from '@gantry/core'
import { type Footprint, writeFootprint } from './footprint.ts'
import { busyboxOf } from './programs.ts'

const run = promisify(execFile)

/** Of 10.0.0.0/8, the part that home networks and other programs ask for least. */
const [lowest, highest] = [192, 255]
export const subnetRange = { lowest, highest } as const
const attempts = 10

export type Interface = { readonly name: string; readonly address: string }

/** Chooses a range, and makes the bridge. Whoever chose the same at the same time sees it as well, and both choose again. */
export async function makeBridge(
  folder: string,
  names: Omit<Footprint, 'subnet'>,
  call: Call,
): Promise<Footprint & { readonly subnet: number }> {
  const ip = (...args: readonly string[]) => run(busyboxOf(names.programs), ['ip', ...args], call)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const subnet = freeSubnet(await interfaces(names.programs, call), randomInt(lowest, highest + 1))
    const footprint = { ...names, subnet }
    await writeFootprint(folder, footprint)
    await ip('link', 'add', names.bridge, 'type', 'bridge')
    await ip('addr', 'add', `10.${subnet}.0.1/24`, 'dev', names.bridge)
    await ip('link', 'set', names.bridge, 'up')
    const rivals = (await interfaces(names.programs, call)).filter(({ address }) => isIn(subnet, address))
    if (rivals.length === 1) return footprint
    await ip('link', 'delete', names.bridge)
  }
  throw new Fault('engine_refused', 'No range of addresses stayed free for long enough to make a bridge in it')
}

/** For networks whose maker names no addresses, and for those whose maker does: apart, and apart from the first bridge. */
export function ranges(subnet: number): { readonly unnamed: string; readonly named: string } {
  return { unnamed: `10.${subnet}.64.0/18`, named: `10.${subnet}.128.0/17` }
}

/** The first one from `start` on, round and round, that no interface has an address of. */
export function freeSubnet(taken: readonly Interface[], start: number): number {
  const count = highest - lowest + 1
  for (let step = 0; step < count; step += 1) {
    const subnet = lowest + ((start - lowest + step) % count)
    if (!taken.some(({ address }) => isIn(subnet, address))) return subnet
  }
  throw new Fault(
    'engine_refused',
    `All ranges from 10.${lowest}.0.0 to 10.${highest}.255.255 are taken on this machine`,
  )
}

export function isIn(subnet: number, address: string): boolean {
  return address.startsWith(`10.${subnet}.`)
}

/** Every IPv4 address of the machine, also of interfaces that are down. */
export async function interfaces(programs: string, call: Call): Promise<Interface[]> {
  return parseInterfaces((await run(busyboxOf(programs), ['ip', '-o', '-4', 'addr'], call)).stdout)
}

/** Lines as `5: name    inet 10.250.0.1/24 …`. */
export function parseInterfaces(text: string): Interface[] {
  return [...text.matchAll(/^\d+: (\S+)\s+inet ([\d.]+)\//gm)].map(([, name = '', address = '']) => ({ name, address }))
}
