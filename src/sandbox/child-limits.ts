/** Watches a child's processor time, memory and elapsed time while it works. Reads /proc alone. */
import { readFileSync } from 'node:fs'

export interface Limits {
  /** Processor time of the process since the start of the task. */
  cpuMs: number
  /** Elapsed time. Wide: it ends only a child that gets no processor time. */
  wallMs: number
  rssBytes: number
}

export type ExceededLimit = 'cpu' | 'memory' | 'wall'

const POLL_MS = 25
/**
 * Nearly every task needs less. Of processor time, so that a busy machine makes none of them long.
 */
const LONG_CPU_MS = 500
/** A longer pause counts as this: both processes may have been stopped. */
const MAX_STEP_MS = 1_000

export interface Watch {
  stop(): void
  /** Processor time of the task so far, as last seen. */
  cpuMs(): number
}

/**
 * Calls `fail` once the process exceeds a limit, and `becomeLong` at each look after `LONG_CPU_MS`.
 */
export function watchProcess(
  pid: number,
  limits: Limits,
  fail: (exceeded: ExceededLimit) => void,
  becomeLong: () => void = () => undefined,
): Watch {
  const cpuAtStartMs = cpuTimeMs(pid)
  let cpuMs = 0
  let lastPollMs = performance.now()
  let wallMs = 0
  const poll = setInterval(() => {
    const nowMs = performance.now()
    wallMs += Math.min(nowMs - lastPollMs, MAX_STEP_MS)
    lastPollMs = nowMs
    // 0 after the end.
    cpuMs = Math.max(cpuMs, cpuTimeMs(pid) - cpuAtStartMs)
    if (residentBytes(pid) > limits.rssBytes) fail('memory')
    else if (cpuMs > limits.cpuMs) fail('cpu')
    else if (wallMs > limits.wallMs) fail('wall')
    else if (cpuMs > LONG_CPU_MS) becomeLong()
  }, POLL_MS)
  return { stop: () => clearInterval(poll), cpuMs: () => cpuMs }
}

const PAGE_BYTES = 4096

/** Resident memory; 0 after the process has ended, and on systems without /proc. */
export function residentBytes(pid: number): number {
  return Number(readProc(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES
}

/** USER_HZ, which Linux fixes at 100 for all programs. */
const TICK_MS = 10
/** Positions after the process name, which may contain blanks and brackets. proc_pid_stat(5) */
const [UTIME, STIME] = [11, 12]

/** Of all threads; 0 after the process has ended, and on systems without /proc. */
export function cpuTimeMs(pid: number): number {
  const stat = readProc(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[UTIME] ?? 0) + Number(fields[STIME] ?? 0)) * TICK_MS
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
