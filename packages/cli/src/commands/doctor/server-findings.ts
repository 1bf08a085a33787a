/** What there is to find out about the server, from here. */
import type { Client } from '@gantry/api'
import { type Call, type Clock, isFault } from '@gantry/core'
import { nodeFetch } from '../../connect/node-fetch.ts'
import { ownVersion } from '../../own-version.ts'
import type { Connection, World } from '../../world/world.ts'
import { skewWarning } from '../version/skew.ts'
import { grantsText } from '../whoami/grants.ts'
import { clockFinding } from './clock.ts'
import type { Finding } from './finding.ts'

/** Each by itself: what fails is told, and what does not need it is looked at all the same. */
export async function serverFindings(world: World): Promise<Finding[]> {
  const connection = await world.connection()
  const client = await world.client()
  const { signal } = world
  const reached = await reach(client, connection, world.clock, world)
  if (reached.some(({ verdict }) => verdict === 'bad')) return reached
  const token = await tokenFinding(client, { signal })
  const parts = await readiness(client, { signal })
  if (token.verdict === 'bad') return [...reached, token, ...parts]
  return [
    ...reached,
    token,
    await versionFinding(client, { signal }),
    ...parts,
    ...(await providerFindings(client, connection.tenant, { signal })),
  ]
}

async function reach(client: Client, { from }: Connection, clock: Clock, { signal }: Call): Promise<Finding[]> {
  const about = 'server'
  try {
    await client.health({ signal })
    const sent = clock.now()
    const headers = { accept: 'application/json' }
    const answer = await nodeFetch(`${client.server}/healthz`, { method: 'GET', headers, redirect: 'manual', signal })
    await answer.text()
    const clockFound = clockFinding(answer.headers.get('date'), sent, clock.now())
    return [{ about, verdict: 'good', found: `${client.server} answers (${from})` }, clockFound]
  } catch (error) {
    if (!isFault(error)) throw error
    const next = `start it with "gantry serve", or name another with --server; this one is from ${from}`
    return [{ about, verdict: 'bad', found: error.message, next }]
  }
}

async function tokenFinding(client: Client, call: Call): Promise<Finding> {
  try {
    const who = await client.whoami(call)
    return { about: 'token', verdict: 'good', found: `${who.name}: ${grantsText(who)}` }
  } catch (error) {
    if (!isFault(error)) throw error
    return { about: 'token', verdict: 'bad', found: error.message, next: 'sign in again with "gantry login"' }
  }
}

async function versionFinding(client: Client, call: Call): Promise<Finding> {
  const { version } = await client.version(call)
  const warning = skewWarning(ownVersion, version)
  if (warning !== undefined) return { about: 'versions', verdict: 'warning', found: warning }
  return { about: 'versions', verdict: 'good', found: `this program ${ownVersion}, server ${version}` }
}

async function readiness(client: Client, call: Call): Promise<Finding[]> {
  const { parts } = await client.ready(call)
  return parts.map(({ name, ready, message }): Finding => {
    const about = `part ${name}`
    if (ready) return { about, verdict: 'good', found: 'ready' }
    return { about, verdict: 'bad', found: message ?? 'not ready', next: 'the log of the server says more' }
  })
}

async function providerFindings(client: Client, tenant: string, call: Call): Promise<Finding[]> {
  const about = 'providers'
  try {
    const all = await client.tenant(tenant).providers(call)
    if (all.length > 0) return all.map(({ name, type, ready }) => providerFinding(name, type, ready))
    const next = `"gantry provider add docker --tenants ${tenant}" adds one`
    return [{ about, verdict: 'warning', found: `tenant ${tenant} may use none`, next }]
  } catch (error) {
    if (!isFault(error)) throw error
    return [
      { about, verdict: 'warning', found: error.message, next: 'choose a tenant with "gantry context set-tenant"' },
    ]
  }
}

function providerFinding(name: string, type: string, ready: 'True' | 'False' | 'Unknown'): Finding {
  const about = `provider ${name}`
  if (ready === 'True') return { about, verdict: 'good', found: `${type}, ready` }
  const found = ready === 'False' ? `${type}, not ready` : `${type}, could not be looked at`
  return {
    about,
    verdict: ready === 'False' ? 'bad' : 'warning',
    found,
    next: `"gantry describe provider ${name}" says why`,
  }
}
