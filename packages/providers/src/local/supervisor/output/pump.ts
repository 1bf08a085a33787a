/**
 * How the output of a process survives the death of its supervisor. The process writes into a pipe, as programs expect:
 * it may open /dev/stderr again, and it waits when nobody reads fast enough, so that a noisy one fills no disk. At the
 * other end is not the supervisor, whose death between reading and writing would lose what it just read, but `cat`, which
 * lives on by itself and appends to a raw file. The supervisor moves that file into segments, and finds by offsets where it
 * was. The process holds the pipe for reading as well as for writing: so it is not ended by SIGPIPE if `cat` is killed, but
 * waits for another one.
 */
import { spawn } from 'node:child_process'
import { closeSync, constants, fchownSync, fstatSync, openSync, rmSync, statSync } from 'node:fs'
import { Fault } from '@gantry/core/base'
import type { LogStream } from '../../../log-line.ts'
import { outputMarkerName } from '../../../proc/marker.ts'
import { type ProcessIdentity, rawStat } from '../../../proc/processes.ts'

export type PipeEnds = {
  /** For the process. */
  readonly write: number
  /** For the pump. */
  readonly read: number
}

/** Opens a named pipe, whose name is gone again when this answers. */
export function openPipe(path: string, owner: { readonly uid: number; readonly gid: number } | undefined): PipeEnds {
  try {
    const write = openSync(path, constants.O_RDWR)
    // Else a process of another user could not open its own /dev/stdout.
    if (owner) fchownSync(write, owner.uid, owner.gid)
    // A description of its own: a program that makes its end non-blocking must not make the pump's so.
    return { write, read: openSync(path, constants.O_RDONLY) }
  } finally {
    rmSync(path, { force: true })
  }
}

/** Which pump it is, among all of this machine: found by this in its environment. */
export function pumpMarker(marker: string, stream: LogStream): string {
  return `${marker}/${stream}`
}

/** Starts to append what comes out of the pipe to the raw file. It ends when nobody is left that could write. */
export function startPump(read: number, rawFile: string, marker: string, onExit: () => void): ProcessIdentity {
  const raw = openSync(rawFile, 'a', 0o600)
  try {
    const child = spawn('cat', [], {
      stdio: [read, raw, 'ignore'],
      env: { [outputMarkerName]: marker, PATH: process.env.PATH ?? '' },
      cwd: '/',
      detached: true,
    })
    child.once('exit', onExit)
    // Without a pid it was not started, which is told by what is thrown below.
    child.once('error', () => undefined)
    const stat = child.pid === undefined ? undefined : rawStat(child.pid)
    if (!stat) throw new Fault('capability_missing', 'The supervisor needs the program cat, which is not in its PATH')
    return { pid: stat.pid, started: stat.started }
  } finally {
    closeSync(raw)
  }
}

const descriptorOf = { stdout: 1, stderr: 2 } as const satisfies Record<LogStream, number>

const linkOf = (pid: number, stream: LogStream): string => `/proc/${pid}/fd/${descriptorOf[stream]}`

/** Which pipe a process writes this stream into, as a number; undefined if it is none, or cannot be seen. */
export function pipeOf(pid: number, stream: LogStream): number | undefined {
  try {
    const stat = statSync(linkOf(pid, stream))
    return stat.isFIFO() ? stat.ino : undefined
  } catch {
    // It ended, or closed its output: nobody writes there.
    return undefined
  }
}

export function inodeOf(pipe: number): number {
  return fstatSync(pipe).ino
}

/** The reading end of the pipe that a process writes into. Held for writing meanwhile, since else opening it could wait. */
export function reopenPipe(pid: number, stream: LogStream): number {
  const guard = openSync(linkOf(pid, stream), constants.O_RDWR)
  try {
    return openSync(`/proc/self/fd/${guard}`, constants.O_RDONLY)
  } finally {
    closeSync(guard)
  }
}
