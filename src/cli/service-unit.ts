/** The text of the systemd unit and of its environment file. Pure: reads and writes nothing. */
import { SETTINGS } from '../config.ts'

export interface ServicePlan {
  user: string
  dataFolder: string
  executable: string
  /** Kept outside the data folder and passed by systemd; `undefined`: in the data folder. */
  masterKeyFile: string | undefined
  /** Further folders that the service may write, such as one for backups. */
  writable: string[]
  /** Lines of a new environment file: variable and value. */
  settings: [variable: string, value: string][]
}

const UNIT_NAME = 'signet.service'
export const UNIT_PATH = `/etc/systemd/system/${UNIT_NAME}`
export const ENVIRONMENT_PATH = '/etc/signet/signet.env'

/** Where systemd puts the credential, readable by the service alone. */
export const CREDENTIAL = 'master.key'
const CREDENTIAL_PATH = `/run/credentials/${UNIT_NAME}/${CREDENTIAL}`

/** Begins the line by which a later installation finds the flags of this one. */
const FLAGS_LINE = '# Flags: '

/** The flags that the unit was written with. Values have no spaces. */
export function flagsOfUnit(unit: string): string[] {
  const line = unit.split('\n').find(each => each.startsWith(FLAGS_LINE))
  return line?.slice(FLAGS_LINE.length).split(' ').filter(Boolean) ?? []
}

function flagsLine({ user, dataFolder, executable, masterKeyFile, writable }: ServicePlan): string {
  const key = masterKeyFile === undefined ? [] : [`--master-key=${masterKeyFile}`]
  const folders = writable.map(folder => `--writable=${folder}`)
  const flags = [`--user=${user}`, `--data=${dataFolder}`, `--executable=${executable}`, ...key, ...folders]
  return `${FLAGS_LINE}${flags.join(' ')}`
}

export function unitText(plan: ServicePlan): string {
  const { user, dataFolder, executable, masterKeyFile, writable } = plan
  const key =
    masterKeyFile === undefined
      ? ''
      : `LoadCredential=${CREDENTIAL}:${masterKeyFile}\nEnvironment=SIGNET_MASTER_KEY_FILE=${CREDENTIAL_PATH}\n`
  return `# Written by signet service install, which replaces it. Your own lines: systemctl edit signet
${flagsLine(plan)}
[Unit]
Description=Signet electronic signatures
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=${user}
Group=${user}
Environment=SIGNET_DATA=${dataFolder}
${key}EnvironmentFile=${ENVIRONMENT_PATH}
ExecStart=${executable} serve

# Exit codes 2 (configuration) and 3 (database of a newer signet) are not mended by another start.
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 3
# Running requests have 25 s to end, then the database is closed. Child processes end with it.
TimeoutStopSec=45
KillMode=mixed
# A child process that runs out of memory is replaced, and the service continues.
OOMPolicy=continue

UMask=0077
LimitCORE=0
LimitNOFILE=65536

ProtectSystem=strict
ReadWritePaths=${[dataFolder, ...writable].join(' ')}
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProcSubset=pid
RemoveIPC=yes

NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
# seccomp: each child process sets a filter of its own. setpriority: children give way.
SystemCallFilter=@system-service seccomp
SystemCallFilter=~@privileged @resources
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM
# MemoryDenyWriteExecute is not set: without executable memory the runtime cannot call the C
# library, and the filter of the child processes would be missing.

[Install]
WantedBy=multi-user.target
`
}

/** Settings that the unit sets, because other lines of it depend on them. */
const IN_UNIT = ['SIGNET_DATA', 'SIGNET_MASTER_KEY_FILE']

/** The given settings, then all others as comments. */
export function environmentText({ settings }: ServicePlan): string {
  const given = new Set(settings.map(([variable]) => variable))
  const others = Object.values(SETTINGS).filter(({ variable }) => !given.has(variable) && !IN_UNIT.includes(variable))
  const comments = others.map(({ variable, what, fallback = '' }) => `# ${what}\n#${variable}=${fallback}\n`)
  const head = `# Settings of signet.service. What is set here wins over the settings page of the web app.
# After a change: systemctl restart signet
`
  return [head, ...settings.map(([variable, value]) => `${variable}=${value}`), '', ...comments].join('\n')
}

/** The variables that a file for systemd sets, systemd.exec(5). A quoted value has no escapes. */
export function readEnvironment(text: string): Record<string, string> {
  const lines = text.split('\n').flatMap(line => {
    const [, name = '', value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(line) ?? []
    return name === '' ? [] : [[name, value.replace(/^(["'])(.*)\1$/, '$2')] as const]
  })
  return Object.fromEntries(lines)
}
