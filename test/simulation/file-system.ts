/**
 * A file system on a real folder, whose calls wait at the world and whose unsynced changes a loss
 * of power undoes. PDF code reads the files past it: their bytes are where they seem to be.
 */
import {
  accessSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FileFacts, FileSystem, OpenFile } from '../../src/lib/machine.ts'
import type { Chance } from './chance.ts'

/** How calls are made: by the world, for one life of an instance. */
export interface Calls {
  call<T>(what: string, effect: () => T): Promise<T>
  /** The clock that files get their times from. */
  now(): Date
  pause(ms: number): Promise<void>
  /** Open files of this life, which its end closes. */
  descriptors: Set<number>
}

type NameChange =
  | { kind: 'made'; path: string }
  | { kind: 'renamed'; from: string; to: string; replaced: Uint8Array | undefined }
  | { kind: 'removed'; path: string; bytes: Uint8Array }

const SLOW_SYNC_MS = 3_000

/** The disk of a machine. It outlives the processes that write to it. */
export class SimulatedDisk {
  /** Of the next calls: what the system answers in place of the work. */
  failing: { code: 'ENOSPC' | 'EIO'; calls: number } | undefined
  /** So many of the next syncs take long, while all else goes on. */
  slowSyncs = 0
  /** Paths whose bytes have been synced since their last change. */
  readonly #synced = new Set<string>()
  /** Paths that the process itself has written to. */
  readonly #written = new Set<string>()
  /** Changes of names since the last sync of their folder, in order. */
  readonly #names: NameChange[] = []

  constructor(readonly root: string) {}

  /** `undefined`: it works again. */
  fail(way: 'ENOSPC' | 'EIO' | 'slow syncs' | undefined, calls = 0): void {
    this.slowSyncs = way === 'slow syncs' ? calls : 0
    this.failing = way === undefined || way === 'slow syncs' ? undefined : { code: way, calls }
  }

  /** Whether this call fails, of those that shall. */
  takeFailure(): 'ENOSPC' | 'EIO' | undefined {
    if (this.failing === undefined || this.failing.calls === 0) return undefined
    this.failing.calls--
    return this.failing.code
  }

  written(path: string): void {
    this.#written.add(path)
    this.#synced.delete(path)
  }

  /** A child process syncs what it makes, except a file that its parent goes on to write. */
  madeByChildren(folder: string): void {
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (!this.#written.has(path)) this.#synced.add(path)
    }
  }

  synced(path: string): void {
    this.#synced.add(path)
  }

  /** All changes so far are on the disk, of these files too. */
  syncAll(paths: readonly string[]): void {
    this.#names.length = 0
    for (const path of paths) this.#synced.add(path)
  }

  named(change: NameChange): void {
    this.#names.push(change)
    if (change.kind === 'renamed') {
      if (this.#synced.delete(change.from)) this.#synced.add(change.to)
      else this.#synced.delete(change.to)
    }
  }

  folderSynced(folder: string): void {
    const isOf = (change: NameChange) => dirname(change.kind === 'renamed' ? change.to : change.path) === folder
    for (let i = this.#names.length - 1; i >= 0; i--) {
      const change = this.#names[i]
      if (change !== undefined && isOf(change)) this.#names.splice(i, 1)
    }
  }

  /**
   * What is left after a loss of power: of the names the first changes, of the bytes that were not
   * synced all, a part or none. Returns sentences about what was lost.
   */
  losePower(chance: Chance, folders: readonly string[]): string[] {
    const lost: string[] = []
    const kept = chance.below(this.#names.length + 1)
    for (const change of this.#names.splice(kept).reverse()) lost.push(this.#undo(change))
    this.#names.length = 0
    for (const folder of folders) {
      if (!existsSync(folder)) continue
      for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name)
        if (this.#synced.has(path) || !statSync(path).isFile()) continue
        const sentence = damage(path, chance)
        if (sentence !== undefined) lost.push(sentence)
      }
    }
    return lost.filter(Boolean)
  }

  #undo(change: NameChange): string {
    if (change.kind === 'made') {
      if (existsSync(change.path)) unlinkSync(change.path)
      return `the new file ${basename(change.path)} is gone`
    }
    if (change.kind === 'removed') {
      writeFileSync(change.path, change.bytes)
      this.#synced.add(change.path)
      return `the removed file ${basename(change.path)} is back`
    }
    if (existsSync(change.to)) {
      renameSync(change.to, change.from)
      if (this.#synced.delete(change.to)) this.#synced.add(change.from)
    }
    if (change.replaced !== undefined) {
      writeFileSync(change.to, change.replaced)
      this.#synced.add(change.to)
    }
    return `the name ${basename(change.to)} is lost`
  }
}

function damage(path: string, chance: Chance): string | undefined {
  const { size } = statSync(path)
  const way = chance.below(3)
  if (size === 0 || way === 0) return undefined
  truncateSync(path, way === 1 ? 0 : chance.below(size))
  return `the unsynced file ${basename(path)} is ${way === 1 ? 'empty' : 'cut'}`
}

export class SystemError extends Error {
  constructor(readonly code: string) {
    super(`${code}: simulated`)
  }
}

const factsOf = (path: string): FileFacts => {
  const found = statSync(path, { bigint: true })
  return {
    size: Number(found.size),
    mtime: found.mtime,
    atime: found.atime,
    isFolder: found.isDirectory(),
    disk: 'one',
    // Without device and inode, which differ between runs.
    state: [found.size, found.mtimeNs].join(':'),
  }
}

/** The file system as one life of an instance sees it. */
export function simulatedFileSystem(disk: SimulatedDisk, { call, now, descriptors, pause }: Calls): FileSystem {
  const short = (path: string) => basename(path).slice(0, 12)
  const changing = <T>(what: string, effect: () => T): Promise<T> =>
    call(what, () => {
      const code = disk.takeFailure()
      if (code !== undefined) throw new SystemError(code)
      return effect()
    })
  const touch = (path: string) => {
    utimesSync(path, now(), now())
    disk.written(path)
  }
  return {
    open: (path, flags) =>
      call(`open ${short(path)}`, () => {
        const isNew = flags !== 'r' && !existsSync(path)
        const descriptor = openSync(path, flags, 0o600)
        descriptors.add(descriptor)
        if (isNew) disk.named({ kind: 'made', path })
        if (flags === 'w' || flags === 'wx') touch(path)
        return openFile(descriptor, path, { call, changing, touch, disk, descriptors, pause })
      }),
    facts: path => call(`facts ${short(path)}`, () => factsOf(path)),
    read: path => call(`read ${short(path)}`, () => new Uint8Array(readFileSync(path))),
    blob: path => new Blob([readFileSync(path)]),
    async *slicesOfNames(folder) {
      yield await call(`list ${short(folder)}`, () => readdirSync(folder).sort())
    },
    requireWritable: folder => call(`look at ${short(folder)}`, () => accessSync(folder)),
    names: folder => call(`list ${short(folder)}`, () => readdirSync(folder).sort()),
    makeFolder: path => changing(`make folder ${short(path)}`, () => mkdirSync(path, { recursive: true, mode: 0o700 })),
    rename: (from, to) =>
      changing(`rename to ${short(to)}`, () => {
        const replaced = existsSync(to) ? new Uint8Array(readFileSync(to)) : undefined
        renameSync(from, to)
        disk.named({ kind: 'renamed', from, to, replaced })
      }),
    link: (existing, name) =>
      changing(`link ${short(name)}`, () => {
        linkSync(existing, name)
        disk.named({ kind: 'made', path: name })
      }),
    unlink: path =>
      changing(`remove ${short(path)}`, () => {
        const bytes = new Uint8Array(readFileSync(path))
        unlinkSync(path)
        disk.named({ kind: 'removed', path, bytes })
      }),
    space: async () => ({ freeBytes: 1e12, totalBytes: 2e12 }),
  }
}

interface FileCalls extends Pick<Calls, 'descriptors' | 'pause'> {
  call: Calls['call']
  changing<T>(what: string, effect: () => T): Promise<T>
  touch(path: string): void
  disk: SimulatedDisk
}

function openFile(descriptor: number, path: string, calls: FileCalls): OpenFile {
  const { call, changing, touch, disk, descriptors, pause } = calls
  const name = basename(path).slice(0, 12)
  return {
    write: (bytes, offset, length, position) =>
      changing(`write ${name}`, () => {
        const bytesWritten = writeSync(descriptor, bytes, offset, length, position)
        touch(path)
        return { bytesWritten }
      }),
    read: (into, offset, length, position) =>
      call(`read ${name}`, () => ({ bytesRead: readSync(descriptor, into, offset, length, position) })),
    truncate: length =>
      changing(`cut ${name}`, () => {
        ftruncateSync(descriptor, length)
        touch(path)
      }),
    sync: async () => {
      if (disk.slowSyncs > 0) {
        disk.slowSyncs--
        await pause(SLOW_SYNC_MS)
      }
      return changing(`sync ${name}`, () => {
        if (fstatSync(descriptor).isDirectory()) disk.folderSynced(path)
        else disk.synced(path)
      })
    },
    close: () =>
      call(`close ${name}`, () => {
        descriptors.delete(descriptor)
        closeSync(descriptor)
      }),
  }
}
