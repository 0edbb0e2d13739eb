/** `signet.address` in a data folder: where the instance that holds its lock is reached. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RunningAddress {
  /** Public origin, as in links. */
  baseUrl: string
  /** Origin on this machine, past any proxy. */
  local: string
}

const pathIn = (folder: string) => join(folder, 'signet.address')

/** Replaces the file in one step: a reader never sees half of it. */
export function writeRunningAddress(folder: string, { baseUrl, local }: RunningAddress): void {
  const path = pathIn(folder)
  writeFileSync(`${path}.tmp`, `${JSON.stringify({ baseUrl, local })}\n`, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

/** Called by whoever takes or releases the lock: a file found then is from a killed process. */
export function removeRunningAddress(folder: string): void {
  rmSync(pathIn(folder), { force: true })
}

/** `undefined` while no instance serves from the folder, or where the file cannot be read. */
export function readRunningAddress(folder: string): RunningAddress | undefined {
  try {
    const { baseUrl, local } = JSON.parse(readFileSync(pathIn(folder), 'utf8'))
    return URL.canParse(baseUrl) && URL.canParse(local) ? { baseUrl, local } : undefined
  } catch {
    return undefined
  }
}

/** Connections to all addresses of a machine are made to its loopback address. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The origin of a server that listens there. */
export function localOrigin(host: string, port: number): string {
  const name = LOOPBACK[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}
