/** The built executable as a user has it: alone in an empty folder, with an empty environment. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

export const ROOT = join(import.meta.dir, '../..')
export const BINARY = join(ROOT, 'dist/signet')

/** Builds it unless it is there; the ordered list of checks builds it anew before the tests. */
export function demandBinary(): void {
  if (existsSync(BINARY)) return
  const built = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { cwd: ROOT })
  if (built.exitCode !== 0) throw new Error(`the build failed:\n${built.stderr}`)
}

export function emptyFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'signet-binary-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Below those that systems give to connections, which would take one before it is used. */
const FIRST_PORT = 11_000
/** Each process of a test run has its own. */
const PORTS_OF_ONE = 100
const firstOfThis = FIRST_PORT + (process.pid % 200) * PORTS_OF_ONE
let asked = 0

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** One that no other test of this run is given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_OF_ONE; tries++) {
    const port = firstOfThis + (asked++ % PORTS_OF_ONE)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${firstOfThis} on is free`)
}

export interface Ran {
  code: number
  out: string
  err: string
}

/** A shell that sets limits or the umask, and becomes the program. */
const behind = (shell: string | undefined) => (shell === undefined ? [] : ['/bin/bash', '-c', `${shell}; exec "$0" "$@"`])

/** Runs a verb to its end. `shell`: commands before it. */
export function run(
  cwd: string,
  args: string[],
  {
    env = {},
    stdin = '',
    shell,
    executable = BINARY,
  }: { env?: Record<string, string>; stdin?: string; shell?: string; executable?: string } = {},
): Ran {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...behind(shell), executable, ...args], {
    cwd,
    env,
    stdin: Buffer.from(stdin),
    timeout: 60_000,
  })
  return { code: exitCode, out: String(stdout), err: String(stderr) }
}

export interface Serving {
  url: string
  greeting: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Ends it by a signal and waits. Answers the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>
  /** The exit code, once it has ended by itself or by a signal. */
  ended: Promise<number>
  pid: number
}

/** `signet serve`, answered when it greets. */
export async function serve(
  cwd: string,
  {
    port,
    env = {},
    shell,
    executable = BINARY,
  }: { port?: number; env?: Record<string, string>; shell?: string; executable?: string } = {},
): Promise<Serving> {
  const onPort = port ?? (await freePort())
  const child = Bun.spawn([...behind(shell), executable, 'serve', '--port', String(onPort)], {
    cwd,
    env,
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  const errors = new Response(child.stderr).text()
  const url = `http://127.0.0.1:${onPort}`
  let greeting = ''
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  while (!/serves/.test(greeting)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`signet serve ended:\n${await errors}`)
    greeting += decoder.decode(value)
  }
  const rest = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      greeting += decoder.decode(value)
    }
  })()
  return {
    url,
    get greeting() {
      return greeting
    },
    fetch: (path, init) => fetch(path.startsWith('http') ? path : url + path, init),
    pid: child.pid,
    ended: child.exited,
    async end(signal) {
      child.kill(signal)
      const code = await child.exited
      await rest
      return code
    },
  }
}

/** Polls until there is a value, for a bounded time. For files and output, not for requests. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, limitMs = 30_000): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    await new Promise(resolve => setImmediate(resolve))
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${limitMs} ms`)
  }
}

/** The mails of the outbox folder, oldest first. */
export async function outbox(dataFolder: string): Promise<{ to: string; subject: string; text: string }[]> {
  const folder = join(dataFolder, 'outbox')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.eml'))
    .sort()
  const mails = await Promise.all(names.map(name => PostalMime.parse(readFileSync(join(folder, name)))))
  return mails.map(m => ({ to: m.to?.[0]?.address ?? '', subject: m.subject ?? '', text: m.text ?? '' }))
}
