/**
 * What the program asks of the machine it runs on: time, chance, files, network, threads and its
 * own end. Everything else follows from arguments, so a simulation can decide all of it.
 * Types only.
 */
import type { KeyObject } from 'node:crypto'
import type { S3Client, S3Options } from 'bun'
import type { DiskSpace } from './disk.ts'
import type { OutgoingRequest, SendResult } from './fetch-limited.ts'
import type { Lookup } from './net-guard.ts'

/** Bytes that nobody can predict. */
export type Random = (bytes: number) => Uint8Array

/** Ends a timer; does nothing after its end. */
export type Cancel = () => void

export interface Timers {
  /** Calls `run` once, after this time or a little later. Infinity: never. */
  after(ms: number, run: () => void): Cancel
  /** Calls `run` again and again, with this time between. */
  every(ms: number, run: () => void): Cancel
  sleep(ms: number): Promise<void>
  /** Lets other work run between slices. Awaiting the database does not: it answers at once. */
  yield(): Promise<void>
}

/** An open file, as `FileHandle` of `node:fs/promises`. */
export interface OpenFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  truncate(bytes: number): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export interface FileFacts {
  size: number
  mtime: Date
  /** Of the last reading, as far as the system notes it. */
  atime: Date
  isFolder: boolean
  /** Equal for files of one disk. */
  disk: string
  /** Changes when the file does: its times include one that programs cannot set. */
  state: string
}

/** Files (0600) and folders (0700). Errors are those of the system, with their `code`. */
export interface FileSystem {
  /** `r`: to read, also a folder; `w`: to write, emptied; `wx`: to write, must not exist. */
  open(path: string, flags: 'r' | 'r+' | 'w' | 'wx'): Promise<OpenFile>
  facts(path: string): Promise<FileFacts>
  /** The whole file. */
  read(path: string): Promise<Uint8Array>
  /** The file as a body, or part of one, that is read while it is sent. */
  blob(path: string): Blob
  names(folder: string): Promise<string[]>
  /** As `names`, of a folder with many. Each slice blocks, so callers yield between slices. */
  slicesOfNames(folder: string): AsyncIterable<string[]>
  /** With its parents. Returns the first folder that was made; undefined if all existed. */
  makeFolder(path: string): Promise<string | undefined>
  /** Throws if this user may not make files in the folder, or its disk refuses every change. */
  requireWritable(folder: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  link(existing: string, name: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Of the disk that contains the folder. */
  space(folder: string): Promise<DiskSpace>
}

export type KeyForm = { rsaBits: number } | { curve: 'P-256' | 'P-384' }

/** Work in threads of the process, which takes milliseconds or longer. */
export interface Threads {
  /** SHA-256 with RSASSA-PKCS1-v1_5 or ECDSA (DER). */
  sign(data: Uint8Array, key: KeyObject): Promise<Uint8Array>
  /** Makes a key that signs; RSA takes some seconds. */
  generateKeyPair(form: KeyForm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }>
  /** Argon2id, as a PHC string. */
  hashPassword(password: string): Promise<string>
  verifyPassword(password: string, hash: string): Promise<boolean>
}

export interface Machine {
  /** The machine's clock, which may be wrong and may jump. */
  now(): Date
  /** Goes on at one pace, whatever that clock is set to. In ms since the process began. */
  steadyMs(): number
  timers: Timers
  random: Random
  fileSystem: FileSystem
  threads: Threads
  /** Sends one HTTP request and returns what became of it. */
  send(outgoing: OutgoingRequest): Promise<SendResult>
  /** As the global one, for bodies that are streamed. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Signs requests to a bucket, which `fetch` sends, and lists its objects. */
  s3Client(options: S3Options): Pick<S3Client, 'presign' | 'list'>
  lookup: Lookup
  /** Of this host. */
  ownAddresses(): string[]
  /** Ends the process at once. */
  exit(code: number): void
}

export type Clock = Pick<Machine, 'now'>
export type Clocks = Pick<Machine, 'now' | 'steadyMs'>
