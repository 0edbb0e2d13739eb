/** Compares the files of an evidence pack with SHA256SUMS and with what the log says of them. */
import { createHash } from 'node:crypto'
import type { Json } from '../../core/document/event.ts'
import { isJsonObject } from '../../core/document/logged-facts.ts'
import type { AuditFile, PackEvent } from './audit-file.ts'
import { ATTACHMENTS, MARKS, PACK_FILES, type Pack } from './open-pack.ts'
import type { PackCheck } from './report.ts'

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export function checkFiles(pack: Pack, audit: AuditFile): PackCheck[] {
  const hashes = new Map([...pack].map(([name, bytes]) => [name, hashOf(bytes)]))
  return [
    ...checkSums(pack, hashes),
    ...checkPdfs(pack, hashes, audit),
    ...checkMarks(hashes, audit),
    ...checkAttachments(hashes, audit),
  ]
}

const passed = (text: string): PackCheck => ({ outcome: 'passed', text })
const failed = (text: string): PackCheck => ({ outcome: 'failed', text })

function checkSums(pack: Pack, hashes: ReadonlyMap<string, string>): PackCheck[] {
  const text = new TextDecoder().decode(pack.get(PACK_FILES.sums))
  const lines = text.split('\n').filter(line => line !== '')
  const listed = new Map(lines.map(line => [line.slice(66), line.slice(0, 64)]))
  const wrong = [...listed].filter(([name, hash]) => hashes.get(name) !== hash).map(([name]) => name)
  const summed = [...pack.keys()].filter(name => name.endsWith('.pdf') || name.startsWith(ATTACHMENTS))
  const left = summed.filter(name => !listed.has(name))
  if (wrong.length > 0) return [failed(`Not as SHA256SUMS says: ${wrong.join(', ')}.`)]
  if (left.length > 0) return [failed(`SHA256SUMS lacks ${left.join(', ')}.`)]
  return [passed(`The files have the hashes of SHA256SUMS: ${[...listed.keys()].join(', ')}.`)]
}

function checkPdfs(pack: Pack, hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const of = (type: string) => events.findLast(event => event.type === type)?.data
  const originalSha256 = of('document.sent')?.originalSha256
  const newest = events.findLast(({ type }) => type === 'document.completed' || type === 'document.seal_augmented')
  const shown = events.filter(({ type }) => type === 'recipient.signed').map(({ data }) => data.originalSha256)
  const [original, sealed] = [pack.get(PACK_FILES.original), pack.get(PACK_FILES.sealed)]
  const isStart = original && sealed && Buffer.compare(original, sealed.subarray(0, original.length)) === 0
  return [
    hashes.get(PACK_FILES.original) === originalSha256 && shown.every(sha256 => sha256 === originalSha256)
      ? passed('original.pdf is the file that was sent and that everybody who signed was shown.')
      : failed('original.pdf is not the file that the log says was sent and shown.'),
    hashes.get(PACK_FILES.sealed) === newest?.data.sealedSha256
      ? passed('sealed.pdf is the file that the log says was sealed.')
      : failed('sealed.pdf is not the file that the log says was sealed.'),
    isStart
      ? passed('sealed.pdf begins with original.pdf, byte for byte.')
      : failed('sealed.pdf does not begin with original.pdf.'),
  ]
}

/** Those that were drawn or uploaded: their hashes are in the entries of the signatures. */
function checkMarks(hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const expected = new Map(events.flatMap(loggedMarks))
  const found = [...hashes.keys()].filter(name => name.startsWith(MARKS))
  const wrong = [...new Set([...expected.keys(), ...found])].filter(name => hashes.get(name) !== expected.get(name))
  if (wrong.length > 0) return [failed(`Not the signatures that the log has: ${wrong.join(', ')}.`)]
  return expected.size > 0 ? [passed(`The ${expected.size} drawn or uploaded signatures are those of the log.`)] : []
}

/** The names of the files and the hashes that they must have. */
function loggedMarks({ type, recipientId, personal }: PackEvent): [string, Json][] {
  if (type !== 'recipient.signed' || personal === null) return []
  return ['signature', 'initials'].flatMap((name): [string, Json][] => {
    const mark = personal[name]
    if (!isJsonObject(mark) || mark.kind === 'typed') return []
    return [[`${MARKS}${recipientId}-${name}.${mark.kind === 'drawn' ? 'json' : 'png'}`, mark.sha256 ?? null]]
  })
}

function checkAttachments(hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const files = events.flatMap(({ type, personal }) =>
    type === 'recipient.signed' && isJsonObject(personal?.fieldFiles) ? Object.values(personal.fieldFiles) : [],
  )
  const logged = files.map(file => (isJsonObject(file) ? String(file.sha256) : '')).sort()
  const found = [...hashes].flatMap(([name, hash]) => (name.startsWith(ATTACHMENTS) ? [hash] : [])).sort()
  if (logged.join() !== found.join()) return [failed('The files in attachments/ are not those that the log says signers added.')]
  return logged.length > 0 ? [passed(`The ${logged.length} files that signers added are those of the log.`)] : []
}
