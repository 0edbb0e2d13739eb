/**
 * Finds what the audit certificate prints about the log: by the label of the row, its column and
 * its colour. A text of the sender that looks alike is in another place.
 */
import { LANGUAGES } from '../../core/language.ts'
import type { EvidenceTexts } from '../../locales/evidence.ts'
import { catalogueOf } from '../../locales/index.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { INK, MARGIN, MUTED } from '../../text/flow.ts'
import { LABEL_GAP, LABEL_WIDTH } from '../typography.ts'
import { type CertificateLine, certificateLines } from './certificate-lines.ts'

export interface PrintedFacts {
  /** The newest entry before the seal. */
  entry: { sequence: number; hash: string; page: number }
  environment: string
  instanceId: string
}

/** The certificate cannot be read, or does not say it clearly. The message is a clause. */
export class CertificateTextError extends Error {}

const ROUNDING = 0.6

/** @throws CertificateTextError, PdfSyntaxError */
export function printedFacts(sealed: PdfFile, original: PdfFile): PrintedFacts {
  const rows = rowsOf(certificateLines(sealed, original))
  if (rows.length === 0) throw new CertificateTextError('it has no page of an audit certificate after those of the original')
  const entries = LANGUAGES.flatMap(language => rows.flatMap(row => entryIn(row, catalogueOf(language).evidence) ?? []))
  const distinct = new Map(entries.map(entry => [`${entry.sequence} ${entry.hash}`, entry]))
  const [entry, another] = distinct.values()
  if (entry === undefined) throw new CertificateTextError('its audit certificate does not show an entry of the audit log')
  if (another !== undefined) throw new CertificateTextError('its audit certificate shows two entries of the audit log')
  // The first: what the sender wrote follows.
  const software = rows.find(row => LANGUAGES.some(language => hasLabel(row, catalogueOf(language).evidence, 'software')))
  const [, environment = '', instanceId = ''] = software?.value[0]?.text.split(' · ') ?? []
  return { entry, environment, instanceId }
}

/** A row of the record: a label in its column, and beside it one value without a page number. */
interface Row {
  label: string
  value: CertificateLine[]
}

const isAt = (x: number, expected: number) => Math.abs(x - expected) <= ROUNDING

/** In the column of labels, where reading begins. */
const isLabel = ({ x, width, colour }: CertificateLine, mirrored: boolean): boolean =>
  colour === MUTED && (mirrored ? x >= width - MARGIN - (LABEL_WIDTH - LABEL_GAP) - ROUNDING : isAt(x, MARGIN))

const isValue = ({ x, width }: CertificateLine, mirrored: boolean): boolean =>
  mirrored ? x < width - MARGIN - LABEL_WIDTH + ROUNDING : isAt(x, MARGIN + LABEL_WIDTH)

function rowsOf(lines: readonly CertificateLine[]): Row[] {
  const onBaselines = new Map<string, CertificateLine[]>()
  for (const line of lines) {
    const key = `${line.page} ${line.y}`
    onBaselines.set(key, [...(onBaselines.get(key) ?? []), line])
  }
  const baselines = [...onBaselines.values()]
  return [false, true].flatMap(mirrored => baselines.flatMap((_, i) => rowAt(baselines.slice(i), mirrored) ?? []))
}

/** The row that begins at the first of these baselines. */
function rowAt([first = [], ...rest]: CertificateLine[][], mirrored: boolean): Row | undefined {
  const [label, value, other] = first
  if (label === undefined || value === undefined || other !== undefined) return undefined
  if (!isLabel(label, mirrored) || !isValue(value, mirrored) || value.colour !== INK) return undefined
  const end = rest.findIndex(baseline => !isNote(baseline, value, mirrored))
  const notes = rest.slice(0, end === -1 ? rest.length : end).flat()
  return { label: label.text, value: [value, ...notes] }
}

/**
 * Alone on its baseline, in the column of the value: rows of the sender have no words there in
 * this colour.
 */
function isNote([note, beside]: CertificateLine[], { page }: CertificateLine, mirrored: boolean): boolean {
  if (note === undefined || beside !== undefined || note.page !== page) return false
  return note.colour === MUTED && isValue(note, mirrored) && !isLabel(note, mirrored)
}

/**
 * Without what lines are broken at, and of Arabic without an order: the page has it from the left.
 */
function comparable(text: string, { direction }: EvidenceTexts): string {
  const characters = [...text.normalize('NFC').replace(/[\s\p{Cf}]/gu, '')]
  return (direction === 'rtl' ? characters.sort() : characters).join('')
}

function hasLabel({ label }: Row, words: EvidenceTexts, name: 'auditLog' | 'software'): boolean {
  return comparable(label, words) === comparable(words.labels[name], words)
}

function entryIn(row: Row, words: EvidenceTexts): PrintedFacts['entry'] | undefined {
  const [value, ...notes] = row.value
  const hash = /^[0-9a-f]{64}$/.exec(value?.text ?? '')?.[0]
  if (hash === undefined || value === undefined || !hasLabel(row, words, 'auditLog')) return undefined
  const note = notes.map(({ text }) => text).join('')
  const sequence = Number(/\d+/.exec(note)?.[0])
  const isNote = comparable(note, words) === comparable(words.auditEntry(sequence), words)
  return isNote ? { sequence, hash, page: value.page } : undefined
}
