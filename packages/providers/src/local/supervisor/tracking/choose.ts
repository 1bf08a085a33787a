/** Which way of holding trees together this machine has for us, and which limits can be put in force. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../proc/processes.ts'
import type { TrackingKind } from '../process-state.ts'
import { byGroup } from './by-group.ts'
import { byMarker } from './by-marker.ts'
import { groupsIn, isUsable, makeGroup, readGroupFile, removeGroup, writeGroupFile } from './group-files.ts'
import { type Hierarchy, hierarchiesFrom } from './hierarchies.ts'
import { type Limiter, limiterV1, limiterV2, noLimiter, v2Controllers } from './limiter.ts'
import type { Tracking } from './tracking.ts'

export type Holding = {
  readonly tracking: Tracking
  readonly limiter: Limiter
  /** What is limited here and why, in sentences. */
  readonly limits: readonly string[]
  /** At the end: takes away all groups in which nobody lives. */
  readonly sweep: () => void
}

export type TrackBy = 'best' | TrackingKind

export function chooseHolding(dataDir: string, trackBy: TrackBy): Holding {
  const name = `gantry-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const found = trackBy === 'marker' ? [] : hierarchies()
  const allowed = found.filter(({ version }) => trackBy === 'best' || trackBy === `cgroup${version}`)
  for (const hierarchy of inOrder(allowed)) {
    for (const parent of parentsIn(hierarchy)) {
      const base = join(parent, name)
      if (!isUsable(base, hierarchy.home)) continue
      makeGroup(base)
      const tracking = byGroup({ kind: `cgroup${hierarchy.version}`, base, home: hierarchy.home })
      const limiter = limiterFor(hierarchy, base, found, name)
      // What a predecessor has left, of runs that are over.
      for (const each of [base, ...limiter.bases].flatMap(groupsIn)) removeGroup(each)
      return { tracking, limiter, limits: sentences(limiter), sweep: () => sweep([base, ...limiter.bases]) }
    }
  }
  const why =
    'No control group is writable here: trees of processes are held together by a mark in their environment, and one that clears it and leaves its parent is lost'
  return { tracking: byMarker, limiter: noLimiter, limits: [why, ...sentences(noLimiter)], sweep: () => undefined }
}

function hierarchies(): Hierarchy[] {
  try {
    return hierarchiesFrom(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Version 2 kills in one step; of version 1 the freezer, which at least holds still what is to be killed. */
function inOrder(found: readonly Hierarchy[]): Hierarchy[] {
  const rank = ({ version, controllers }: Hierarchy): number => {
    if (version === 2) return 0
    return controllers.includes('freezer') ? 1 : controllers.includes('pids') ? 2 : 9
  }
  return found.filter((each) => rank(each) < 9).sort((a, b) => rank(a) - rank(b))
}

/** Below where we are, so that whatever limits us limits them too; else, for root, at the top. */
function parentsIn({ mount, home }: Hierarchy): readonly string[] {
  return home === mount ? [mount] : [home, mount]
}

function limiterFor(hierarchy: Hierarchy, base: string, all: readonly Hierarchy[], name: string): Limiter {
  if (hierarchy.version === 2 && enableControllers(base)) return limiterV2
  const v1 = all.filter(({ version }) => version === 1)
  return v1.length === 0 ? noLimiter : limiterV1(v1, name)
}

/** A group passes on only what its parent has, and not while processes live in it; so this may well be refused. */
function enableControllers(base: string): boolean {
  const offered = (readGroupFile(join(base, '..'), 'cgroup.controllers') ?? '').trim().split(' ')
  if (!v2Controllers.every((each) => offered.includes(each))) return false
  try {
    const words = v2Controllers.map((each) => `+${each}`).join(' ')
    writeGroupFile(join(base, '..'), 'cgroup.subtree_control', words)
    writeGroupFile(base, 'cgroup.subtree_control', words)
    return true
  } catch (error) {
    if (['EBUSY', 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EINVAL', 'EOPNOTSUPP'].includes(codeOf(error))) return false
    throw error
  }
}

function sweep(bases: readonly string[]): void {
  for (const base of bases) for (const each of [...groupsIn(base), base]) removeGroup(each)
}

function sentences(limiter: Limiter): string[] {
  const missing = (['cpuMillis', 'memoryBytes', 'pids'] as const).filter((each) => !limiter.enforces.includes(each))
  const names = { cpuMillis: 'cpu', memoryBytes: 'memory', pids: 'pids' }
  if (missing.length === 0) return []
  return [
    `Limits of ${missing.map((each) => names[each]).join(', ')} are not enforced: their control groups are not writable here`,
  ]
}
