/** One installation with one workload, whose server can be made to die anywhere. */
import { rm } from 'node:fs/promises'
import { connectSupervisor } from '@gantry/providers/local'
import { type System, startSystem } from '../whole/testing/system.ts'
import { Control } from './control.ts'
import type { Ground, OpenGround } from './ground.ts'
import { secretName } from './kinds-of-life.ts'

export type Rig = {
  readonly system: System
  readonly ground: Ground
  /** To the server that runs, or ran last. */
  readonly control: Control
  /** Where there may be files of it. */
  readonly roots: readonly string[]
  start(): Promise<void>
  /** What is left running, and where it was `sound`, of workloads too: nothing, if all is well. */
  dispose(isSound: boolean): Promise<readonly string[]>
}

/** `program`: the server that is watched, as a file. */
export async function openRig(openGround: OpenGround, program: string): Promise<Rig> {
  let control: Control | undefined
  const system = await startSystem({ program, onStart: (child) => (control = new Control(child)) })
  const { dataDir } = system
  const roots = [dataDir, `${dataDir}-run`]
  const supervisor = connectSupervisor(dataDir, { start: false })
  const start = async (): Promise<void> => {
    // Reading extra certificates takes longer than all the rest of a start, of which there are many.
    await system.start({ NODE_EXTRA_CA_CERTS: undefined })
    if (control?.isGone !== false) throw new Error(`the server does not start: ${system.output().slice(-2000)}`)
  }
  const installation = start().then(async () => {
    await makeSecret(system)
    const { memoryDir } = await supervisor.info({ signal: AbortSignal.timeout(30_000) })
    if (memoryDir !== undefined) roots.push(memoryDir, `${memoryDir}-run`)
    return { system, supervisor }
  })
  // Told to whoever opens the ground, when it comes to that.
  installation.catch(() => undefined)
  try {
    return rigOf(await openGround(installation))
  } catch (error) {
    await system.dispose()
    throw error
  }

  /** What goes with an end in order need not be waited for; what that had no time for, goes in another life. */
  async function settle(ground: Ground): Promise<void> {
    if (ground.isClear) {
      await system.stop()
      if (await ground.isClear()) return
      await start()
    }
    await ground.settle()
  }

  function rigOf(ground: Ground): Rig {
    return {
      system,
      ground,
      get control() {
        if (!control) throw new Error('the server was not started')
        return control
      },
      roots,
      start,
      async dispose(isSound) {
        if (isSound) await settle(ground)
        const left = await system.dispose()
        const onGround = await ground.close(isSound)
        for (const folder of roots) await rm(folder, { recursive: true, force: true })
        return [...left, ...onGround]
      },
    }
  }
}

async function makeSecret({ client }: System): Promise<void> {
  const { secrets } = client.tenant('default')
  await secrets.put({
    apiVersion: 'gantry/v1',
    kind: 'Secret',
    metadata: { name: secretName },
    spec: { keys: ['word'] },
  })
  await secrets.putData(secretName, { text: { word: 'swordfish-of-the-harness' } })
}
