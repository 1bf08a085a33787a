/** Which engines this machine has, for workloads and to be added as providers. */
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Call, type Clock, isFault, orAbort, withDeadline } from '@gantry/core'
import { findDocker, isDenied } from '../../engines/find-docker.ts'
import { type Place, placeOf } from '../../engines/place.ts'
import type { World } from '../../world/world.ts'
import type { Finding } from './finding.ts'

const withinMs = 2000

export async function engineFindings(world: World): Promise<Finding[]> {
  const { env, clock, signal } = world
  const call = { signal }
  const nomad = env.NOMAD_ADDR
  return await Promise.all([
    docker(world),
    look('containerd', 'unix:///run/containerd/containerd.sock', 'start containerd', false, clock, call),
    kubeconfig(env),
    nomad === undefined
      ? { about: 'nomad', verdict: 'absent', found: 'NOMAD_ADDR is not set' }
      : look('nomad', nomad, 'start its agent, or set NOMAD_ADDR right', true, clock, call),
  ])
}

async function docker(world: World): Promise<Finding> {
  const about = 'docker'
  const search = await findDocker(world).catch((error: unknown) => {
    if (!isFault(error)) throw error
    return error
  })
  if (isFault(search)) return { about, verdict: 'warning', found: search.message, next: 'set DOCKER_CERT_PATH right' }
  if ('found' in search) {
    const { version, api, endpoint } = search.found
    return { about, verdict: 'good', found: `Docker ${version} answers at ${endpoint}, API ${api}` }
  }
  const { tried } = search
  const denied = tried.find(({ trouble }) => isDenied(trouble))
  if (denied) return notForUs(about, denied.endpoint)
  const odd = tried.find(({ trouble, isNamed }) => isNamed || trouble !== 'ENOENT')
  if (!odd) return { about, verdict: 'absent', found: `not on this machine (no ${tried[0]?.endpoint})` }
  const found = `${odd.endpoint} does not answer (${odd.trouble})`
  return { about, verdict: 'warning', found, next: 'start Docker, or set DOCKER_HOST right' }
}

function notForUs(about: string, address: string): Finding {
  const next = 'be a member of its group, or run the server as a user who is'
  return { about, verdict: 'warning', found: `${address} is there, and not for this user`, next }
}

/** One that was named must be there; one that was only guessed need not. */
async function look(
  about: string,
  address: string,
  next: string,
  isNamed: boolean,
  clock: Clock,
  call: Call,
): Promise<Finding> {
  const place = placeOf(address)
  if (!place) return { about, verdict: 'warning', found: `${address} is no address that can be looked at from here` }
  const trouble = await answers(place, clock, call)
  if (trouble === undefined) return { about, verdict: 'good', found: `answers at ${address}` }
  if (isDenied(trouble)) return notForUs(about, address)
  if (!isNamed && trouble === 'ENOENT')
    return { about, verdict: 'absent', found: `not on this machine (no ${address})` }
  return { about, verdict: 'warning', found: `${address} does not answer (${trouble})`, next }
}

async function answers(place: Place, clock: Clock, call: Call): Promise<string | undefined> {
  const deadline = withDeadline(clock, withinMs, 'Connecting', call)
  const socket = connect(place)
  const connected = new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'))
  })
  try {
    return await orAbort(connected, deadline).catch((error: unknown) => {
      if (call.signal.aborted) throw error
      return 'no answer in time'
    })
  } finally {
    deadline.clear()
    socket.destroy()
  }
}

async function kubeconfig(env: World['env']): Promise<Finding> {
  const about = 'kubernetes'
  const path = env.KUBECONFIG?.split(':')[0] ?? join(env.HOME ?? homedir(), '.kube', 'config')
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return { about, verdict: 'good', found: `there is a kubeconfig: ${path}` }
  if (env.KUBECONFIG === undefined) return { about, verdict: 'absent', found: `no kubeconfig (${path})` }
  return { about, verdict: 'warning', found: `KUBECONFIG names ${path}, which cannot be read`, next: 'set it right' }
}
