import { Fault, isFault } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { writable } from '../../objects/access.ts'
import { chosen } from '../../objects/chosen.ts'
import { find, notFound, type Where } from '../../objects/find.ts'
import { faceCalled } from '../../objects/targets.ts'
import { usualPatienceMs, waitUntil } from '../../objects/waiting/wait-until.ts'
import type { World } from '../../world/world.ts'
import type { deleteCommand } from './command.ts'
import { type Doomed, inOrder, isYes, onlyForWorkloads, outcome, question, refusal } from './plan.ts'

type Flags = Input<typeof deleteCommand>['flags']

export const run: Run<typeof deleteCommand> = async ({ args, flags }, world) => {
  const words = [...(args.KIND === undefined ? [] : [args.KIND]), ...args.NAME]
  const why = refusal(words, flags)
  if (why !== undefined) throw new Fault('bad_request', why)
  const { tenant } = await world.connection()
  const where: Where = { client: await world.client(), tenant, selector: flags.selector, signal: world.signal }
  const isFiles = flags.filename.length > 0
  const doomed = inOrder(isFiles ? await ofFiles(flags, world, tenant) : await ofWords(words, flags, where))
  onlyForWorkloads(doomed, flags)
  const isNamed = isFiles || (!flags.all && flags.selector === undefined)
  if (doomed.length === 0) {
    await world.err.write('Nothing to delete.\n')
    return 0
  }
  if (flags['dry-run']) {
    await world.out.write(doomed.map((one) => `${nameOf(one)} would be deleted\n`).join(''))
    return 0
  }
  const asked = flags.yes || !world.keys.isTerminal ? undefined : question(doomed, isNamed, flags)
  if (asked !== undefined && !isYes(await world.keys.ask(asked, { signal: world.signal }))) {
    await world.err.write('Nothing was deleted.\n')
    return 1
  }
  const [first] = await deleteAll(doomed, flags, where, world)
  if (first) throw first
  return 0
}

/** The faults of those that could not be deleted; the others are on their way all the same. */
async function deleteAll(doomed: readonly Doomed[], flags: Flags, where: Where, world: World): Promise<Fault[]> {
  const faults: Fault[] = []
  const going: Doomed[] = []
  for (const one of doomed) {
    try {
      const gone = await deleteOne(one, flags, where)
      if (gone === 'gone') await world.out.write(`${nameOf(one)} is not there\n`)
      else if (flags.wait) going.push(one)
      else await world.out.write(`${nameOf(one)} ${gone}\n`)
    } catch (error) {
      if (!isFault(error) || world.signal.aborted) throw error
      faults.push(error)
    }
  }
  const patience = {
    clock: world.clock,
    timeoutMs: world.globals.timeoutMs ?? usualPatienceMs,
    async say({ about, isMet, text }: { about: string; isMet: boolean; text: string }) {
      if (isMet) await world.out.write(`${about} deleted\n`)
      else await world.err.write(`${about}: ${text}\n`)
    },
  }
  await Promise.all(
    going.map(({ face, name, tenant }) =>
      waitUntil({ face, names: [name] }, { type: 'delete' }, { ...where, tenant, selector: undefined }, patience),
    ),
  )
  return faults
}

async function deleteOne({ face, name, tenant }: Doomed, flags: Flags, where: Where): Promise<string> {
  const { client, signal } = where
  const { volumes, abandon, why } = flags
  try {
    const more = { ...(volumes && { volumes }), ...(abandon && { abandon, why }) }
    const deleted =
      face.kind === 'Workload'
        ? await client.tenant(tenant).workloads.delete(name, { ...more, signal })
        : await writable(client, tenant, face).delete(name, { signal })
    return outcome(deleted)
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
    if (flags['ignore-not-found']) return 'gone'
    const { objects } = await find({ face, names: [] }, { ...where, tenant, selector: undefined })
    throw notFound(
      face,
      name,
      objects.map(({ metadata }) => metadata.name),
      tenant,
      error,
    )
  }
}

async function ofWords(words: readonly string[], flags: Flags, where: Where): Promise<Doomed[]> {
  const { selector, all } = flags
  const targets = chosen({ words, selector, all, line: 'gantry delete' })
  for (const { face } of targets) writable(where.client, where.tenant, face)
  const found = await Promise.all(
    targets.map(async (target) => {
      const { face, names } = target
      const known = names.length > 0 ? names : (await find(target, where)).objects.map(({ metadata }) => metadata.name)
      return known.map((name): Doomed => ({ face, name, tenant: where.tenant }))
    }),
  )
  return found.flat()
}

async function ofFiles(flags: Flags, world: World, tenant: string): Promise<Doomed[]> {
  const { readDocuments } = await import('../../documents/documents.ts')
  const { objects } = await readDocuments(flags, world)
  return objects.map((object) => {
    const { kind, metadata } = object as { kind?: unknown; metadata?: { name?: unknown; tenant?: unknown } }
    if (typeof kind !== 'string' || typeof metadata?.name !== 'string') {
      throw new Fault('bad_document', 'Every object of a file needs kind and metadata.name, to be found by')
    }
    return {
      face: faceCalled(kind),
      name: metadata.name,
      tenant: typeof metadata.tenant === 'string' ? metadata.tenant : tenant,
    }
  })
}

function nameOf({ face, name }: Doomed): string {
  return `${face.kind.toLowerCase()}/${name}`
}
