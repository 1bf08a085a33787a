import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { faultOf } from '../api/faults.ts'
import { isHeldBelow } from './held-below.ts'
import type { ContainerSeen } from './seen.ts'

const id = '0d86a015221a608b340c7cbab0d073b948e380742e8ec2b0affe8a6fd99a82f2'
const name = 'hello-x1.holder'
const seen = (status: ContainerSeen['status']) => ({ id, name, status }) as ContainerSeen
const refused = (status: number, message: string): Fault =>
  faultOf({ method: 'POST', path: `/containers/${id}/start`, status, body: JSON.stringify({ message }) })

const folder = `/run/containerd/io.containerd.runtime.v2.task/moby/${id}`

describe('a container that the daemon can never start again', () => {
  it.each([
    [500, 'id already in use'],
    [500, `failed to start shim: mkdir ${folder}: file exists: unknown`],
    [500, `failed to create task for container: mkdir ${folder}: file exists`],
    [500, `task ${id}: already exists: unknown`],
    [500, 'failed to create task for container: runc create failed: container with given ID already exists'],
    [403, `failed to set up container networking: endpoint with name ${name} already exists in network n`],
    [500, `endpoint with name ${name} already exists in network n`],
  ])('is one whose id or name is taken below it: %d %s', (status, message) => {
    expect(isHeldBelow(seen('created'), refused(status, message))).toBe(true)
    expect(isHeldBelow(seen('exited'), refused(status, message))).toBe(true)
  })

  it.each([
    [400, 'OCI runtime create failed: exec: "nothing": executable file not found in $PATH: unknown'],
    [500, 'driver failed programming external connectivity: Bind for 0.0.0.0:80 failed: port is already allocated'],
    [500, 'error while creating mount source path /a/b: mkdir /a/b: file exists'],
    [500, `mkdir ${folder}: no space left on device`],
    [500, `failed to start shim: fork/exec /usr/bin/shim of ${id}: permission denied`],
    [404, `No such container: ${id}`],
    [403, 'endpoint with name another already exists in network n'],
    [409, `container ${id} is marked for removal and cannot be started`],
  ])('is none that is refused for another reason: %d %s', (status, message) => {
    expect(isHeldBelow(seen('created'), refused(status, message))).toBe(false)
  })

  it('is none that runs', () => {
    expect(isHeldBelow(seen('running'), refused(500, 'id already in use'))).toBe(false)
  })

  it('is none of which nothing was heard', () => {
    expect(isHeldBelow(seen('created'), new Fault('engine_unreachable', 'id already in use'))).toBe(false)
  })
})
