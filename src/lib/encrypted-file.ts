/** Encrypts whole files by AES-256-GCM: nonce, ciphertext, tag. NIST SP 800-38D; HKDF, RFC 5869. */
import { type CipherGCM, createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import type { Random } from './machine.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const CHUNK_BYTES = 1 << 20

/** Another key or name, or the bytes were changed. */
export class EncryptedFileError extends Error {}

const keyOf = (masterKey: Uint8Array) => Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), 'signet: files', 32))

/** `name` is bound to the content. The new file is on the disk when it returns. */
export function encryptFile(masterKey: Uint8Array, random: Random, name: string, from: string, to: string): void {
  const nonce = random(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(masterKey), nonce).setAAD(Buffer.from(name))
  withFiles(from, to, (source, target) => {
    writeSync(target, nonce)
    copy(source, target, cipher, 0, fstatSync(source).size)
    writeSync(target, cipher.getAuthTag())
  })
}

/** The new file has unverified content until it returns. @throws EncryptedFileError */
export function decryptFile(masterKey: Uint8Array, name: string, from: string, to: string): void {
  withFiles(from, to, (source, target) => {
    const end = fstatSync(source).size - TAG_BYTES
    if (end < NONCE_BYTES) throw new EncryptedFileError('it is too short')
    const [nonce, tag] = [Buffer.alloc(NONCE_BYTES), Buffer.alloc(TAG_BYTES)]
    readSync(source, nonce, 0, NONCE_BYTES, 0)
    readSync(source, tag, 0, TAG_BYTES, end)
    const decipher = createDecipheriv('aes-256-gcm', keyOf(masterKey), nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
    try {
      copy(source, target, decipher, NONCE_BYTES, end)
    } catch {
      // Another key and changed bytes fail alike.
      throw new EncryptedFileError('it was changed, or encrypted with another master key')
    }
  })
}

function copy(source: number, target: number, cipher: Pick<CipherGCM, 'update' | 'final'>, from: number, end: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = from; at < end; ) {
    const bytes = readSync(source, chunk, 0, Math.min(CHUNK_BYTES, end - at), at)
    if (bytes === 0) break
    writeSync(target, cipher.update(chunk.subarray(0, bytes)))
    at += bytes
  }
  writeSync(target, cipher.final())
}

function withFiles(from: string, to: string, work: (source: number, target: number) => void): void {
  const source = openSync(from, 'r')
  try {
    const target = openSync(to, 'wx', 0o600)
    try {
      work(source, target)
      fsyncSync(target)
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}
