/** Targets: pictures, evidence packs, archives, backups, and messages of child processes. */
import { writeFileSync } from 'node:fs'
import { Encrypter } from 'age-encryption'
import { unzipSync } from 'fflate'
import { readBackup } from '../../src/backups/read.ts'
import { SETTINGS } from '../../src/evidence/pack/audit-file.ts'
import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { readStatement } from '../../src/evidence/signed-statement.ts'
import { verifyReceipt } from '../../src/evidence/verify-receipt.ts'
import { readJpeg, withoutMetadata } from '../../src/image/jpeg.ts'
import { decodeJpeg, turnUpright } from '../../src/image/logo-picture.ts'
import { pngSize, readPng } from '../../src/image/png-read.ts'
import { rgbaOf, writePng } from '../../src/image/png-write.ts'
import { TarReader } from '../../src/lib/tar.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { runTask } from '../../src/sandbox/main.ts'
import { MessageDecoder } from '../../src/sandbox/protocol.ts'
import { IDENTITY, recipient } from '../support/backup-file.ts'
import { CORPUS_TIME, seedsIn } from './corpus.ts'
import { type Target, ViolationError } from './target.ts'
import { withFiles } from './targets-pdf.ts'

/** A picture that would take seconds is no picture of this target: others are about its pixels. */
const MAX_PIXELS = 1_000_000

const PNG: Target = {
  name: 'png',
  format: 'png',
  seeds: ['png'],
  refusals: [],
  costUs: 250,
  open: () => ({
    async read(input) {
      const bytes = Buffer.from(input)
      const size = pngSize(bytes)
      if (size && size.width * size.height > MAX_PIXELS) return 'large'
      const samples = await readPng(bytes, 30_000)
      if (samples === undefined) return 'no picture'
      const image = rgbaOf(samples)
      const again = await readPng(writePng(image), 30_000)
      const isSame =
        again && Buffer.from(rgbaOf(again).colour).equals(image.colour) && Buffer.from(rgbaOf(again).alpha).equals(image.alpha)
      if (!isSame) throw new ViolationError('a picture that is written again has other pixels')
      return 'picture'
    },
  }),
}

const JPEG: Target = {
  name: 'jpeg',
  format: 'bytes',
  seeds: ['jpeg'],
  refusals: [],
  costUs: 900,
  open: () => ({
    async read(input) {
      const bytes = Buffer.from(input)
      const facts = readJpeg(bytes)
      if (facts === undefined) return 'no picture'
      const bare = withoutMetadata(bytes)
      if (JSON.stringify(readJpeg(bare)) !== JSON.stringify(facts))
        throw new ViolationError('without metadata it has other facts')
      if (!withoutMetadata(bare).equals(bare)) throw new ViolationError('metadata is left')
      if (facts.width * facts.height > MAX_PIXELS) return 'large'
      const image = await decodeJpeg(bytes, facts)
      if (image) turnUpright(image, facts.orientation)
      return image ? 'picture' : 'no pixels'
    },
  }),
}

const SIGNATURE: Target = {
  name: 'signature-picture',
  format: 'png',
  seeds: ['png'],
  refusals: ['SignatureImageError'],
  costUs: 1_200,
  maxCpuMs: 10_000,
  open: () =>
    withFiles(async (path, outPath) => {
      await runTask({ kind: 'cleanSignature', request: { path, outPath } }, THIS_MACHINE)
      return 'ink'
    }),
}

const LOGO: Target = {
  name: 'logo',
  format: 'png',
  seeds: ['png', 'jpeg'],
  refusals: [],
  costUs: 1_200,
  maxCpuMs: 10_000,
  open: () =>
    withFiles(async (path, outPath) => {
      const checked = (await runTask({ kind: 'checkLogo', request: { path } }, THIS_MACHINE)) as { verdict: string }
      const small = await runTask({ kind: 'shrinkLogo', request: { path, outPath } }, THIS_MACHINE)
      return `${checked.verdict}, ${small === null ? 'not for mails' : 'for mails'}`
    }),
}

/**
 * The rest of a pack helps people who verify it with other tools: texts and certificates, of which
 * the log names the one that counts by its hash.
 */
const EVIDENCE: readonly string[] = ['sealed.pdf', 'original.pdf', 'audit.json']

/** The log does not say them. Times may differ a little. */
const UNPROVEN_OF_RECIPIENTS = ['locale', 'hasAccessCode', 'codeLocked', 'verify', 'deliverBy', 'emailStatus']

/** The evidence in audit.json. Text that is no JSON of a document is evidence as it is. */
function provenIn(audit: Uint8Array): string {
  const text = Buffer.from(audit).toString('latin1')
  try {
    const file = JSON.parse(Buffer.from(audit).toString())
    const { recipients, ...own } = file.document
    const people = recipients.map(({ fields, ...person }: Record<string, unknown>) => ({
      ...without(person, UNPROVEN_OF_RECIPIENTS),
      fields: (fields as Record<string, unknown>[]).map(({ id, value, file: added }) => ({ id, value, added })),
    }))
    return JSON.stringify({ ...file, document: { ...without(own, SETTINGS), recipients: people } })
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error
    return text
  }
}

const without = (members: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name) && !name.endsWith('At')))

/** A pack of which any evidence has changed is not valid. */
const PACK: Target = {
  name: 'evidence-pack',
  format: 'zip',
  seeds: ['evidence-pack'],
  refusals: [],
  costUs: 15_000,
  maxCpuMs: 10_000,
  open() {
    const membersOf = (bytes: Uint8Array) =>
      JSON.stringify(
        Object.entries(unzipSync(bytes))
          .filter(([name]) => EVIDENCE.includes(name))
          .map(([name, content]) => [name, name === 'audit.json' ? provenIn(content) : Bun.hash(content).toString()])
          .sort(),
      )
    const genuine = new Set(seedsIn('evidence-pack').map(({ bytes }) => membersOf(bytes)))
    return {
      read(bytes) {
        const { verdict } = verifyPack(bytes, { now: CORPUS_TIME })
        if (verdict === 'valid' && !genuine.has(membersOf(bytes))) throw new ViolationError('a changed pack is valid')
        return verdict
      },
    }
  },
}

const RECEIPT: Target = {
  name: 'receipt',
  format: 'text',
  seeds: ['receipt'],
  words: ['multipart/signed', 'boundary=', '--signet-receipt', '"kind": "receipt"', 'Content-Type: application/json', '\r\n\r\n'],
  refusals: [],
  costUs: 900,
  open() {
    const context = { timestampTrust: [], now: CORPUS_TIME }
    const statements = seedsIn('receipt').map(({ bytes }) => readStatement(bytes, context))
    const genuine = new Set(statements.map(({ content }) => JSON.stringify(content)))
    const trust = statements.map(({ signer }) => signer)
    return {
      read(bytes) {
        const report = verifyReceipt(bytes, { ...context, trust })
        if (report.verdict !== 'valid' || 'reason' in report) return report.verdict
        const { content } = readStatement(bytes, context)
        if (!genuine.has(JSON.stringify(content))) throw new ViolationError('a changed receipt is valid')
        return 'valid'
      },
    }
  },
}

async function* partsOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function entriesOf(bytes: Uint8Array, size: number): Promise<string[]> {
  const reader = new TarReader(partsOf(bytes, size))
  const found: string[] = []
  for (let entry = await reader.next(); entry; entry = await reader.next()) {
    let length = 0
    for await (const part of reader.content()) length += part.length
    if (length !== entry.bytes) throw new ViolationError('an entry has another length than its header says')
    found.push(`${entry.name} ${length}`)
  }
  return found
}

const TAR: Target = {
  name: 'tar',
  format: 'tar',
  seeds: ['tar'],
  refusals: ['TarError'],
  costUs: 200,
  open: () => ({
    async read(bytes) {
      const whole = await entriesOf(bytes, 1 << 20)
      const divided = await entriesOf(bytes, 100)
      if (whole.join() !== divided.join()) throw new ViolationError('what is read depends on the parts in which it arrives')
      return 'read'
    },
  }),
}

const TAKEN = { write() {}, end() {} }
const TARGET = { accept() {}, database: async () => TAKEN, file: async () => TAKEN }

/** The content of a backup, which is encrypted as a backup is. */
const BACKUP: Target = {
  name: 'backup',
  format: 'tar',
  seeds: ['tar'],
  refusals: ['BackupError', 'SchemaTooNewError'],
  costUs: 12_000,
  open: () =>
    withFiles(async (path, _, bytes) => {
      const encrypter = new Encrypter()
      encrypter.addRecipient(await recipient())
      writeFileSync(path, await encrypter.encrypt(new Uint8Array(bytes)))
      await readBackup(THIS_FILE_SYSTEM, path, { identities: [IDENTITY] }, TARGET)
      return 'read'
    }),
}

const BACKUP_FILE: Target = {
  name: 'backup-file',
  format: 'bytes',
  seeds: ['backup-file'],
  words: ['-> X25519 ', '-> scrypt AAAAAAAAAAAAAAAAAAAAAA 30\n', '\n--- ', 'age-encryption.org/v1\n', '\n'],
  refusals: ['BackupError', 'SchemaTooNewError'],
  costUs: 4_000,
  open() {
    const genuine = new Set(seedsIn('backup-file').map(({ bytes }) => Buffer.from(bytes).toString('latin1')))
    return withFiles(async (path, _, bytes) => {
      await readBackup(THIS_FILE_SYSTEM, path, { identities: [IDENTITY] }, TARGET)
      if (!genuine.has(Buffer.from(bytes).toString('latin1'))) throw new ViolationError('a changed backup is read')
      return 'read'
    })
  },
}

const MESSAGE: Target = {
  name: 'child-message',
  format: 'bytes',
  seeds: ['child-message'],
  refusals: ['FramingError'],
  costUs: 30,
  open: () => ({
    read(bytes) {
      const [whole, divided] = [new MessageDecoder(), new MessageDecoder()]
      const values = whole.push(bytes)
      const others = [...bytes].flatMap(octet => divided.push(Uint8Array.of(octet)))
      if (JSON.stringify(values) !== JSON.stringify(others))
        throw new ViolationError('messages depend on the parts in which they arrive')
      return values.length > 0 ? 'messages' : 'no message'
    },
  }),
}

export const FILE_TARGETS: readonly Target[] = [PNG, JPEG, SIGNATURE, LOGO, PACK, RECEIPT, TAR, BACKUP, BACKUP_FILE, MESSAGE]
