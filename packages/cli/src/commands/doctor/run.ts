import type { Run } from '../../command/command.ts'
import { dataText } from '../../output/data.ts'
import type { doctorCommand } from './command.ts'
import { engineFindings } from './engine-findings.ts'
import { contextsFinding, dataFinding } from './file-findings.ts'
import { findingsText, isWell } from './finding.ts'
import { serverFindings } from './server-findings.ts'

export const run: Run<typeof doctorCommand> = async ({ flags }, world) => {
  const contexts = await contextsFinding(world.env)
  // Without a file that can be read there is nowhere to look, but for the flags.
  const server = contexts.verdict === 'bad' && contexts.next === undefined ? [] : await serverFindings(world)
  const findings = [contexts, ...server, await dataFinding(world.env), ...(await engineFindings(world))]
  const well = isWell(findings)
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText({ well, findings }, flags.output))
  } else {
    await world.out.write(findingsText(findings, world.out.style))
    const wrong = findings.filter(({ verdict }) => verdict === 'bad').length
    if (!well) await world.err.write(`${wrong} of ${findings.length} things are wrong\n`)
  }
  return well ? 0 : 1
}
