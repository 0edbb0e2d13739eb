/** Backups of a test: what is in one, and one with another content. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { TAR_END, TarReader, tarHeader, tarPadding } from '../../src/lib/tar.ts'

/** A key pair as `age-keygen` makes one. */
export const IDENTITY = 'AGE-SECRET-KEY-1PT6VP28M9AFU8YGVG6FP8NZX8MFVTDK4ZX0Q2F4UEZPG5MQAK27STP4XC7'
export const recipient = () => identityToRecipient(IDENTITY)

export type Parts = Map<string, Uint8Array>

export async function partsOf(path: string): Promise<Parts> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(IDENTITY)
  const plain = await decrypter.decrypt(new Uint8Array(readFileSync(path)))
  const reader = new TarReader(
    (async function* () {
      yield plain
    })(),
  )
  const parts: Parts = new Map()
  for (let entry = await reader.next(); entry; entry = await reader.next()) {
    const content: Uint8Array[] = []
    for await (const part of reader.content()) content.push(part)
    parts.set(entry.name, Buffer.concat(content))
  }
  return parts
}

export const writeParts = (path: string, parts: Parts): Promise<void> => writeEntries(path, [...parts])

/** As `writeParts`, of any entries: a name may come twice, or be none that a backup has. */
export async function writeEntries(path: string, entries: [name: string, content: Uint8Array][]): Promise<void> {
  await writeBlocks(
    path,
    entries.flatMap(([name, content]) => [tarHeader({ name, bytes: content.length }), content, tarPadding(content.length)]),
  )
}

/** An encrypted backup of these blocks, and the end of an archive. */
export async function writeBlocks(path: string, blocks: Uint8Array[]): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await recipient())
  writeFileSync(path, await encrypter.encrypt(new Uint8Array(Buffer.concat([...blocks, TAR_END]))))
}

/** A copy whose manifest has other members. */
export async function withManifest(path: string, to: string, change: (manifest: Record<string, unknown>) => void): Promise<void> {
  const parts = await partsOf(path)
  const manifest = JSON.parse(Buffer.from(parts.get('manifest.json') ?? []).toString())
  change(manifest)
  parts.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  await writeParts(to, parts)
}

/** Every file below a folder with its hash; undefined if there is no folder. */
export function contentOf(folder: string): Record<string, string> | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder, { recursive: true }).map(String)
  const regular = files.filter(name => statSync(join(folder, name)).isFile()).sort()
  return Object.fromEntries(regular.map(name => [name, sha256Hex(readFileSync(join(folder, name)))]))
}
