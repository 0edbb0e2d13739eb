/** Starts the programs of a run and ends them by pid, the last first. Each has its own log file. */
import { chownSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'

export interface Program {
  readonly name: string
  readonly pid: number
  readonly exited: Promise<number>
  isRunning(): boolean
  /** What it has printed, both streams. */
  log(): string
  /** Sends a signal and waits for the end of the program. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<number>
}

export interface ProgramOptions {
  cwd?: string
  env?: Record<string, string>
  /** Some servers refuse to run as root. Ignored where this run is not root's. */
  user?: string
}

/** Ticks of /proc/PID/stat: USER_HZ is 100 on every Linux that Debian supports. */
const TICKS_PER_S = 100

interface Stat {
  parent: number
  /** Of the process and of its children that were waited for. */
  cpuS: number
}

function statOf(pid: number): Stat | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), cpuS: ticks / TICKS_PER_S }
  } catch {
    return undefined
  }
}

/** The process and everything that it started, as far as it still runs. */
export function treeOf(pid: number): number[] {
  const found = [pid]
  for (const parent of found) {
    const path = `/proc/${parent}/task/${parent}/children`
    if (existsSync(path)) found.push(...childrenIn(path))
  }
  return found
}

function childrenIn(path: string): number[] {
  try {
    return readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Processor seconds of a program and all its processes, also of those that have ended. */
export function cpuSecondsOf(pid: number): number {
  return treeOf(pid).reduce((sum, member) => sum + (statOf(member)?.cpuS ?? 0), 0)
}

export function residentMbOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024)
}

const IS_ROOT = process.getuid?.() === 0

/** The command as that user. The pid is the program's own: `setpriv` becomes the program. */
export function asUser(user: string | undefined, command: string[]): string[] {
  if (user === undefined || !IS_ROOT) return command
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--', ...command]
}

export function giveTo(user: string, path: string): void {
  if (!IS_ROOT) return
  const ids = ['-u', '-g'].map(flag => Number(String(Bun.spawnSync(['id', flag, user]).stdout)))
  chownSync(path, ids[0] ?? 0, ids[1] ?? 0)
}

/** Runs a command to its end. Throws with its output when it fails. */
export async function runToEnd(command: string[], { cwd = '/', env = {}, user }: ProgramOptions = {}): Promise<string> {
  const child = Bun.spawn(asUser(user, command), {
    cwd,
    env: { ...BASE_ENV, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}:\n${err}${out}`)
  return out
}

const BASE_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

export class Programs {
  readonly #started: (Program & { child: Subprocess })[] = []
  readonly #logs: string
  /** Processes below programs that were killed: they have to end by themselves. */
  readonly #orphans = new Set<number>()

  #isEnding = false

  constructor(logs: string) {
    this.#logs = logs
  }

  start(name: string, command: string[], { cwd = '/', env = {}, user }: ProgramOptions = {}): Program {
    // A run that was ended by a signal must start nothing that nobody would end.
    if (this.#isEnding) throw new Error(`${name} is not started: the run ends`)
    const path = join(this.#logs, `${name}-${this.#started.length}.log`)
    const log = openSync(path, 'a')
    const child = Bun.spawn(asUser(user, command), {
      cwd,
      env: { ...BASE_ENV, ...env },
      stdout: log,
      stderr: log,
      stdin: 'ignore',
    })
    closeSync(log)
    const program = {
      name,
      child,
      pid: child.pid,
      exited: child.exited,
      isRunning: () => child.exitCode === null && child.signalCode === null,
      log: () => readFileSync(path, 'utf8'),
      end: async (signal: NodeJS.Signals) => {
        if (signal === 'SIGKILL') for (const pid of treeOf(child.pid).slice(1)) this.#orphans.add(pid)
        child.kill(signal)
        return child.exited
      },
    }
    this.#started.push(program)
    return program
  }

  /** Processes left behind by killed programs that have not ended. */
  orphans(): number[] {
    return [...this.#orphans].filter(pid => statOf(pid)?.parent !== undefined && !isZombie(pid))
  }

  async endAll(): Promise<void> {
    this.#isEnding = true
    for (const program of this.#started.toReversed()) {
      if (!program.isRunning()) continue
      // A stopped process acts on no signal but these two.
      program.child.kill('SIGCONT')
      program.child.kill('SIGTERM')
      const ended = await Promise.race([program.exited, Bun.sleep(MAX_END_MS)])
      if (ended === undefined) await program.end('SIGKILL')
    }
    for (const pid of this.orphans()) process.kill(pid, 'SIGKILL')
  }
}

const MAX_END_MS = 8_000

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}
