import { isFault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { removeNamed } from '../../objects/remove-named.ts'
import { delegatedDescribe, delegatedList } from '../delegate.ts'
import type { secretDescribeCommand, secretLsCommand, secretRmCommand, secretSetCommand } from './commands.ts'
import { sourcesOf } from './given.ts'
import { readValues } from './values.ts'

export const set: Run<typeof secretSetCommand> = async ({ args, flags }, world) => {
  const { remove, replace } = flags
  const sources = sourcesOf({ words: args.KEY, remove, replace, fromArgs: flags['from-args'] })
  const { secrets } = await world.tenant()
  const { signal } = world
  const name = args.NAME
  // Before anybody is asked: who may not write it should not have to type it first.
  const isNew = await secrets.get(name, { signal }).then(
    () => false,
    (error: unknown) => {
      if (!isFault(error, 'not_found')) throw error
      return true
    },
  )
  const { text, base64 } = await readValues(sources, world)
  if (isNew) {
    const secret = { apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name }, spec: {} } as const
    await secrets.put(secret, { ifAbsent: true, signal })
  }
  const gone = Object.fromEntries(remove.map((key) => [key, null]))
  const { status } = replace
    ? await secrets.putData(name, { text, base64 }, { signal })
    : await secrets.patchData(name, { text: { ...text, ...gone }, base64 }, { signal })
  const keys = status.versions?.[0]?.keys.map((key) => key.name) ?? []
  const has = keys.length === 0 ? 'no values' : keys.join(', ')
  await world.out.write(`secret/${name} ${isNew ? 'created' : 'written'}: v${status.version} with ${has}\n`)
  return 0
}

export const list: Run<typeof secretLsCommand> = ({ flags }, world) => delegatedList('secrets', flags, world)

export const describe: Run<typeof secretDescribeCommand> = ({ args }, world) =>
  delegatedDescribe('secret', args.NAME, world)

export const remove: Run<typeof secretRmCommand> = ({ args }, world) => removeNamed('secret', args.NAME, world)
