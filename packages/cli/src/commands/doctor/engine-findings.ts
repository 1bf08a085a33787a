/** Which engines this machine has, for workloads and to be added as providers. */
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Call, type Clock, orAbort, withDeadline } from '@gantry/core'
import type { World } from '../../world/world.ts'
import type { Finding } from './finding.ts'

type Place = { readonly path: string } | { readonly host: string; readonly port: number }

const withinMs = 2000

export async function engineFindings({ env, clock, signal }: World): Promise<Finding[]> {
  const call = { signal }
  const docker = env.DOCKER_HOST ?? 'unix:///var/run/docker.sock'
  const nomad = env.NOMAD_ADDR
  return await Promise.all([
    look('docker', docker, 'start Docker, or set DOCKER_HOST', env.DOCKER_HOST !== undefined, clock, call),
    look('containerd', 'unix:///run/containerd/containerd.sock', 'start containerd', false, clock, call),
    kubeconfig(env),
    nomad === undefined
      ? { about: 'nomad', verdict: 'absent', found: 'NOMAD_ADDR is not set' }
      : look('nomad', nomad, 'start its agent, or set NOMAD_ADDR right', true, clock, call),
  ])
}

/** Pure: an address of theirs, as one can connect to it. */
export function placeOf(address: string): Place | undefined {
  if (address.startsWith('unix://')) return { path: address.slice('unix://'.length) }
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port } = new URL(address)
  if (hostname === '') return undefined
  const usual = { 'tcp:': 2375, 'http:': 80, 'https:': 443 }[protocol]
  if (usual === undefined) return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
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
  if (trouble === 'EACCES' || trouble === 'EPERM') {
    const advice = 'be a member of its group, or run the server as a user who is'
    return { about, verdict: 'warning', found: `${address} is there, and not for this user`, next: advice }
  }
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
