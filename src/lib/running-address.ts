/** `signet.address` in a data folder: where the instance that holds its lock is reached. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readText, writeAll } from './files.ts'
import type { FileSystem } from './machine.ts'

export interface RunningAddress {
  /** Public origin, as in links. */
  baseUrl: string
  /** Origin on this machine, past any proxy. */
  local: string
}

const pathIn = (folder: string) => join(folder, 'signet.address')

/** Replaces the file in one step: a reader never sees half of it. */
export async function writeRunningAddress(
  fileSystem: FileSystem,
  folder: string,
  { baseUrl, local }: RunningAddress,
): Promise<void> {
  const path = pathIn(folder)
  const file = await fileSystem.open(`${path}.tmp`, 'w')
  await writeAll(file, Buffer.from(`${JSON.stringify({ baseUrl, local })}\n`), 0).finally(() => file.close())
  await fileSystem.rename(`${path}.tmp`, path)
}

/** Called by whoever takes or releases the lock: a file found then is from a killed process. */
export function removeRunningAddress(folder: string): void {
  rmSync(pathIn(folder), { force: true })
}

/** `undefined` while no instance serves from the folder, or where the file cannot be read. */
export async function readRunningAddress(fileSystem: FileSystem, folder: string): Promise<RunningAddress | undefined> {
  try {
    const { baseUrl, local } = JSON.parse(await readText(fileSystem, pathIn(folder)))
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
