/** Which sample a run of the tests takes: another with every commit, so that as many of them in a row as there are samples have tried everything. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `GANTRY_HARNESS_SAMPLE=3` stands for that one; outside of a repository it is the first. */
export async function sampleOfCommit(env: NodeJS.ProcessEnv, samples: number): Promise<number> {
  const asked = env.GANTRY_HARNESS_SAMPLE
  if (asked !== undefined) return Number(asked) % samples
  const commits = await run('git', ['rev-list', '--count', 'HEAD']).then(({ stdout }) => Number(stdout), noRepository)
  return commits % samples
}

const noRepository = (): number => 0
