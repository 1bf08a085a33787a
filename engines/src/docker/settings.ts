/** What a private Docker can be asked to be like. */
import { Fault } from '@gantry/core'
import type { Settings } from '../engine.ts'

export type DockerSettings = {
  /** `liveRestore: on | off`, off if left out: whether containers go on while the daemon is away. */
  readonly liveRestore: boolean
  /** `dataBytes: <number>`: how much its images, containers and volumes may take in all; what the disk has, if left out. */
  readonly dataBytes: number | undefined
}

export function settingsFrom({ liveRestore = 'off', dataBytes, ...others }: Settings): DockerSettings {
  const isKnown = Object.keys(others).length === 0 && ['on', 'off'].includes(liveRestore)
  if (!isKnown || (dataBytes !== undefined && !/^[1-9]\d*$/.test(dataBytes))) {
    const given = JSON.stringify({ liveRestore, dataBytes, ...others })
    throw new Fault('engine_refused', `Docker takes liveRestore on or off, and dataBytes, and was given ${given}`)
  }
  return { liveRestore: liveRestore === 'on', dataBytes: dataBytes === undefined ? undefined : Number(dataBytes) }
}
