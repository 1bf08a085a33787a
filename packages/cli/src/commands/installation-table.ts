/** Commands that look inside, and those about the installation and this program. What each does is loaded when it is run. */
import { type Entry, entry } from '../command/command.ts'
import { backupCommand } from './backup/command.ts'
import {
  contextLsCommand,
  contextRenameCommand,
  contextRmCommand,
  contextSetTenantCommand,
  contextUseCommand,
} from './context/commands.ts'
import { doctorCommand } from './doctor/command.ts'
import { execCommand } from './exec/command.ts'
import { loginCommand } from './login/command.ts'
import { logsCommand } from './logs/command.ts'
import { openCommand } from './open/command.ts'
import { portForwardCommand } from './port-forward/command.ts'
import {
  providerAddCommand,
  providerDescribeCommand,
  providerLsCommand,
  providerRmCommand,
} from './provider/commands.ts'
import { restoreCommand } from './restore/command.ts'
import { secretDescribeCommand, secretLsCommand, secretRmCommand, secretSetCommand } from './secret/commands.ts'
import { serveCommand } from './serve/command.ts'
import { tenantCreateCommand, tenantLsCommand, tenantQuotaCommand, tenantRmCommand } from './tenant/commands.ts'
import { tokenCreateCommand, tokenLsCommand, tokenRevokeCommand } from './token/commands.ts'
import { topCommand } from './top/command.ts'
import { versionCommand } from './version/command.ts'
import { whoamiCommand } from './whoami/command.ts'

const context = () => import('./context/run.ts')
const provider = () => import('./provider/run.ts')
const secret = () => import('./secret/run.ts')
const tenant = () => import('./tenant/run.ts')
const token = () => import('./token/run.ts')

export const installationCommands: readonly Entry[] = [
  entry(serveCommand, () => import('./serve/run.ts')),
  entry(openCommand, () => import('./open/run.ts')),
  entry(doctorCommand, () => import('./doctor/run.ts')),
  entry(logsCommand, () => import('./logs/run.ts')),
  entry(execCommand, () => import('./exec/run.ts')),
  entry(portForwardCommand, () => import('./port-forward/run.ts')),
  entry(topCommand, () => import('./top/run.ts')),
  entry(secretSetCommand, async () => ({ run: (await secret()).set })),
  entry(secretLsCommand, async () => ({ run: (await secret()).list })),
  entry(secretDescribeCommand, async () => ({ run: (await secret()).describe })),
  entry(secretRmCommand, async () => ({ run: (await secret()).remove })),
  entry(tokenCreateCommand, async () => ({ run: (await token()).create })),
  entry(tokenLsCommand, async () => ({ run: (await token()).list })),
  entry(tokenRevokeCommand, async () => ({ run: (await token()).revoke })),
  entry(tenantCreateCommand, async () => ({ run: (await tenant()).create })),
  entry(tenantLsCommand, async () => ({ run: (await tenant()).list })),
  entry(tenantQuotaCommand, async () => ({ run: (await tenant()).quota })),
  entry(tenantRmCommand, async () => ({ run: (await tenant()).remove })),
  entry(providerAddCommand, () => import('./provider/add.ts')),
  entry(providerLsCommand, async () => ({ run: (await provider()).list })),
  entry(providerDescribeCommand, async () => ({ run: (await provider()).describe })),
  entry(providerRmCommand, async () => ({ run: (await provider()).remove })),
  entry(backupCommand, () => import('./backup/run.ts')),
  entry(restoreCommand, () => import('./restore/run.ts')),
  entry(loginCommand, () => import('./login/run.ts')),
  entry(contextLsCommand, async () => ({ run: (await context()).list })),
  entry(contextUseCommand, async () => ({ run: (await context()).use })),
  entry(contextRenameCommand, async () => ({ run: (await context()).rename })),
  entry(contextSetTenantCommand, async () => ({ run: (await context()).setTenant })),
  entry(contextRmCommand, async () => ({ run: (await context()).remove })),
  entry(whoamiCommand, () => import('./whoami/run.ts')),
  entry(versionCommand, () => import('./version/run.ts')),
]
