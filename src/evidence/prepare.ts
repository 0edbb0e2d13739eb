/**
 * Prepares a document for sealing: composes its audit certificate, and writes source, fields,
 * certificate and a signature with a placeholder. The caller signs the digest that it returns. ISO
 * 32000-2 §7.5.6, §12.8.1.
 */
import { readFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import { drawOverlay } from '../appearance/draw-fields.ts'
import { composeOverlay, type FieldAppearance, fillPage, SAVE_OPTIONS } from '../appearance/field-appearance.ts'
import { SignatureResources } from '../appearance/signature-appearance.ts'
import { SEAL_SUB_FILTERS, type SealSubFilter } from '../core/document/document.ts'
import { displayedSize } from '../core/field/geometry.ts'
import { maySign } from '../core/signing/routing.ts'
import { embedLogo, LOGO_BOX } from '../image/logo.ts'
import { drawImage, type EmbeddedImage, uprightSize } from '../image/xobject-image.ts'
import type { Machine } from '../lib/machine.ts'
import { MARK_COLOUR, MARK_IMPRESSION, MARK_SIDE, MARK_WAX } from '../lib/mark.ts'
import { darkRuns, encodeQrCode, QUIET_ZONE } from '../lib/qr-code.ts'
import { figures } from '../locales/evidence.ts'
import { catalogueOf } from '../locales/index.ts'
import { newPlaceholder } from '../pades/placeholder.ts'
import { type PreparedFile, writePrepared } from '../pades/revision-file.ts'
import { type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { hasActiveContent, makeIncrement } from '../pdf/writer/increment.ts'
import { drawLine, PageFlow, type PageSize, type TextStyle } from '../text/flow.ts'
import { HAIRLINE, MARGIN } from '../text/page-style.ts'
import { num, openPdfFonts } from '../text/pdf-fonts.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { isWithoutMark, pageRanges, versionAfter, writeAnswer, writeDetails } from './answer.ts'
import type { Evidence, EvidenceEvent, EvidenceMark, EvidenceRecipient, EvidenceValue } from './model.ts'
import { openTimeFormatter } from './time.ts'
import {
  ALARM,
  type Deps,
  FINE,
  fitLine,
  NAME,
  NOTE,
  RECORD,
  SMALL,
  SMALL_NOTE,
  SUBHEAD,
  TITLE,
  timeColumn,
  type Value,
  writeRow,
  writeSection,
} from './typography.ts'

export interface PrepareRequest {
  /** Canonical file. Its bytes become the first revision of the sealed file. */
  sourcePath: string
  outPath: string
  fields: FieldAppearance[]
  evidence: Evidence
  signature: { name: string; reason: string; location: string | undefined; at: string; contentsBytes: number }
}

const A4 = { width: 595.28, height: 841.89 }
const LETTER = { width: 612, height: 792 }

export interface Composers {
  overlay: typeof composeOverlay
  evidence: typeof composeEvidence
}

type Context = Pick<Machine, 'random'> & Partial<Composers>

/** The paper whose proportions are closest to the first page's, in portrait. */
function choosePaper({ pages }: OpenedForUpdate): typeof A4 {
  const [first] = pages
  if (first === undefined) return A4
  const { width, height } = displayedSize(first.box)
  const ratio = Math.max(width, height) / Math.min(width, height)
  const distance = (paper: typeof A4) => Math.abs(ratio - paper.height / paper.width)
  return distance(LETTER) < distance(A4) ? LETTER : A4
}

/** @throws PdfSyntaxError; RangeError for a missing page; EEXIST and other file system errors */
export async function prepare(request: PrepareRequest, context: Context): Promise<PreparedFile> {
  const { random, overlay: compose = composeOverlay, evidence: composeAppendix = composeEvidence } = context
  const source = await readFile(request.sourcePath)
  const pdf = openForUpdate(source)
  const placeholder = newPlaceholder(request.signature.contentsBytes, random)
  const overlay = await drawOverlay(pdf, request.fields, compose)
  const document = { ...request.evidence.document, hasActiveContent: hasActiveContent(pdf) }
  const appendix = await composeAppendix({ ...request.evidence, document }, choosePaper(pdf))
  const signature = { ...request.signature, subFilter: request.evidence.sealSubFilter }
  const options = { overlay, appendix, signature, placeholder, id: random(16) }
  const { bytes: update, pageCount } = makeIncrement(pdf, options)
  return writePrepared(request.outPath, source, { update, pageCount, placeholder })
}

// Composes the audit certificate, appended to a sealed file: the answer, the events and the
// technical record. Legal basis: 15 USC 7001(d), eIDAS 910/2014 art. 3(10), 25(1), 35.

const SMALL_ALARM: TextStyle = { ...ALARM, size: 7.5 }

/** `size` in pt. @throws RangeError for an unknown time zone */
export async function composeEvidence(evidence: Evidence, size: PageSize): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openParagraphShaper()])
  const fonts = await openPdfFonts(pdf)
  const words = catalogueOf(evidence.language).evidence
  const flow = new PageFlow(size, shape, fonts, { mirrored: words.direction === 'rtl', han: evidence.han })
  const appearances = evidence.recipients.flatMap(({ signature }) => (signature ? [signature.appearance] : []))
  const xobjects = await SignatureResources.open(pdf, appearances)
  const timeFormatter = openTimeFormatter(evidence.timeZone, words, timesOf(evidence))
  const pages = Array.from({ length: evidence.document.pageCount }, (_, i) => i + 1)
  const deps: Deps = { flow, shape, fonts, xobjects, timeFormatter, words, pages, han: evidence.han }
  const logo = evidence.logo && (await embedLogo(pdf, evidence.logo.path))
  if (logo) xobjects.add(LOGO_NAME, logo.ref)
  writeHeader(evidence, logo, deps)
  const isWhole = writeAnswer(evidence, deps)
  const isNoted = flow.addAtFoot(() => writeNotes(evidence, deps))
  flow.endFirstPage()
  if (!isWhole) writeDetails(evidence, deps)
  writeTimeline(evidence, deps)
  writeConsents(evidence, deps)
  writeRecord(evidence, deps)
  if (!isNoted) writeNotes(evidence, deps)
  fillPages(pdf, evidence, size, deps)
  return pdf.save(SAVE_OPTIONS)
}

function timesOf({ sealedAt, recipients, events }: Evidence): string[] {
  const ofPeople = recipients.flatMap(({ actedAt, consentedAt, namedBy = [], deviceKey }) => [
    ...[actedAt, consentedAt, deviceKey?.firstUsedAt].filter(at => at !== undefined),
    ...namedBy.map(({ at }) => at),
  ])
  return [sealedAt, ...ofPeople, ...events.map(({ at }) => at)]
}

function fillPages(pdf: PDFDocument, evidence: Evidence, size: PageSize, deps: Deps): void {
  const pages = deps.flow.layOutPages()
  pages.forEach((operators, i) => {
    const headerAndFooter = drawHeaderAndFooter(evidence, i + 1, pages.length, size, deps)
    const watermark = evidence.isTest ? [drawTestWatermark(size, MARGIN)] : []
    const page = pdf.addPage([size.width, size.height])
    fillPage(pdf, page, [...watermark, ...operators, headerAndFooter].join('\n'), deps.fonts, deps.xobjects)
  })
  deps.fonts.embed()
  deps.xobjects.embed()
}

// Writes the start of the audit certificate, and the header and footer of its pages.

/** pt */
const QR_SIDE = 78
const LOGO_NAME = 'Logo'

/** Of longer titles the type is smaller. */
const SHORT_TITLE_CHARACTERS = 34
const MEDIUM_TITLE_CHARACTERS = 60
const LONG_TITLE_CHARACTERS = 160

/** Writes logo, organisation and the document's title beside the QR code, then the introduction. */
function writeHeader(evidence: Evidence, logo: EmbeddedImage | undefined, deps: Deps): void {
  const { flow, words } = deps
  const { organisation } = evidence
  const modules = encodeQrCode(evidence.verifyUrl)
  const width = modules ? flow.width - QR_SIDE - 24 : flow.width
  const write = (text: string, type: TextStyle) => flow.addColumns([{ x: 0, width, cells: [{ text, type }] }])
  flow.keepWithNext(() => {
    if (modules) {
      // Its white edge is in the margin of the page.
      const edge = (QR_SIDE * QUIET_ZONE) / (modules.length + 2 * QUIET_ZONE)
      const x = flow.width - QR_SIDE + edge
      flow.drawBeside(x, QR_SIDE, (left, top) => drawQrWithCaption(modules, left, top + edge, deps))
    }
    if (logo) flow.addDrawing(LOGO_BOX.height + 6, (_, top) => drawLogo(logo, top, deps))
    else flow.addDrawing(MARK_HEIGHT + 6, (_, top) => drawMark(startOf(MARK_HEIGHT, deps), top))
    write(`${words.heading} · ${organisation}`, SUBHEAD)
    write(evidence.document.title, titleStyle(evidence.document.title))
    flow.addSpace(9)
  })
  flow.addText({ text: words.introduction(organisation), type: NOTE })
  if (!evidence.isTest) return
  flow.addSpace(4)
  flow.addText({ text: words.testNotice(evidence.environment), type: ALARM })
}

function titleStyle({ length }: string): TextStyle {
  if (length > LONG_TITLE_CHARACTERS) return NAME
  if (length > MEDIUM_TITLE_CHARACTERS) return { ...TITLE, size: 14 }
  return length > SHORT_TITLE_CHARACTERS ? { ...TITLE, size: 16 } : TITLE
}

function drawQrWithCaption(modules: boolean[][], left: number, top: number, deps: Deps): string {
  const caption = fitLine(deps.words.scan, SMALL_NOTE, QR_SIDE + 16, deps)
  const x = left + (QR_SIDE - caption.width * SMALL_NOTE.size) / 2
  const end = MARGIN + deps.flow.width
  const inside = Math.min(Math.max(x, MARGIN), end - caption.width * SMALL_NOTE.size)
  return [drawQrCode(modules, left, top, QR_SIDE), drawLine(deps.fonts, caption, SMALL_NOTE, inside, top - QR_SIDE - 6)].join(
    '\n',
  )
}

/** The left edge of something that begins where a line of text does. */
function startOf(width: number, { flow, words }: Deps): number {
  return words.direction === 'rtl' ? MARGIN + flow.width - width : MARGIN
}

function drawLogo(logo: EmbeddedImage, top: number, deps: Deps): string {
  const { width, height } = uprightSize(logo)
  const scale = Math.min(LOGO_BOX.width / width, LOGO_BOX.height / height)
  const [w, h] = [width * scale, height * scale]
  return drawImage(LOGO_NAME, logo, { left: startOf(w, deps), bottom: top - h, width: w, height: h })
}

/** Draws the header and footer of page `number` (1 is the first) of `count`. */
function drawHeaderAndFooter(evidence: Evidence, number: number, count: number, size: PageSize, deps: Deps): string {
  const { words, fonts } = deps
  const width = size.width - 2 * MARGIN
  const drawText = (text: string, type: TextStyle, maxWidth: number, y: number, side: 'start' | 'end') => {
    const line = fitLine(text, type, maxWidth, deps)
    const atRight = (side === 'end') !== (words.direction === 'rtl')
    return drawLine(fonts, line, type, atRight ? MARGIN + width - line.width * type.size : MARGIN, y)
  }
  const rule = (y: number) => `${HAIRLINE} RG 0.6 w ${num(MARGIN)} ${num(y)} m ${num(MARGIN + width)} ${num(y)} l S`
  const [headerY, footerY] = [size.height - MARGIN, MARGIN - 6]
  const notice = evidence.isTest
    ? [drawText(words.testNotice(evidence.environment), SMALL_ALARM, width, footerY - 11, 'start')]
    : []
  const header = [
    drawText(evidence.document.title, SMALL_NOTE, width - 190, headerY + 4, 'start'),
    drawText(evidence.document.id, SMALL_NOTE, 180, headerY + 4, 'end'),
    rule(headerY - 3),
  ]
  return [
    ...(number > 1 ? header : []),
    rule(MARGIN + 6),
    drawText(words.pageOf(number, count), SMALL_NOTE, width, footerY, 'end'),
    ...notice,
  ].join('\n')
}

// Writes the events in time order, one row each, and the seal as the last one.

/** Width of the column of addresses, pt. */
const IP_WIDTH = 72
const IPV6_WIDTH = 118
/** Share of the event in the rest. */
const EVENT_SHARE = 0.6

const NOBODY = '–'

function writeTimeline(evidence: Evidence, deps: Deps): void {
  const { flow, timeFormatter, words } = deps
  writeSection(words.sections.events, deps)
  const time = timeColumn(timeFormatter)
  const address = evidence.events.some(({ ip }) => ip?.includes(':')) ? IPV6_WIDTH : IP_WIDTH
  const rest = flow.width - time - address
  const columns = [
    { title: words.columns.time, width: time },
    { title: words.columns.event, width: rest * EVENT_SHARE },
    { title: words.columns.by, width: rest * (1 - EVENT_SHARE) },
    { title: words.labels.ip, width: address },
  ]
  const rows = [
    ...evidence.events.map(event => [event.at, textOf(event, deps), actorOf(event, deps), event.ip ?? NOBODY]),
    [evidence.sealedAt, words.events['document.completed'], evidence.organisation, NOBODY],
  ]
  const types = [SMALL, SMALL, SMALL, SMALL_NOTE]
  flow.addTable(
    columns,
    rows.map(([at = '', ...texts]) => [timeFormatter.local(at), ...texts].map((text, i) => [{ text, type: types[i] ?? SMALL }])),
  )
}

function textOf({ kind, consentVersion, reason, ...event }: EvidenceEvent, { words }: Deps): string {
  if (consentVersion) return versionAfter(words.events[kind], consentVersion, words)
  // Between words that are read from the right, angle brackets would change places.
  const newPerson = words.direction === 'rtl' ? event.newPerson?.replace(/ <(.*)>$/, ', $1') : event.newPerson
  const about = [event.concernedRecipientName, newPerson, reason && words.quoted(reason)].filter(text => text)
  // A line each: between two names that are read from right to left, an arrow would read backwards.
  const arrow = words.direction === 'rtl' ? '←' : '→'
  return about.length === 0 ? words.events[kind] : `${words.events[kind]}: ${about.join(` ${arrow}\n`)}`
}

/** What the service did has no person. */
function actorOf({ who }: EvidenceEvent, { words }: Deps): string {
  if (who === undefined) return NOBODY
  const name = who.name ?? words.sender
  return who.kind === 'sender' && who.program ? `${name} (${who.program})` : name
}

// Writes the technical record: hashes, certificates, clients, fields and the consent.

/** Length of a name in the heading of a continued recipient. */
const MAX_REPEATED_CHARACTERS = 60

function writeRecord(evidence: Evidence, deps: Deps): void {
  const { words } = deps
  writeSection(words.sections.record, deps)
  writePart(words.sections.document, deps, () => writeDocument(evidence, deps))
  writePart(words.sections.seal, deps, () => writeSeal(evidence, deps))
  for (const [i, recipient] of evidence.recipients.entries()) {
    // Nothing is known of a viewer who never opened the document.
    if ((recipient.actedAt ?? recipient.userAgent) === undefined) continue
    const name = evidence.recipients.length > 1 ? `${i + 1}. ${recipient.name}` : recipient.name
    writePart(name, deps, () => writeRecipient(recipient, evidence, deps))
  }
}

/** On one page if possible. */
function writePart(title: string, { flow, words }: Deps, write: () => void): void {
  const short = [...title].length > MAX_REPEATED_CHARACTERS ? `${[...title].slice(0, MAX_REPEATED_CHARACTERS).join('')}…` : title
  flow.keepTogether(
    () => {
      flow.addSpace(4)
      flow.keepWithNext(() => flow.addText({ text: title, type: SUBHEAD, isPhrase: true }))
      write()
    },
    { text: `${short} ${words.continued}`, type: SUBHEAD, isPhrase: true },
  )
}

function writeDocument({ document, recipients, environment, instanceId, software }: Evidence, deps: Deps): void {
  const { words } = deps
  const { labels } = words
  const row = (label: string, values: Value[]) => writeRow(deps, label, values, RECORD)
  if (document.uploadedSha256 !== undefined && document.uploadedSha256 !== document.originalSha256)
    row(labels.uploadedSha256, [document.uploadedSha256, { text: words.uploadedIs, type: SMALL_NOTE }])
  for (const { fileName, sha256 } of document.files ?? [])
    row(labels.uploadedSha256, [sha256, { text: fileName, type: SMALL_NOTE }])
  if (recipients.length > 1) row(labels.signingOrder, [words.signingOrders[document.signingOrder]])
  row(labels.software, [`${software} · ${environment} · ${instanceId}`])
  writeValues(document.senderValues, words.fieldsOfSender, deps)
}

function writeSeal({ sealCertificate, audit, verifyPageSha256 }: Evidence, deps: Deps): void {
  const { words } = deps
  const { labels } = words
  const row = (label: string, values: Value[]) => writeRow(deps, label, values, RECORD)
  row(labels.subject, [sealCertificate.subject])
  row(labels.issuer, [sealCertificate.issuer])
  row(labels.serial, [`${sealCertificate.serial} · ${sealCertificate.algorithm}`])
  row(labels.fingerprint, [sealCertificate.sha256])
  if (audit !== undefined) row(labels.auditLog, [audit.hash, { text: words.auditEntry(audit.sequence), type: SMALL_NOTE }])
  if (verifyPageSha256 === undefined) return
  row(labels.verifyPage, [verifyPageSha256, { text: words.verifyPageIs, type: SMALL_NOTE }])
}

function writeRecipient(recipient: EvidenceRecipient, { consents }: Evidence, deps: Deps): void {
  const { words } = deps
  const { labels } = words
  const row = (label: string, values: Value[]) => writeRow(deps, label, values, RECORD)
  const { signature } = recipient
  const isTyped = maySign(recipient.role) && signature?.kind === 'typed'
  writeMark(
    maySign(recipient.role) ? labels.signature : labels.typedName,
    signature,
    deps,
    isTyped ? labels.typedName : undefined,
  )
  if (isWithoutMark(recipient))
    row(words.events['recipient.approved'], [recipient.name, { text: words.approvedWith, type: SMALL_NOTE }])
  writeMark(labels.initials, recipient.initials, deps)
  row(labels.intent, [recipient.intent && words.quoted(recipient.intent)])
  // A single text needs no reference to it.
  if (consents.length > 1) row(labels.consentText, [recipient.consentSha256 && `SHA-256 ${recipient.consentSha256}`])
  row(labels.browser, [recipient.userAgent])
  writeValues(recipient.values, words.fieldsOf, deps)
}

/** `note`: how it was made, where the label does not say it. */
function writeMark(label: string, mark: EvidenceMark | undefined, deps: Deps, note?: string): void {
  if (!mark) return
  const { words } = deps
  const place = mark.pages.length > 0 ? `, ${words.onPages(pageRanges(mark.pages))}` : ''
  // The hash of a text that is printed here would prove nothing.
  const hash = mark.kind === 'typed' ? [] : [`SHA-256 ${mark.sha256}`, { text: words.signatureIs[mark.kind], type: SMALL_NOTE }]
  const text = { text: `${words.quoted(mark.text)}${place}`, type: RECORD.value, isPhrase: true }
  writeRow(deps, label, [text, note && { text: note, type: SMALL_NOTE }, ...hash], RECORD)
}

function writeConsents({ consents }: Evidence, deps: Deps): void {
  if (consents.length === 0) return
  const { flow, words } = deps
  writeSection(words.labels.consentText, deps)
  for (const { version, sha256, text } of consents)
    flow.keepTogether(() => {
      const title = `${words.consentVersion(version)} · SHA-256 ${sha256}`
      flow.keepWithNext(() => flow.addText({ text: title, type: RECORD.value }))
      for (const paragraph of text?.split('\n') ?? []) flow.addText({ text: paragraph, type: FINE })
      flow.addSpace(4)
    })
}

const SEAL_FORMATS: Record<SealSubFilter, string> = {
  'ETSI.CAdES.detached': 'PAdES (ETSI EN 319 142-1)',
  'adbe.pkcs7.detached': 'PKCS#7 (ISO 32000-2, 12.8.3.3)',
}

/** What kind of signatures and seal these are, and what they do not prove. */
function writeNotes({ organisation, sealSubFilter = SEAL_SUB_FILTERS[0] }: Evidence, { flow, words }: Deps): void {
  flow.addSeparator(5, 5)
  flow.addText({
    text: [...words.aboutSeal(organisation, SEAL_FORMATS[sealSubFilter]), words.aboutEvidencePack(organisation)].join(' '),
    type: FINE,
  })
}

// Writes the values of fields: those that a person entered, and those of the sender.

/** Under a separate heading: labels chosen by the sender must not look like the record's. */
function writeValues(values: readonly EvidenceValue[], heading: string, deps: Deps): void {
  if (values.length === 0) return
  const { flow, words } = deps
  flow.addSpace(2)
  flow.keepWithNext(() => {
    flow.addText({ text: heading, type: SMALL_NOTE })
    flow.addSpace(2)
  })
  for (const value of values) {
    const note = value.isFixed ? [{ text: words.setBySender, type: SMALL_NOTE }] : []
    const cells = [...cellsOf(value, deps), ...note]
    writeRow(deps, value.label || words.unnamedField, cells, RECORD, words.onPages(String(value.page)))
  }
}

function cellsOf(value: EvidenceValue, { words }: Deps): Value[] {
  switch (value.kind) {
    case 'check':
      return [words.ticks[value.value ? 'ticked' : 'not ticked']]
    case 'text':
      return [value.value === '' ? { text: words.emptyField, type: SMALL_NOTE } : value.value]
    case 'file':
      return [
        value.fileName,
        { text: `${words.originalSize(figures(value.bytes, words.locale))}, ${value.mediaType}`, type: SMALL_NOTE },
        `SHA-256 ${value.sha256}`,
      ]
  }
}

// Draws the mark of Signet, where the organisation has no logo.

/** pt */
const MARK_HEIGHT = 30

const PATH_OPERATORS: Record<string, string> = { M: 'm', C: 'c', Z: 'h' }

/** An SVG path of M, C and Z in absolute coordinates as operators of ISO 32000-2, §8.5.2. */
function pathOf(svg: string): string {
  const parts = [...svg.matchAll(/([MCZ])([^MCZ]*)/g)]
  return parts.map(([, name = '', numbers = '']) => `${numbers.trim()} ${PATH_OPERATORS[name]}`.trim()).join(' ')
}

const MARK_RGB = [1, 3, 5].map(at => num(Number.parseInt(MARK_COLOUR.slice(at, at + 2), 16) / 255)).join(' ')

/** `left`, `top`: of the mark's square. */
function drawMark(left: number, top: number): string {
  const scale = num(MARK_HEIGHT / MARK_SIDE)
  const lines = MARK_IMPRESSION.map(({ width, path }) => `${num(width)} w ${pathOf(path)} S`)
  // SVG counts downwards from the top.
  const place = `${scale} 0 0 -${scale} ${num(left)} ${num(top)} cm`
  return ['q', place, `${MARK_RGB} rg`, `${pathOf(MARK_WAX)} f`, '1 1 1 RG 1 J', ...lines, 'Q'].join('\n')
}

// Draws a QR code into a PDF as one filled path.

/** Draws a white square of `side` pt with the code. Its upper left corner is at x, y. */
function drawQrCode(modules: boolean[][], x: number, y: number, side: number): string {
  const module = side / (modules.length + 2 * QUIET_ZONE)
  const bars = modules.flatMap((row, i) => {
    const top = y - (QUIET_ZONE + i) * module
    return darkRuns(row).map(
      ([from, to]) =>
        `${num(x + (QUIET_ZONE + from) * module)} ${num(top - module)} ${num((to - from) * module)} ${num(module)} re`,
    )
  })
  return [`1 g ${num(x)} ${num(y - side)} ${num(side)} ${num(side)} re f`, '0 g', ...bars, 'f'].join('\n')
}

// Draws the word TEST as strokes (ISO 32000-2 §8.5), so that it is not in copied text.

/** Strokes in a cell of width 1 and height 1.5. */
const LETTER_T = '0 1.5 m 1 1.5 l S 0.5 1.5 m 0.5 0 l S'
const LETTER_E = '0.95 1.5 m 0.1 1.5 l 0.1 0 l 0.95 0 l S 0.1 0.77 m 0.85 0.77 l S'
const LETTER_S =
  '0.95 1.27 m 0.88 1.43 0.72 1.5 0.52 1.5 c 0.26 1.5 0.08 1.36 0.08 1.14 c 0.08 0.62 0.96 0.9 0.96 0.38 c ' +
  '0.96 0.14 0.76 0 0.5 0 c 0.26 0 0.08 0.1 0.02 0.28 c S'
const WORD_LETTERS = [LETTER_T, LETTER_E, LETTER_S, LETTER_T]

const WORD_ADVANCE = 1.35
const WORD_WIDTH = WORD_ADVANCE * (WORD_LETTERS.length - 1) + 1
const WORD_HEIGHT = 1.5
const WORD_STROKE = 0.24

function drawTestWatermark({ width, height }: { width: number; height: number }, margin: number): string {
  const diagonal = Math.hypot(width, height)
  const [cos, sin] = [width / diagonal, height / diagonal]
  const [w, h] = [WORD_WIDTH + WORD_STROKE, WORD_HEIGHT + WORD_STROKE]
  const scale = Math.min((width - 2 * margin) / (cos * w + sin * h), (height - 2 * margin) / (sin * w + cos * h))
  const turn = `${num(cos)} ${num(sin)} ${num(-sin)} ${num(cos)} ${num(width / 2)} ${num(height / 2)} cm`
  const letters = WORD_LETTERS.map(
    (letter, i) => `q 1 0 0 1 ${num(i * WORD_ADVANCE - WORD_WIDTH / 2)} ${num(-WORD_HEIGHT / 2)} cm ${letter} Q`,
  )
  return ['q', turn, `${num(scale)} 0 0 ${num(scale)} 0 0 cm`, `0.98 0.9 0.9 RG ${WORD_STROKE} w 0 J 0 j`, ...letters, 'Q'].join(
    '\n',
  )
}
