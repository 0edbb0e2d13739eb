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

const commandsOfReadme = () => {
  const [, commands] =
    /## Production in fifteen lines.*?```sh\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  if (commands === undefined) throw new Error('the README has no commands for production')
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
const JOB = 'cd /project; NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 bun /project/scripts/service/job.ts'

const settings = readSettings(process.argv.slice(2))
prepare(settings)
const { machine, inside, demand: must_ } = await boot(settings)
try {
  inside(CLEAN)
  must_(CERTIFICATE)
  // The link comes a moment after the start of the unit.
  const commands = commandsOfReadme().replace(
    'journalctl',
    'until signet service run health; do sleep 0.2; done >/dev/null 2>&1\njournalctl',
  )
  console.log(must_(`set -e\ncd /root\n${commands}`))
  console.log(must_('systemd-analyze security signet --no-pager | tail -1; systemctl --version | head -1'))
  must_('systemctl restart nginx')
  console.log(`— through ${must_('nginx -v')}\n${must_(`${JOB} first`)}`)
  must_('systemctl stop nginx')
  if (settings.caddy === undefined) console.log('Caddy is not here: not tried. Name it with --caddy=PATH')
  else {
    must_('systemd-run --unit=caddy -E HOME=/root caddy run --config /root/Caddyfile --adapter caddyfile')
    console.log(`— through Caddy ${must_('caddy version')}\n${must_(`${JOB} second`)}`)
    must_('systemctl stop caddy')
  }
  const killed = must_(
    'P=$(systemctl show -p MainPID --value signet); kill -9 $P; until signet service run health >/dev/null 2>&1; do sleep 0.2; done; systemctl show -p NRestarts --value signet',
  )
  console.log(`shown: after kill -9 systemd started it again (${killed} restart)`)
  console.log(`shown: stopped with ${must_('systemctl stop signet; systemctl show -p Result --value signet')}`)
} finally {
  machine.kill('SIGTERM')
  await Promise.race([machine.exited, Bun.sleep(20_000)])
  machine.kill('SIGKILL')
}
