/** Runs the README's installation in a container of systemd, and a whole job through each proxy. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const FOLDER = join(ROOT, 'dist/service-trial')
const PACKAGES = 'systemd,systemd-sysv,dbus,nginx-light,curl,ca-certificates,util-linux,openssl'

interface Settings {
  /** A Debian with these packages; made where there is none. */
  root: string
  nspawn: string
  caddy: string | undefined
}

function readSettings(args: string[]): Settings {
  const flagOf = (flag: string) => args.find(arg => arg.startsWith(`${flag}=`))?.slice(flag.length + 1)
  const caddy = flagOf('--caddy') ?? Bun.which('caddy') ?? undefined
  return { root: flagOf('--root') ?? join(FOLDER, 'root'), nspawn: flagOf('--nspawn') ?? 'systemd-nspawn', caddy }
}

function demand(command: string[], env: Record<string, string> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, ...env } })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed (${exitCode}): ${stdout}${stderr}`)
  return String(stdout)
}

/** The only block of this language in the README. */
function block(language: string): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const found = [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)
  if (found.length !== 1) throw new Error(`the README has ${found.length} blocks of ${language}`)
  return found[0] ?? ''
}

/** The first commands of a section of the README. */
function commandsOf(section: string): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, commands] = new RegExp(`## ${section}\\n[^]*?\`\`\`sh\\n([^]*?)\`\`\``).exec(readme) ?? []
  if (commands === undefined) throw new Error(`the README has no commands in "${section}"`)
  return commands
}

/** Files of the machine on which the README is followed. */
function prepare({ root, caddy }: Settings): void {
  if (!existsSync(join(root, 'usr/bin/systemctl'))) {
    console.log('Making a Debian with debootstrap')
    demand(['debootstrap', '--variant=minbase', `--include=${PACKAGES}`, 'bookworm', root])
  }
  mkdirSync(join(root, 'project'), { recursive: true })
  copyFileSync(join(ROOT, 'dist/signet'), join(root, 'root/signet'))
  copyFileSync(process.execPath, join(root, 'usr/local/bin/bun'))
  if (caddy !== undefined) copyFileSync(caddy, join(root, 'usr/local/bin/caddy'))
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost sign.example.com\n')
  writeFileSync(join(root, 'etc/nginx/conf.d/signet.conf'), block('nginx'))
  // Without the Internet there is no certificate but the proxy's own.
  writeFileSync(join(root, 'root/Caddyfile'), `{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n${block('caddyfile')}`)
}

/** Boots the container; `inside` runs a shell there. */
async function boot({ root, nspawn }: Settings) {
  const options = ['--register=no', '--keep-unit', '--private-network', `--bind-ro=${ROOT}:/project`, '--console=pipe']
  const machine = Bun.spawn([nspawn, '-D', root, ...options, '--boot'], { stdio: ['ignore', 'ignore', 'ignore'] })
  const leader = () => readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').trim().split(' ')[0] ?? ''
  const inside = (script: string) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['nsenter', '-t', leader(), '-a', '/bin/sh', '-c', script], {
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', HOME: '/root' },
    })
    return { code: exitCode, text: `${stdout}${stderr}`.trim() }
  }
  const deadline = performance.now() + 60_000
  while (leader() === '' || !/running|degraded/.test(inside('systemctl is-system-running').text)) {
    if (machine.exitCode !== null || performance.now() > deadline) throw new Error('systemd did not boot in the container')
    await Bun.sleep(200)
  }
  return { machine, inside, demand: (script: string) => must(inside, script) }
}

function must(inside: (script: string) => { code: number; text: string }, script: string): string {
  const { code, text } = inside(script)
  if (code !== 0) throw new Error(`${script} exited ${code}:\n${text}`)
  return text
}

const CLEAN = `systemctl stop signet nginx; rm -f /etc/nginx/sites-enabled/default; rm -rf /etc/systemd/system/signet.service* /etc/signet /var/lib/signet
userdel signet; systemctl daemon-reload; systemctl reset-failed; exit 0`
const CERTIFICATE = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=sign.example.com \
 -keyout /etc/ssl/sign.example.com.key -out /etc/ssl/sign.example.com.pem`
const READY = 'until signet service run health >/dev/null 2>&1; do sleep 0.2; done'
/** How many documents there are: a backup says it. */
const COUNT =
  'rm -f /backup/count.age; signet service run backup --json /backup/count.age --passphrase-stdin </root/pass-phrase.txt'
const JOB = 'cd /project; NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 bun /project/scripts/service/job.ts'

const settings = readSettings(process.argv.slice(2))
prepare(settings)
const { machine, inside, demand: must_ } = await boot(settings)
try {
  inside(CLEAN)
  must_(CERTIFICATE)
  // The link comes a moment after the start of the unit.
  const commands = commandsOf('Production in fifteen lines').replace('journalctl', `${READY}\njournalctl`)
  console.log(must_(`set -e\ncd /root\n${commands}`))
  console.log(must_('systemd-analyze security signet --no-pager | tail -1; systemctl --version | head -1'))
  must_('systemctl restart nginx')
  console.log(`— through ${must_('nginx -v')}\n${must_(`${JOB} first`)}`)
  must_(
    "rm -rf /backup /var/lib/signet.before-restore-*; install -d -m 700 /backup; cd /root; echo 'thirty characters, and a few more' > pass-phrase.txt",
  )
  const counted = () => (JSON.parse(must_(COUNT).split('\n').at(-1) ?? '') as { documents: number }).documents
  const before = counted()
  const [makeBackup = '', ...restoreIt] = commandsOf('Backup').trim().split('\n')
  console.log(must_(`set -e\ncd /root\n${makeBackup}\nstat -c '%a %U' /backup/signet.age`))
  must_(`${JOB} since`)
  const since = counted()
  console.log(must_(`set -e\ncd /root\n${restoreIt.join('\n')}\n${READY}`))
  console.log(`shown: ${before} documents, ${since} after the backup, ${counted()} restored, as root, by the README's commands`)
  if (since <= before || counted() !== before) throw new Error('the restored instance does not have the documents of the backup')
  const asked = inside('cd /root; signet restore /backup/signet.age --passphrase-stdin < pass-phrase.txt; echo "exit $?"').text
  if (!asked.includes('exit 2') || !asked.includes('signet service run restore')) throw new Error(`./data was restored: ${asked}`)
  console.log('shown: a restore into ./data is asked about')
  // The machine is lost: a new one has the backup and the copy of the master key.
  must_('cp /etc/signet/master.key /root/copy.key')
  inside(CLEAN)
  must_('install -d -m 700 /etc/signet; cp /root/copy.key /etc/signet/master.key')
  must_(`set -e\ncd /root\n${commands.split('systemctl')[0]}\n${restoreIt.slice(1).join('\n')}\n${READY}`)
  if (counted() !== before) throw new Error('the new machine does not have the documents of the backup')
  console.log(must_('signet service run doctor; stat -c "%a %U %n" /var/lib/signet /var/lib/signet/*'))
  console.log('shown: restored on a new machine, with the copy of the master key')
  must_('systemctl stop nginx')
  if (settings.caddy === undefined) console.log('Caddy is not here: not tried. Name it with --caddy=PATH')
  else {
    must_('systemd-run --unit=caddy -E HOME=/root caddy run --config /root/Caddyfile --adapter caddyfile')
    console.log(`— through Caddy ${must_('caddy version')}\n${must_(`${JOB} second`)}`)
    must_('systemctl stop caddy')
  }
  const killed = must_(
    `P=$(systemctl show -p MainPID --value signet); kill -9 $P; ${READY}; systemctl show -p NRestarts --value signet`,
  )
  console.log(`shown: after kill -9 systemd started it again (${killed} restart)`)
  console.log(`shown: stopped with ${must_('systemctl stop signet; systemctl show -p Result --value signet')}`)
} finally {
  machine.kill('SIGTERM')
  await Promise.race([machine.exited, Bun.sleep(20_000)])
  machine.kill('SIGKILL')
}
