/** Pure: a user of a kubeconfig, as credentials that can be used here. */
import type { ClusterUser, ExecPlugin, ExecVersion } from './cluster-config.ts'
import { execVersions } from './cluster-config.ts'
import { type ClusterEntry, pathFrom } from './kubeconfig.ts'
import type { ExecEntry, UserEntry } from './kubeconfig-user.ts'
import { material, type Place, refused } from './place.ts'

/** A context without a user is anonymous. */
export function userOf(name: string, user: UserEntry | undefined, cluster: ClusterEntry, at: Place): ClusterUser {
  if (!user) return { name }
  if (user.authProvider !== undefined) {
    throw refused(
      `${at.of} signs in by the auth-provider ${user.authProvider}, which kubectl itself has given up; use an exec plugin instead`,
    )
  }
  const cert = material('client-certificate', user.certText, user.certFile, user.origin, at)
  const key = material('client-key', user.keyText, user.keyFile, user.origin, at)
  if ((cert === undefined) !== (key === undefined)) {
    throw refused(
      `${at.of} has ${cert ? 'a client-certificate without client-key' : 'a client-key without client-certificate'}`,
    )
  }
  // A file wins: it is the one that somebody renews.
  const token =
    user.tokenFile !== undefined
      ? material('tokenFile', undefined, user.tokenFile, user.origin, at)
      : user.token !== undefined
        ? { text: user.token }
        : undefined
  const { username, password = '' } = user
  if (username !== undefined && token) throw refused(`${at.of} has a token and a username; remove one of them`)
  return {
    name,
    ...(cert && key && { certificate: { cert, key } }),
    ...(token && { token }),
    ...(username !== undefined && { basic: { username, password } }),
    ...(user.exec && { exec: pluginOf(user.exec, user, cluster, at) }),
    ...(user.impersonate && { impersonate: user.impersonate }),
  }
}

function pluginOf(exec: ExecEntry, { origin }: UserEntry, { execExtension }: ClusterEntry, at: Place): ExecPlugin {
  const { command, apiVersion, interactiveMode, installHint } = exec
  if (command === undefined) throw refused(`${at.of} has an exec plugin without command`)
  if (!at.trusted) {
    throw refused(`${at.of} signs in by the program ${command}, which is not run here; use a token or a certificate`)
  }
  if (!isVersion(apiVersion)) {
    throw refused(
      `${at.of} has an exec plugin of ${apiVersion ?? 'no apiVersion'}; ${execVersions.join(' and ')} are spoken`,
    )
  }
  if (interactiveMode === 'Always') {
    throw refused(
      `${at.of} signs in by ${command}, which wants to ask somebody (interactiveMode: Always); nobody is there`,
    )
  }
  // A name alone is looked for as every program is; one with a folder is relative to the file.
  const path = command.includes('/') ? pathFrom(origin, command) : command
  if (path === undefined) throw refused(`${at.of} names the program ${command}; a text has no folder: write it in full`)
  return {
    apiVersion,
    command: path,
    args: exec.args,
    env: exec.env,
    provideClusterInfo: exec.provideClusterInfo,
    ...(execExtension !== undefined && { clusterExtension: execExtension }),
    ...(installHint !== undefined && { installHint }),
  }
}

function isVersion(version: string | undefined): version is ExecVersion {
  return execVersions.some((each) => each === version)
}
