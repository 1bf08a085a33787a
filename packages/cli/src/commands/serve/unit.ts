/** Pure: a unit for systemd. */

export type UnitOptions = {
  /** The program and all of its arguments, absolute. */
  readonly argv: readonly string[]
  readonly user: string
  /** Absolute; left out: where systemd keeps the state of a service. */
  readonly data?: string
}

export const stateFolder = '%S/gantry'

/**
 * What is hardened is what costs workloads nothing, since they inherit it: the server starts them. No private /tmp either,
 * as systemd empties that between two starts, and workloads go on running.
 */
export function unitText({ argv, user, data }: UnitOptions): string {
  return `# Written by "gantry serve --print-unit". As /etc/systemd/system/gantry.service:
#   useradd --system --home-dir /var/lib/gantry --shell /usr/sbin/nologin ${user}
#   systemctl daemon-reload && systemctl enable --now gantry
[Unit]
Description=Gantry, a control plane for workloads
Wants=network-online.target
After=network-online.target
# It is tried for as long as it takes.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${user}
ExecStart=${argv.map(argument).join(' ')}
Environment="GANTRY_CONTEXTS=${data === undefined ? stateFolder : literal(data)}/contexts.json"
${data === undefined ? 'StateDirectory=gantry\nStateDirectoryMode=0700\n' : ''}Restart=always
RestartSec=1
# Flags that cannot be: to try again would not help.
RestartPreventExitStatus=2

# The server alone is ended. Workloads, their supervisor and the edge go on running, and the next start takes them over.
KillMode=process
KillSignal=SIGTERM
TimeoutStopSec=60
# The supervisor keeps each service in a group of its own, with its limits.
Delegate=yes

UMask=0077
NoNewPrivileges=yes
${user === 'root' ? '# As root, workloads of each tenant run as a user of their own, which takes capabilities.' : 'CapabilityBoundingSet='}
ProtectSystem=full
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectClock=yes
ProtectHostname=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
LockPersonality=yes
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`
}

/** Percent begins a specifier. */
function literal(text: string): string {
  return text.replaceAll('%', '%%').replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}

/** In a command line a dollar begins a variable too. The one specifier that is meant is our own. */
function argument(text: string): string {
  if (text === stateFolder) return text
  const safe = literal(text).replaceAll('$', '$$$$')
  return /^[-\w./:=,@%+$]+$/.test(safe) ? safe : `"${safe}"`
}
