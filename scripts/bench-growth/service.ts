/** One executable that serves one data folder, as the bench watches it from outside. */
import { freePort } from '../../test/support/executable.ts'

export interface Service {
  url: string
  /** Milliseconds from its start to the first 200. */
  startMs: number
  stop(): Promise<void>
}

const ENV = { SIGNET_RATE_PER_MINUTE: '10000000', SIGNET_LOG: 'warn' }
const START_LIMIT_MS = 120_000

export async function startService(executable: string, folder: string): Promise<Service> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedMs = performance.now()
  const child = Bun.spawn([executable, 'serve', '--port', String(port)], {
    cwd: folder,
    env: ENV,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  while (!(await answers(`${url}/healthz`))) {
    if (child.exitCode !== null || performance.now() - startedMs > START_LIMIT_MS) throw new Error(`${executable} does not serve`)
    await Bun.sleep(2)
  }
  const startMs = performance.now() - startedMs
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return { url, startMs, stop }
}

const answers = (url: string) =>
  fetch(url)
    .then(response => response.ok)
    .catch(() => false)

/** Asks `/healthz` again and again; answers the longest wait in milliseconds. */
export function watchStandstill(url: string): () => Promise<number> {
  let isOver = false
  let longestMs = 0
  const asked = (async () => {
    while (!isOver) {
      const startedMs = performance.now()
      await fetch(`${url}/healthz`).then(response => response.text())
      longestMs = Math.max(longestMs, performance.now() - startedMs)
      await Bun.sleep(1)
    }
  })()
  return async () => {
    isOver = true
    await asked
    return longestMs
  }
}

export interface Rate {
  perSecond: number
  p99: string
}

/** Requests a second by wrk, one thread and 32 connections, for the given paths in turn. */
export async function rateOf(url: string, paths: string[], key: string): Promise<Rate> {
  const script = `/tmp/signet-bench-${process.pid}.lua`
  const list = paths.map(path => JSON.stringify(path)).join(',\n')
  await Bun.write(
    script,
    `local paths = {${list}}\nlocal i = 0\nrequest = function()\n  i = i % #paths + 1\n  return wrk.format("GET", paths[i])\nend\n`,
  )
  const args = ['-t1', '-c32', '-d8s', '--latency', '-s', script, '-H', `Authorization: Bearer ${key}`, url]
  const text = await new Response(Bun.spawn(['wrk', ...args], { stdout: 'pipe' }).stdout).text()
  if (/Non-2xx/.test(text)) throw new Error(`wrk met failures:\n${text}`)
  return { perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1]), p99: /99% +(\S+)/.exec(text)?.[1] ?? '?' }
}
