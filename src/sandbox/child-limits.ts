/**
 * What a child process may use while it works, and the watchProcess over it: processor time, memory, time
 * by the clock. Reads /proc alone.
 */
import { readFileSync } from 'node:fs'

export interface Limits {
  /**
   * Processor time of the whole process, from the start of the task. It does not depend on how busy
   * the machine is.
   */
  cpuMs: number
  /**
   * Time by the clock while this process runs too. Wide: it ends only what waits for a machine that
   * gives no processor time.
   */
  wallMs: number
  /** Resident memory. */
  rssBytes: number
}

export type ExceededLimit = 'cpu' | 'memory' | 'wall'

const POLL_MS = 25
/**
 * A pause between two looks counts at most so much: while this process was stopped, the child may
 * have been stopped too.
 */
const MAX_STEP_MS = 1_000

/** Calls `fail` once the process passes a limit. Returns what ends the watchProcess. */
export function watchProcess(pid: number, limits: Limits, fail: (overrun: ExceededLimit) => void): () => void {
  const cpuAtStartMs = cpuTimeMs(pid)
  let lastLookMs = performance.now()
  let wallMs = 0
  const poll = setInterval(() => {
    const nowMs = performance.now()
    wallMs += Math.min(nowMs - lastLookMs, MAX_STEP_MS)
    lastLookMs = nowMs
    if (residentBytes(pid) > limits.rssBytes) fail('memory')
    else if (cpuTimeMs(pid) - cpuAtStartMs > limits.cpuMs) fail('cpu')
    else if (wallMs > limits.wallMs) fail('wall')
  }, POLL_MS)
  return () => clearInterval(poll)
}

const PAGE_BYTES = 4096

/** Resident memory in bytes; 0 once the process is gone, or where /proc is not there. */
export function residentBytes(pid: number): number {
  return Number(procText(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES
}

/** USER_HZ, which Linux fixes at 100 for all it tells programs. */
const TICK_MS = 10
/**
 * Places of utime and stime behind the process name, which may hold blanks and brackets.
 * proc_pid_stat(5)
 */
const [UTIME, STIME] = [11, 12]

/**
 * Processor time used by all threads of the process; 0 once it is gone, or where /proc is not
 * there.
 */
export function cpuTimeMs(pid: number): number {
  const stat = procText(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[UTIME] ?? 0) + Number(fields[STIME] ?? 0)) * TICK_MS
}

function procText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
