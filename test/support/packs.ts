/** Evidence packs of a release before, and false ones made of them, with what the verifier says. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { canonicalJson, chainHash } from '../../src/core/document/audit-chain.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import type { RemarkCode } from '../../src/locales/remarks.ts'
import { asZip64, type ZipPart, zipOf } from './zip-forms.ts'

const FORMER = join(import.meta.dir, '../evidence/former-packs')
/** At this time all certificates in the packs are valid. */
export const PACK_TIME = new Date('2026-11-29T12:00:00Z')

export type PackFiles = Record<string, Uint8Array>

export interface PackOfTests {
  name: string
  bytes: Uint8Array
}

export interface FalsePack extends PackOfTests {
  /** Of the check that finds it, or why the pack is refused. */
  found: RemarkCode
  /** A note alone: what other programs need, but no evidence, is missing or another. */
  isNote?: boolean
}

export const formerPacks = (): PackOfTests[] =>
  readdirSync(FORMER)
    .filter(name => name.endsWith('.zip'))
    .map(name => ({ name, bytes: new Uint8Array(readFileSync(join(FORMER, name))) }))

export const filesOf = ({ bytes }: PackOfTests): PackFiles => unzipSync(bytes)

const partsOf = (files: PackFiles): ZipPart[] => Object.entries(files).map(([name, content]) => ({ name, content }))

/** With the sums that fit: who makes a false pack makes these too. */
export function withSums(files: PackFiles): PackFiles {
  const summed = Object.keys(files).filter(name => /\.pdf$|^attachments\/|^verify\.html$/.test(name))
  const sums = summed.map(name => `${sha256Hex(files[name] ?? '')}  ${name}\n`).join('')
  return { ...files, SHA256SUMS: Buffer.from(sums) }
}

interface Trail {
  document: { title: string; recipients: { name: string }[] }
  events: { type: string; entry: string; hash: string; previousHash: string; sequence: number; data: object }[]
  lastEventHash: string
  chainHead: { sequence: number; hash: string }
}

/** Changes audit.json and chains all its entries anew, with correct hashes. */
function rechained(files: PackFiles, change: (entry: Record<string, unknown>) => void): PackFiles {
  const trail = JSON.parse(Buffer.from(files['audit.json'] ?? '').toString()) as Trail
  let before: Trail['events'][number] | undefined
  for (const event of trail.events) {
    const entry = JSON.parse(event.entry)
    change(entry)
    event.data = entry.data
    event.entry = canonicalJson({ ...entry, documentPreviousHash: before?.hash ?? null })
    if (before && event.sequence === before.sequence + 1) event.previousHash = before.hash
    event.hash = chainHash(event.previousHash, event.entry)
    before = event
  }
  const { hash = '', sequence = 0 } = before ?? {}
  Object.assign(trail, { lastEventHash: hash, chainHead: { sequence, hash } })
  return { ...files, 'audit.json': Buffer.from(`${JSON.stringify(trail, null, 2)}\n`) }
}

const memberIn = (files: PackFiles, start: string): string =>
  Object.keys(files).find(name => name.startsWith(start)) ?? `${start}missing`

/** `files` and `others` are those of two genuine packs with the same kinds of members. */
function swapped(files: PackFiles, others: PackFiles): [name: string, files: PackFiles, found: RemarkCode, isNote?: boolean][] {
  const from = (name: string) => ({ ...files, [name]: others[name] ?? new Uint8Array() })
  const [mark, attachment] = [memberIn(files, 'marks/'), memberIn(files, 'attachments/')]
  const { [mark]: drawn = new Uint8Array(), ...withoutMark } = files
  const { [attachment]: _, ...withoutAttachment } = files
  const { 'timestamp-authorities.pem': authorities = new Uint8Array(), ...withoutAuthorities } = files
  return [
    ['the sealed file of another document', withSums(from('sealed.pdf')), 'sealed_differs'],
    ['a sealed file with one octet more', withSums({ ...files, 'sealed.pdf': longer(files['sealed.pdf']) }), 'sealed_differs'],
    ['another original', withSums({ ...files, 'original.pdf': longer(files['original.pdf']) }), 'original_differs'],
    ['a file that the sums do not fit', { ...files, 'original.pdf': longer(files['original.pdf']) }, 'sums_differ'],
    ['the trail of another document', from('audit.json'), 'printed_hash_unknown'],
    ['another mark', { ...files, [mark]: longer(drawn) }, 'marks_differ'],
    ['no mark', withoutMark, 'marks_differ'],
    ['a mark too many', { ...files, 'marks/rcp_x-initials.json': drawn }, 'marks_differ'],
    ['another attachment', withSums({ ...files, [attachment]: Buffer.from('%PDF-1.7') }), 'attachments_differ'],
    ['no attachment', withSums(withoutAttachment), 'attachments_differ'],
    ['an attachment too many', withSums({ ...files, 'attachments/more.pdf': Buffer.from('%PDF-1.7') }), 'attachments_differ'],
    ['an attachment that the sums lack', { ...files, 'attachments/more.pdf': Buffer.from('%PDF-1.7') }, 'sums_incomplete'],
    ['the certificate of another seal', from('seal.pem'), 'seal_certificate_missing'],
    ['the issuer of another certificate', from('seal-chain.pem'), 'issuers_unrelated'],
    ['a page that nothing names', withSums({ ...files, 'verify.html': PAGE }), 'page_not_printed', true],
    ['a page that the sums lack', { ...files, 'verify.html': PAGE }, 'sums_incomplete'],
    ['no authorities of time-stamps', withoutAuthorities, 'seal_level_lower', true],
    [
      'other authorities',
      { ...files, 'timestamp-authorities.pem': others['seal-chain.pem'] ?? authorities },
      'seal_level_lower',
      true,
    ],
  ]
}

const PAGE = Buffer.from('<!doctype html><p>VALID')

const longer = (bytes: Uint8Array = new Uint8Array()): Uint8Array => Buffer.concat([bytes, Buffer.from('\n')])

/** Somebody without the key of the seal who computes all hashes anew. */
function rewritten(files: PackFiles): [name: string, files: PackFiles, found: RemarkCode][] {
  const later = (entry: Record<string, unknown>) => {
    if (entry.type === 'recipient.signed') entry.at = String(entry.at).replace(/^\d{4}/, '2020')
  }
  const elsewhere = (entry: Record<string, unknown>) => Object.assign(entry, { documentId: 'doc_another' })
  return [
    ['a chain with another time of signing, and correct hashes', rechained(files, later), 'printed_hash_unknown'],
    ['a chain of another document, and correct hashes', rechained(files, elsewhere), 'trail_event_elsewhere'],
  ]
}

/** Archives that are not written as the service writes them. */
function archives(files: PackFiles): [name: string, bytes: Uint8Array, found: RemarkCode][] {
  const parts = partsOf(files)
  const evil: ZipPart = { name: 'sealed.pdf', content: Buffer.from('%PDF-1.7 another') }
  const named = (name: string): Uint8Array => zipOf([...parts, { name, content: Buffer.from('x') }])
  return [
    ['two members of one name', zipOf([...parts, evil]), 'pack_name_twice'],
    ['two members whose names differ in case', zipOf([...parts, { ...evil, name: 'Sealed.PDF' }]), 'pack_name_twice'],
    ['a hidden member of the same name', zipOf([{ ...evil, isHidden: true }, ...parts]), 'pack_zip_ambiguous'],
    [
      'another name in the local header',
      zipOf([...parts, { ...evil, name: 'marks/x', localName: 'sealed.pdf' }]),
      'pack_zip_ambiguous',
    ],
    ['members that share their bytes', zipOf([...parts, { ...evil, name: 'marks/x', offset: 0 }]), 'pack_zip_ambiguous'],
    ['ZIP64', asZip64(zipOf(parts)), 'pack_zip_ambiguous'],
    ['an unknown member', named('install.sh'), 'pack_file_unknown'],
    ['a folder of its own', named('attachments/more/x'), 'pack_file_unknown'],
    ['a name that leads out', named('../../etc/cron.d/x'), 'pack_name_unsafe'],
    ['an absolute name', named('/etc/passwd'), 'pack_name_unsafe'],
    ['a name of another system', named('C:\\x'), 'pack_name_unsafe'],
    ['cut', zipOf(parts).subarray(0, -1), 'pack_not_a_zip'],
  ]
}

/** Each false in one way, and else as genuine as who makes it can. */
export function falsePacks(): FalsePack[] {
  const [one, another] = ['files-de.zip', 'files-ar.zip'].map(name => {
    const pack = formerPacks().find(former => former.name === name)
    return pack ? filesOf(pack) : {}
  })
  if (one === undefined || another === undefined) return []
  const zipped = [...swapped(one, another), ...rewritten(one)].map(([name, files, found, isNote = false]) => ({
    ...{ name, bytes: zipOf(partsOf(files)), found, isNote },
  }))
  const written = archives(one).map(([name, bytes, found]) => ({ name, bytes, found }))
  return [...zipped, ...written]
}

/** The genuine ones in other forms: with data descriptors of either kind, and nothing packed. */
export function otherForms(): PackOfTests[] {
  return formerPacks().flatMap(pack => {
    const parts = partsOf(filesOf(pack))
    return (['signed', 'bare'] as const).map(descriptor => ({
      name: `${pack.name} with ${descriptor} descriptors`,
      bytes: zipOf(parts.map(part => ({ ...part, descriptor }))),
    }))
  })
}

/** All of them: whoever verifies must say the same of each, wherever it runs. */
export const packsOfTests = (): PackOfTests[] => [...formerPacks(), ...otherForms(), ...falsePacks()]
