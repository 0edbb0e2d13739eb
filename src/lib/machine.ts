/**
 * What the program asks of the machine it runs on: time, chance, files, network, threads and its
 * own end. Everything else follows from arguments, so a simulation can decide all of it.
 * Types only.
 */
import type { KeyObject } from 'node:crypto'
import type { OutgoingRequest, SendResult } from './fetch-limited.ts'

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
  sync(): Promise<void>
  close(): Promise<void>
}

export interface FileFacts {
  size: number
  mtime: Date
  isFile: boolean
  isFolder: boolean
  /** Changes when the file does: device, inode, size and times. */
  state: string
}

/** Files and folders. Errors are those of the system, with their `code`. */
export interface FileSystem {
  /** `r`: to read, also a folder; `w`: to write, emptied; `wx`: to write, must not exist. */
  open(path: string, flags: 'r' | 'r+' | 'w' | 'wx', mode?: number): Promise<OpenFile>
  facts(path: string): Promise<FileFacts>
  /** The whole file. */
  read(path: string): Promise<Uint8Array>
  names(folder: string): Promise<string[]>
  /** With its parents. Returns the first folder that was made; undefined if all existed. */
  makeFolder(path: string, mode?: number): Promise<string | undefined>
  rename(from: string, to: string): Promise<void>
  link(existing: string, name: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Of the disk that contains the folder, in bytes. */
  space(folder: string): Promise<{ freeBytes: number; totalBytes: number }>
}

/** Work in threads of the process, which takes milliseconds. */
export interface Threads {
  /** SHA-256 with RSASSA-PKCS1-v1_5 or ECDSA (DER). */
  sign(data: Uint8Array, key: KeyObject): Promise<Uint8Array>
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
  /** Ends the process at once. */
  exit(code: number): void
}

export type Clock = Pick<Machine, 'now'>
export type Clocks = Pick<Machine, 'now' | 'steadyMs'>
