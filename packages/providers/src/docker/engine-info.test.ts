import { describe, expect, it } from 'vitest'
import type { EngineInfo } from './api/types/system.ts'
import { engineInfo, isRootless } from './engine-info.ts'
import { machineOf } from './machine.ts'

const whole: EngineInfo = {
  ID: 'id',
  Name: 'east-1',
  SystemTime: '2026-11-16T10:00:00.123456789Z',
  ServerVersion: '28.0.1',
  Driver: 'btrfs',
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
  Runtimes: { runc: {}, nvidia: {} },
}
const asked = (more: Partial<EngineInfo>, isRemote = false) => {
  const info = { ...whole, ...more }
  return engineInfo({ info, machine: machineOf(info, []), apiVersion: '1.48', isRemote })
}
const always = [expect.stringMatching(/^Secrets that are told/), expect.stringMatching(/^Sizes of volumes/)]

describe('what an engine says of itself', () => {
  it('is its version, and how it is made', () => {
    expect(asked({})).toEqual({
      version: '28.0.1',
      facts: {
        machine: 'east-1',
        api: '1.48',
        'storage driver': 'btrfs',
        cgroup: 'v2 by systemd',
        rootless: 'no',
        'live restore': 'on',
      },
      limits: always,
    })
  })

  it('is cgroup v1 where it does not say which', () => {
    const { CgroupVersion: _, ...older } = whole
    expect(
      engineInfo({ info: older, machine: machineOf(older, []), apiVersion: '1.41', isRemote: false }).facts?.cgroup,
    ).toBe('v1 by systemd')
  })

  it.each<[Partial<EngineInfo>, RegExp]>([
    [{ SecurityOptions: ['name=seccomp,profile=default', 'name=rootless'] }, /^It runs without root/],
    [{ MemoryLimit: false, CpuCfsQuota: false, PidsLimit: false }, /^It cannot limit cpu, memory, pids/],
    [{ SwapLimit: false }, /^It cannot limit swap/],
    [{ Driver: 'overlay2' }, /^Storage driver overlay2 does not limit/],
    [{ Runtimes: { runc: {} } }, /^There is no runtime for graphics/],
    [{ IPv4Forwarding: false }, /^Forwarding is off/],
    [{ LiveRestoreEnabled: false }, /^Containers end with the daemon/],
  ])('names what is limited by %j', (more, limit) => {
    expect(asked(more).limits).toEqual([expect.stringMatching(limit), ...always])
  })

  it('names what is limited where it is on another machine', () => {
    expect(asked({}, true).limits).toEqual([expect.stringMatching(/^It is on another machine/), ...always])
    expect(asked({ Driver: 'vfs' }).limits).toContainEqual(expect.stringMatching(/^Storage driver vfs copies/))
  })

  it('is not rootless because something else of it is called so', () => {
    expect(isRootless({ SecurityOptions: ['name=seccomp,profile=rootless'] })).toBe(false)
    expect(isRootless({ SecurityOptions: null })).toBe(false)
  })
})
