/** What helm is told, as a list of arguments. Nothing secret is in it: everybody who may list processes can read it. Pure. */

/** As `helm version` has it: flags differ between the two. */
export type HelmMajor = 3 | 4

export type HelmCommand = Version | RepoUpdate | Pull | Template | Upgrade | Rollback | Uninstall

export type Version = { readonly verb: 'version' }
/** Reads the index of the one repository that its file names, with the account that is in there. */
export type RepoUpdate = { readonly verb: 'repo-update' }
export type Pull = {
  readonly verb: 'pull'
  /** `gantry/web` or `oci://…/web`. */
  readonly chart: string
  readonly version?: string
  readonly into: string
  readonly plainHttp: boolean
}

type OfRelease = { readonly release: string; readonly namespace: string }
type OfChart = OfRelease & {
  /** A file or folder. */
  readonly chart: string
  /** Files, later ones win. */
  readonly values: readonly string[]
  readonly hooks: boolean
  readonly crds: boolean
}
type Waiting = { readonly wait: boolean; readonly timeoutSeconds: number }

export type Template = OfChart & {
  readonly verb: 'template'
  readonly isUpgrade: boolean
  /** Asked of the cluster, so that the chart sees what it will see when it is installed; or as for a cluster of that version. */
  readonly as: 'server' | { readonly kubeVersion: string }
}
export type Upgrade = OfChart &
  Waiting & {
    readonly verb: 'upgrade'
    readonly atomic: boolean
    readonly labels: Readonly<Record<string, string>>
    readonly description: string
  }
export type Rollback = OfRelease &
  Waiting & { readonly verb: 'rollback'; readonly revision: number; readonly hooks: boolean }
export type Uninstall = OfRelease & {
  readonly verb: 'uninstall'
  readonly timeoutSeconds: number
  readonly hooks: boolean
}

/** The name under which the one repository stands in its file. */
export const repositoryAlias = 'gantry'

/** How many revisions Helm keeps; the deployed one always. */
const historyMax = 10

export function argvOf(command: HelmCommand, major: HelmMajor): readonly string[] {
  switch (command.verb) {
    case 'version':
      return ['version', '--template', '{{.Version}}']
    case 'repo-update':
      // Helm 3 calls it a success otherwise, and fails at the next step with other words.
      return ['repo', 'update', repositoryAlias, ...(major === 3 ? ['--fail-on-repo-update-fail'] : [])]
    case 'pull':
      return [
        'pull',
        command.chart,
        ...(command.version === undefined ? [] : ['--version', command.version]),
        ...['--destination', command.into],
        ...(command.plainHttp ? ['--plain-http'] : []),
      ]
    case 'template':
      return [
        ...['template', command.release, command.chart, '--namespace', command.namespace],
        ...(command.as === 'server'
          ? ['--dry-run=server']
          : ['--dry-run=client', '--kube-version', command.as.kubeVersion]),
        '--skip-tests',
        ...(command.isUpgrade ? ['--is-upgrade'] : []),
        ...(command.crds ? ['--include-crds'] : ['--skip-crds']),
        ...hookFlags(command),
        ...valueFlags(command),
      ]
    case 'upgrade':
      return [
        ...['upgrade', command.release, command.chart, '--install', '--namespace', command.namespace],
        // What is not said now is not meant: values of the revision before it do not linger.
        '--reset-values',
        ...['--history-max', String(historyMax)],
        ...['--description', command.description, '--labels', labelsText(command.labels)],
        ...(command.crds ? [] : ['--skip-crds']),
        ...hookFlags(command),
        ...waitFlags(command, major),
        ...atomicFlags(command, major),
        ...valueFlags(command),
      ]
    case 'rollback':
      return [
        ...['rollback', command.release, String(command.revision), '--namespace', command.namespace],
        ...['--history-max', String(historyMax)],
        ...hookFlags(command),
        ...waitFlags(command, major),
      ]
    case 'uninstall':
      return [
        ...['uninstall', command.release, '--namespace', command.namespace, '--ignore-not-found'],
        // Gone means with its pods.
        ...['--cascade', 'foreground'],
        ...hookFlags(command),
        ...waitFlags({ wait: true, timeoutSeconds: command.timeoutSeconds }, major),
      ]
  }
}

const hookFlags = ({ hooks }: { readonly hooks: boolean }): string[] => (hooks ? [] : ['--no-hooks'])
const valueFlags = ({ values }: { readonly values: readonly string[] }): string[] =>
  values.flatMap((file) => ['--values', file])

/** Helm 4 knows several ways to wait, and calls the plain flag old. */
function waitFlags({ wait, timeoutSeconds }: Waiting, major: HelmMajor): string[] {
  return [...(wait ? [major === 3 ? '--wait' : '--wait=watcher'] : []), '--timeout', `${timeoutSeconds}s`]
}

function atomicFlags({ atomic }: { readonly atomic: boolean }, major: HelmMajor): string[] {
  if (!atomic) return []
  return [major === 3 ? '--atomic' : '--rollback-on-failure']
}

/** Values of labels have no commas or quotes, which Helm would read as something else. */
const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')

/** Undefined: not one that we know how to speak to. */
export function majorOf(version: string): HelmMajor | undefined {
  const major = Number(/^v?(\d+)\./.exec(version.trim())?.[1])
  return major === 3 || major === 4 ? major : undefined
}
