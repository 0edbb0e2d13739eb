/**
 * Runs the layout of the image as PID 1 of a namespace: read-only root with the C library alone, an
 * unprivileged user, one volume. Prints what it saw.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Recipe } from './recipe.ts'

const SQLITE = `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`
const MAX_WAIT_MS = 30_000

/** What the base image has, too: the libraries of the executable and of SQLite inside it. */
function librariesOf(...files: string[]): string[] {
  const listed = files.map(file => String(Bun.spawnSync(['ldd', file]).stdout)).join('\n')
  return [...new Set(listed.match(/\/\S+\.so\S*/g) ?? [])]
}

function makeRoot(context: string): string {
  const root = mkdtempSync(join(tmpdir(), 'signet-image-'))
  chmodSync(root, 0o755)
  const add = (from: string, to: string) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    copyFileSync(from, join(root, to))
  }
  const executable = join(context, 'signet')
  for (const library of librariesOf(executable, SQLITE)) add(library, library)
  add(executable, 'usr/local/bin/signet')
  for (const folder of ['data', 'proc', 'dev', 'etc', 'tmp']) mkdirSync(join(root, folder), { recursive: true })
  for (const device of ['null', 'urandom']) writeFileSync(join(root, 'dev', device), '')
  writeFileSync(join(root, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n')
  return root
}

/** Mounts, then the program itself: it becomes PID 1 of the namespace. */
const MOUNTS = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount --bind "$2" "$1/data"
mount -t proc -o nosuid,nodev,noexec proc "$1/proc"
for device in null urandom; do mount --bind /dev/$device "$1/dev/$device"; done
root=$1; user=$3; shift 3
exec setpriv --no-new-privs chroot --userspec="$user:$user" --groups= "$root" "$@"`

async function until(what: string, isTrue: () => boolean): Promise<number> {
  const beganMs = performance.now()
  while (!isTrue()) {
    if (performance.now() - beganMs > MAX_WAIT_MS) throw new Error(`${what} did not come within ${MAX_WAIT_MS / 1000} s`)
    await Bun.sleep(50)
  }
  return Math.round(performance.now() - beganMs)
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number).filter(Boolean)

export async function tryLayout(
  { env, entrypoint, command, healthCheck }: Recipe,
  context: string,
  uid: number,
): Promise<boolean> {
  const root = makeRoot(context)
  const data = join(context, 'data')
  const variables = { ...env, SIGNET_HOST: '127.0.0.1', SIGNET_PORT: '0' }
  const start = [
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--ipc',
    '--uts',
    '--kill-child',
    'sh',
    '-c',
    MOUNTS,
    'sh',
    root,
    data,
    String(uid),
  ]
  const program = Bun.spawn([...start, ...entrypoint, ...command], {
    env: { ...variables, PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const log = new Response(program.stderr).text()
  try {
    let pid = 0
    await until('the start', () => {
      if (program.exitCode !== null) throw new Error(`the layout ended with exit code ${program.exitCode}`)
      pid = childrenOf(program.pid)[0] ?? 0
      return pid !== 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(entrypoint[0] ?? '')
    })
    /** Inside, as the same user and with the same environment, like `docker exec`. */
    const inside = (args: string[]) => {
      const enter = ['nsenter', '-t', String(pid), '--mount', '--pid', '--root', '--wd', '-S', String(uid), '-G', String(uid)]
      const { exitCode, stdout, stderr } = Bun.spawnSync([...enter, ...args], { env: variables })
      return { code: exitCode, text: `${stdout}${stderr}`.trim() }
    }
    const readyMs = await until('the health check', () => inside(healthCheck).code === 0)
    console.log(`shown: the health check (${healthCheck.join(' ')}) exits 0 after ${readyMs} ms: ${inside(healthCheck).text}`)
    const isWell = reportState(pid, root, inside) && (await reportEnd(program, pid, data))
    const complaints = (await log).split('\n').filter(line => /"level":"(warn|error)"/.test(line))
    console.log(`shown: the service logged ${complaints.length} warnings and errors ${complaints.join('\n')}`)
    return isWell && complaints.length === 0
  } finally {
    program.kill('SIGKILL')
    await program.exited
    rmSync(root, { recursive: true, force: true })
  }
}

type Inside = (args: string[]) => { code: number; text: string }

function reportState(pid: number, root: string, inside: Inside): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.replaceAll('\t', ' ')
  console.log(
    `shown: PID ${of('NSpid')?.split(' ').at(-1)}, uid ${of('Uid')}, effective capabilities ${of('CapEff')}, no new privileges ${of('NoNewPrivs')}`,
  )
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  console.log(`shown: the root has ${files.length} files: ${files.map(({ name }) => name).join(' ')}`)
  const isReadOnly = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .some(line => / \/ ro[, ]/.test(line))
  console.log(`shown: the root is mounted ${isReadOnly ? 'read-only' : 'WRITABLE'}`)
  const examined = inside(['/usr/local/bin/signet', 'doctor'])
  console.log(`shown: doctor inside exits ${examined.code}:\n${examined.text.replaceAll(/^/gm, '    ')}`)
  return isReadOnly && examined.code === 0
}

async function reportEnd(program: Bun.Subprocess, pid: number, data: string): Promise<boolean> {
  const [child = 0] = childrenOf(pid)
  process.kill(child, 'SIGKILL')
  const reapedMs = await until('the end of a child', () => !existsSync(`/proc/${child}`))
  console.log(`shown: PID 1 collected a child that was killed after ${reapedMs} ms, no zombie is left`)
  process.kill(pid, 'SIGTERM')
  const beganMs = performance.now()
  const code = await program.exited
  console.log(`shown: SIGTERM ended PID 1 after ${Math.round(performance.now() - beganMs)} ms with exit code ${code}`)
  const left = readdirSync(data).filter(name => name === 'signet.address' || name.endsWith('-wal'))
  console.log(`shown: the volume has ${readdirSync(data).sort().join(' ')}`)
  console.log('Not shown without a builder: the base image, its certificates, the network of a container, limits of its memory.')
  return code === 0 && left.length === 0
}
