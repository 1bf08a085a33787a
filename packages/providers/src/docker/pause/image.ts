/** The image that holders are made of: the pause program, and a folder for files to be seen in. Pure: always the same. */
import { createHash } from 'node:crypto'
import { tarArchive } from '../../tar/write.ts'
import { pausePrograms } from './programs.generated.ts'

export type PauseMachine = keyof typeof pausePrograms

export type PauseImage = {
  /** By content, so that another version of us has another one beside it. */
  readonly reference: string
  /** Of its only layer: what makes an image of this name the one that we mean. */
  readonly layer: string
  /** As an engine loads it. */
  readonly archive: Buffer
}

/** On the image, and so on every container of it. */
export const pauseLabel = 'gantry.dev/pause'

/** Where a holder has its replica's files. It is there already, so that the rest can be read-only. */
export const filesFolder = '/files'

/** Nobody in particular: it needs no rights. */
const nobody = '65534:65534'
const longAgo = '2020-01-01T00:00:00Z'

export function isPauseMachine(name: string): name is PauseMachine {
  return Object.hasOwn(pausePrograms, name)
}

export function pauseImage(machine: PauseMachine): PauseImage {
  const content = Buffer.from(pausePrograms[machine], 'base64')
  const layer = tarArchive([
    { path: filesFolder.slice(1), mode: 0o700 },
    { path: 'pause', mode: 0o555, content },
  ])
  const version = hashOf(layer).slice(0, 16)
  const config = Buffer.from(
    JSON.stringify({
      architecture: machine,
      os: 'linux',
      created: longAgo,
      config: { Entrypoint: ['/pause'], User: nobody, WorkingDir: '/', Labels: { [pauseLabel]: version } },
      rootfs: { type: 'layers', diff_ids: [`sha256:${hashOf(layer)}`] },
      history: [{ created: longAgo, created_by: 'gantry' }],
    }),
  )
  const reference = `gantry-pause:${version}`
  const configFile = `${hashOf(config)}.json`
  const manifest = [{ Config: configFile, RepoTags: [reference], Layers: ['layer.tar'] }]
  const archive = tarArchive([
    { path: configFile, mode: 0o444, content: config },
    { path: 'layer.tar', mode: 0o444, content: layer },
    { path: 'manifest.json', mode: 0o444, content: Buffer.from(JSON.stringify(manifest)) },
  ])
  return { reference, layer: `sha256:${hashOf(layer)}`, archive }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
