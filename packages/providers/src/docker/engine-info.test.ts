import { describe, expect, it } from 'vitest'
import type { EngineInfo } from './api/types/system.ts'
import { engineInfo, isRootless } from './engine-info.ts'

const whole: EngineInfo = {
  ID: 'id',
  Name: 'east-1',
  ServerVersion: '28.0.1',
  Driver: 'overlay2',
  DockerRootDir: '/var/lib/docker',
  CgroupVersion: '2',
  CgroupDriver: 'systemd',
  LiveRestoreEnabled: true,
  SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns'],
  NCPU: 2,
  MemTotal: 1,
  MemoryLimit: true,
  PidsLimit: true,
  SwapLimit: true,
  CpuCfsQuota: true,
  IPv4Forwarding: true,
}
const asked = (more: Partial<EngineInfo>, isHere = true) =>
  engineInfo({ info: { ...whole, ...more }, apiVersion: '1.48', isHere })

describe('what an engine says of itself', () => {
  it('is its version, and how it is made', () => {
    expect(asked({})).toEqual({
      version: '28.0.1',
      facts: {
        machine: 'east-1',
        api: '1.48',
        'storage driver': 'overlay2',
        cgroup: 'v2 by systemd',
        rootless: 'no',
        'live restore': 'on',
      },
      limits: [],
    })
  })

  it('is cgroup v1 where it does not say which', () => {
    const { CgroupVersion: _, ...older } = whole
    expect(engineInfo({ info: older, apiVersion: '1.41', isHere: true }).facts?.cgroup).toBe('v1 by systemd')
  })

  it.each<[Partial<EngineInfo>, RegExp]>([
    [{ SecurityOptions: ['name=seccomp,profile=default', 'name=rootless'] }, /^Rootless: .*edge/],
    [{ MemoryLimit: false }, /^Memory cannot be limited/],
    [{ CpuCfsQuota: false }, /^Processor time cannot be limited/],
    [{ PidsLimit: false }, /^The number of processes cannot be limited/],
    [{ SwapLimit: false }, /^Swap cannot be limited/],
    [{ IPv4Forwarding: false }, /^Forwarding is off/],
    [{ LiveRestoreEnabled: false }, /^Live restore is off/],
    [{ Driver: 'vfs' }, /^Storage driver vfs/],
  ])('names what is limited by %j', (more, limit) => {
    expect(asked(more).limits).toEqual([expect.stringMatching(limit)])
  })

  it('names what is limited where it is on another machine', () => {
    expect(asked({}, false).limits).toEqual([expect.stringMatching(/^On another machine/)])
  })

  it('is not rootless because something else of it is called so', () => {
    expect(isRootless({ SecurityOptions: ['name=seccomp,profile=rootless'] })).toBe(false)
    expect(isRootless({ SecurityOptions: null })).toBe(false)
  })
})
