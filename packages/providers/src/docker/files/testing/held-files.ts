/** A holder with files on a real engine, and services that see them, as the engine's core makes them. */
import { Secret } from '@gantry/core'
import type { DesiredService } from '../../../desired.ts'
import type { RealDocker } from '../../../testing/real-docker.ts'
import type { CreateContainer } from '../../api/types/containers.ts'
import type { Volume } from '../../api/types/volumes.ts'
import { ensurePauseImage } from '../../pause/ensure-image.ts'
import type { Owner } from '../owner.ts'
import { placeFiles } from '../place.ts'
import { type PlannedFile, planFiles } from '../plan.ts'
import { fileMounts, filesMount, filesVolume } from '../volume.ts'

export type FilesOf = Pick<DesiredService, 'name' | 'configFiles' | 'secrets'>

export type Held = {
  readonly holder: string
  readonly volume: Volume
  readonly files: readonly PlannedFile[]
}

const call = { signal: AbortSignal.timeout(15 * 60_000) }

export function secretFile(file: string, value: string | Uint8Array): DesiredService['secrets'][number] {
  return { name: 'secret', key: 'key', version: 1, value: new Secret(value), file }
}

export function configFile(path: string, content: string, mode = '0444'): DesiredService['configFiles'][number] {
  return { name: 'config', path, format: 'text', content, mode }
}

/** The holder runs, and has nothing in its volume yet. */
export async function emptyHolder(
  { docker, run, name, labels }: Pick<RealDocker, 'docker' | 'run' | 'name' | 'labels'>,
  services: readonly FilesOf[],
): Promise<Held> {
  const files = planFiles(services)
  const volume = await docker.volumes.create(filesVolume(name('files'), labels, files), call)
  const Image = await ensurePauseImage(docker, call)
  const HostConfig = { NetworkMode: 'none', ReadonlyRootfs: true, Mounts: [filesMount(volume.Name)] }
  return { files, volume, holder: await run([], { Image, HostConfig }) }
}

export async function heldFiles(
  real: RealDocker,
  services: readonly FilesOf[],
  owners: Readonly<Record<string, Owner>>,
): Promise<Held> {
  const held = await emptyHolder(real, services)
  await placeFiles(real.docker, held.holder, held.files, owners, call)
  return held
}

/** A container of the service, which does nothing until a command is run in it. */
export function serve(
  { run }: Pick<RealDocker, 'run'>,
  { files, volume }: Held,
  service: string,
  { HostConfig, ...settings }: Partial<CreateContainer> = {},
): Promise<string> {
  const Mounts = [...(HostConfig?.Mounts ?? []), ...fileMounts(files, service, volume)]
  return run(['sleep', '1000'], { ...settings, HostConfig: { NetworkMode: 'none', ...HostConfig, Mounts } })
}

/** All that a command said, and its exit code. */
export async function output(
  { docker }: Pick<RealDocker, 'docker'>,
  container: string,
  script: string,
  user?: string,
): Promise<{ readonly text: string; readonly code: number }> {
  const exec = await docker.execs.create(
    container,
    {
      Cmd: ['sh', '-c', script],
      AttachStdin: false,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
      ...(user === undefined ? {} : { User: user }),
    },
    call,
  )
  const chunks: Buffer[] = []
  for await (const { data } of (await docker.execs.start(exec, { tty: false }, call)).output) chunks.push(data)
  return { text: Buffer.concat(chunks).toString('utf8'), code: await docker.execs.exitCode(exec, call) }
}
