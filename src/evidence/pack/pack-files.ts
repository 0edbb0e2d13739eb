/** Compares the files of an evidence pack with SHA256SUMS and with what the log says of them. */
import type { Json } from '../../core/document/event.ts'
import { isJsonObject } from '../../core/document/logged-facts.ts'
import { startsWithBytes } from '../../lib/bytes.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { AuditFile, PackEvent } from './audit-file.ts'
import { ATTACHMENTS, MARKS, PACK_FILES, type Pack } from './open-pack.ts'
import type { PackCheck } from './report.ts'

/** Of the files in the pack. */
export function checkFiles(pack: Pack, audit: AuditFile): PackCheck[] {
  const hashes = new Map([...pack].map(([name, bytes]) => [name, sha256Hex(bytes)]))
  return [
    ...checkSums(pack, hashes),
    ...checkPdfs(pack, hashes, audit),
    ...checkMarks(hashes, audit),
    ...checkAttachments(hashes, audit),
  ]
}

const passed = (found: Remark): PackCheck => ({ outcome: 'passed', remark: found })
const failed = (found: Remark): PackCheck => ({ outcome: 'failed', remark: found })

function checkSums(pack: Pack, hashes: ReadonlyMap<string, string>): PackCheck[] {
  const text = new TextDecoder().decode(pack.get(PACK_FILES.sums))
  const lines = text.split('\n').filter(line => line !== '')
  const listed = new Map(lines.map(line => [line.slice(66), line.slice(0, 64)]))
  const wrong = [...listed].filter(([name, hash]) => hashes.get(name) !== hash).map(([name]) => name)
  const isSummed = (name: string) => name.endsWith('.pdf') || name === PACK_FILES.page || name.startsWith(ATTACHMENTS)
  const summed = [...pack.keys()].filter(isSummed)
  const left = summed.filter(name => !listed.has(name))
  if (wrong.length > 0) return [failed(remark('sums_differ', { names: wrong }))]
  if (left.length > 0) return [failed(remark('sums_incomplete', { names: left }))]
  return [passed(remark('sums_agree', { names: [...listed.keys()] }))]
}

function checkPdfs(pack: Pack, hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const of = (type: string) => events.findLast(event => event.type === type)?.data
  const originalSha256 = of('document.sent')?.originalSha256
  const newest = events.findLast(({ type }) => type === 'document.completed' || type === 'document.seal_augmented')
  const shown = events.filter(({ type }) => type === 'recipient.signed').map(({ data }) => data.originalSha256)
  const [original, sealed] = [pack.get(PACK_FILES.original), pack.get(PACK_FILES.sealed)]
  const isStart = original && sealed && startsWithBytes(sealed, original)
  return [
    hashes.get(PACK_FILES.original) === originalSha256 && shown.every(sha256 => sha256 === originalSha256)
      ? passed(remark('original_as_logged'))
      : failed(remark('original_differs')),
    hashes.get(PACK_FILES.sealed) === newest?.data.sealedSha256
      ? passed(remark('sealed_as_logged'))
      : failed(remark('sealed_differs')),
    isStart ? passed(remark('sealed_begins_with_original')) : failed(remark('sealed_begins_otherwise')),
  ]
}

/** Those that were drawn or uploaded: their hashes are in the entries of the signatures. */
function checkMarks(hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const expected = new Map(events.flatMap(loggedMarks))
  const found = [...hashes.keys()].filter(name => name.startsWith(MARKS))
  const wrong = [...new Set([...expected.keys(), ...found])].filter(name => hashes.get(name) !== expected.get(name))
  if (wrong.length > 0) return [failed(remark('marks_differ', { names: wrong }))]
  return expected.size > 0 ? [passed(remark('marks_as_logged', { count: expected.size }))] : []
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
  if (logged.join() !== found.join()) return [failed(remark('attachments_differ'))]
  return logged.length > 0 ? [passed(remark('attachments_as_logged', { count: logged.length }))] : []
}
