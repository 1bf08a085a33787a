import type { Token, TokenClient } from '@gantry/api'
import { Fault, isFault, nearest } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { age } from '../../output/age.ts'
import { dataText } from '../../output/data.ts'
import { table } from '../../output/table.ts'
import type { World } from '../../world/world.ts'
import type { tokenCreateCommand, tokenLsCommand, tokenRevokeCommand } from './commands.ts'

type Kept = Pick<TokenClient<never>, 'list' | 'revoke'>

async function tokensOf(world: World, ofSystem: boolean): Promise<Kept> {
  return ofSystem ? (await world.client()).tokens : (await world.tenant()).tokens
}

export const create: Run<typeof tokenCreateCommand> = async ({ args, flags }, world) => {
  const { role } = flags
  if (role === undefined) {
    throw new Fault('bad_request', 'What may it do? Give --role viewer, operator, admin or system')
  }
  const { signal } = world
  const expiresAt =
    flags.expires === undefined ? {} : { expiresAt: new Date(world.clock.now() + flags.expires).toISOString() }
  const input = { name: args.NAME, ...expiresAt }
  const made =
    role === 'system'
      ? await (await world.client()).tokens.create(input, { signal })
      : await (await world.tenant()).tokens.create({ ...input, role }, { signal })
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText(made, flags.output))
    return 0
  }
  await world.out.write(`${made.token}\n`)
  const where = made.tenant === undefined ? 'everywhere' : `in tenant ${made.tenant}`
  await world.err.write(
    `This is the token of ${made.name}, ${made.role} ${where}. It is not shown again; keep it now.\n`,
  )
  return 0
}

export const list: Run<typeof tokenLsCommand> = async ({ flags }, world) => {
  const items = await (await tokensOf(world, flags.system)).list({ signal: world.signal }).toArray()
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText({ items }, flags.output))
  } else if (flags.output === 'name') {
    await world.out.write(items.map(({ name }) => `${name}\n`).join(''))
  } else if (items.length === 0) await world.err.write('There are none here; "gantry token create" makes one\n')
  else await world.out.write(tokenTable(items, world.clock.now()))
  return 0
}

export function tokenTable(tokens: readonly Token[], now: number): string {
  return table(
    ['NAME', 'ROLE', 'BY', 'LAST USED', 'EXPIRES', 'AGE'],
    tokens.map(({ name, role, createdBy, lastUsedAt, expiresAt, createdAt }) => {
      const used = lastUsedAt === undefined ? 'never' : `${age(lastUsedAt, now)} ago`
      return [name, role, createdBy, used, expiryText(expiresAt, now), age(createdAt, now)]
    }),
  )
}

function expiryText(expiresAt: string | undefined, now: number): string {
  if (expiresAt === undefined) return 'never'
  const then = Date.parse(expiresAt)
  // The same words for what is to come, by looking from there.
  return then <= now ? 'expired' : `in ${age(new Date(now).toISOString(), then)}`
}

export const revoke: Run<typeof tokenRevokeCommand> = async ({ args, flags }, world) => {
  const tokens = await tokensOf(world, flags.system)
  for (const name of args.NAME) {
    await tokens.revoke(name, { signal: world.signal }).catch(async (error: unknown) => {
      throw isFault(error, 'not_found') ? await unknownToken(name, tokens, flags.system, error) : error
    })
    await world.out.write(`token ${name} is revoked\n`)
  }
  return 0
}

async function unknownToken(name: string, tokens: Kept, ofSystem: boolean, cause: Fault): Promise<Fault> {
  const known = await tokens.list().toArray()
  const guess = nearest(
    name,
    known.map((token) => token.name),
  )
  const other = ofSystem ? '' : '; those of the installation need --system'
  const hint = guess === undefined ? `"gantry token ls" shows those that there are${other}` : `did you mean "${guess}"?`
  return new Fault(cause.reason, `There is no token "${name}"; ${hint}`, { cause })
}
