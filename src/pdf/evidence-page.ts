/**
 * The certificate pages at the end of a sealed file: who was asked, what they did and when, and how anybody can check it without us.
 * Says only what the record holds; composes new PDF bytes and reads no upload. Anchors: 15 USC 7001(d), eIDAS 910/2014 art. 3(10), 25(1), 35.
 */
import { PDFDocument } from 'pdf-lib'
import { fillPage, signatureMark } from './draw.ts'
import { type Clock, openClock } from './evidence-time.ts'
import { aboutSeal, introduction, testNotice, verifySteps } from './evidence-words.ts'
import { ACCENT, type Cell, type Flow, INK, MARGIN, MUTED, openFlow, type Paper, setLine, type Type } from './flow.ts'
import { type FontBook, num, openFontBook } from './font.ts'
import type { Evidence, EvidenceRecipient } from './order.ts'
import { openShape, type Shape } from './shape.ts'
import { testWatermark } from './watermark.ts'
import { cutLines, linesOf, paragraphsOf } from './wrap.ts'

const TITLE: Type = { style: 'strong', size: 21, colour: ACCENT }
const SECTION: Type = { style: 'strong', size: 12.5, colour: ACCENT }
const NAME: Type = { style: 'strong', size: 10.5, colour: INK }
const BODY: Type = { style: 'text', size: 9, colour: INK }
const SUBHEAD: Type = { style: 'strong', size: 8.5, colour: MUTED }
const NOTE: Type = { style: 'text', size: 8.5, colour: MUTED }
const LABEL: Type = { style: 'text', size: 9, colour: MUTED }
const SMALL: Type = { style: 'text', size: 8, colour: INK }
const SMALL_NOTE: Type = { style: 'text', size: 7.5, colour: MUTED }
const ALARM: Type = { style: 'strong', size: 9, colour: '0.72 0.05 0.08' }
const LABEL_WIDTH = 118
const SIGNATURE = { width: 220, height: 42 }

interface Means {
  flow: Flow
  shape: Shape
  book: FontBook
  clock: Clock
}

/** PDF bytes of the certificate pages, `size` in pt. As many pages as it takes. Throws a RangeError when the time zone does not exist. */
export async function composeEvidence(evidence: Evidence, size: Paper): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openShape()])
  const book = await openFontBook(pdf)
  const means = { flow: openFlow(size, shape, book), shape, book, clock: openClock(evidence.timeZone) }
  writeDocument(evidence, means)
  section('Recipients', means)
  for (const [i, recipient] of evidence.recipients.entries()) writeRecipient(recipient, i, means)
  writeEvents(evidence, means)
  writeSeal(evidence, means)
  writeVerification(evidence, means)
  const { pages } = means.flow
  pages.forEach((operators, i) => {
    const frame = frameOf(evidence, i + 1, pages.length, size, means)
    const under = evidence.test ? [testWatermark(size, MARGIN)] : []
    fillPage(pdf, pdf.addPage([size.width, size.height]), [...under, ...operators, frame].join('\n'), book)
  })
  book.embed()
  return pdf.save({
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })
}

function section(title: string, { flow }: Means): void {
  flow.gap(16)
  flow.need(90)
  flow.text(title, SECTION)
  flow.gap(3)
  flow.rule()
  flow.gap(7)
}

function row(flow: Flow, label: string, ...values: (string | Cell | undefined)[]): void {
  const cells = values.flatMap(value =>
    value === undefined ? [] : [typeof value === 'string' ? { text: value, type: BODY } : value],
  )
  if (cells.length > 0) flow.row({ text: label, type: LABEL }, cells, LABEL_WIDTH)
}

function writeDocument(evidence: Evidence, means: Means): void {
  const { flow } = means
  const { document } = evidence
  flow.text('Signature certificate', TITLE)
  flow.gap(2)
  flow.text(introduction(evidence.organisation), NOTE)
  if (evidence.test) {
    flow.gap(6)
    flow.text(testNotice(evidence.environment), ALARM)
  }
  section('Document', means)
  row(flow, 'Title', { text: document.title, type: NAME })
  row(flow, 'Document ID', document.id)
  row(flow, 'File name', document.fileName)
  row(flow, 'Pages', `${document.pageCount} in the original, without these certificate pages`)
  row(flow, 'SHA-256 of the original', document.originalSha256, {
    text: 'The original is what every recipient saw. It is the beginning of this file, byte for byte.',
    type: SMALL_NOTE,
  })
  if (document.uploadedSha256 !== undefined && document.uploadedSha256 !== document.originalSha256) {
    row(flow, 'SHA-256 of the upload', document.uploadedSha256, {
      text: 'The upload could not be sealed as it was. It was rewritten before anybody saw it; the rewritten file is the original above.',
      type: SMALL_NOTE,
    })
  }
  row(flow, 'Sent by', evidence.organisation, evidence.contact)
  row(flow, 'Environment', evidence.environment)
  row(flow, 'Instance', evidence.instanceId)
  row(flow, 'Software', evidence.software)
  row(flow, 'Times', `UTC by the clock of the server; beside it the same moment in the zone ${evidence.timeZone}`)
}

function writeRecipient(recipient: EvidenceRecipient, index: number, means: Means): void {
  const { flow, clock } = means
  flow.need(recipient.signature === undefined ? 100 : 100 + SIGNATURE.height)
  if (index > 0) flow.separate()
  flow.text(`${index + 1}. ${recipient.name}`, NAME)
  flow.gap(2)
  row(flow, 'E-mail', recipient.email)
  row(flow, 'Role', recipient.role)
  row(flow, 'Status', recipient.status)
  row(flow, 'Identified', recipient.identifiedBy)
  if (recipient.signature !== undefined) writeSignature(recipient.signature, means)
  for (const { label, at } of recipient.times) {
    row(flow, label, clock.utc(at), { text: `${clock.local(at)} (${clock.zone})`, type: SMALL_NOTE })
  }
  row(flow, 'IP address', recipient.ip && `${recipient.ip} (as seen by the server)`)
  row(flow, 'Browser', recipient.userAgent && { text: recipient.userAgent, type: SMALL })
  if (recipient.consent) {
    const { version, sha256 } = recipient.consent
    row(flow, 'Consent text', `Version ${version}`, { text: `SHA-256 ${sha256}`, type: SMALL })
  }
  row(flow, 'Intent', recipient.intent && `“${recipient.intent}”`)
  writeValues(recipient, flow)
  flow.gap(8)
}

/** Under a heading of their own: their labels are the sender's words and must not pass for entries of the record. */
function writeValues({ values }: EvidenceRecipient, flow: Flow): void {
  if (values.length === 0) return
  flow.need(40)
  flow.gap(4)
  flow.text('Fields of the document, as this person left them', SUBHEAD)
  flow.gap(2)
  for (const { label, value } of values) {
    row(flow, label || 'Without a name', value === '' ? { text: 'empty', type: LABEL } : value)
  }
}

/** The mark as it stands in the document, small. */
function writeSignature(text: string, { flow, shape, book }: Means): void {
  flow.gap(3)
  flow.need(SIGNATURE.height)
  const label = { text: 'Signature', type: LABEL }
  flow.drawing(SIGNATURE.height, (x, y) => {
    const [line] = linesOf(paragraphsOf(shape, label.text, label.type.style), Number.POSITIVE_INFINITY)
    const mark = signatureMark(text, SIGNATURE.width, SIGNATURE.height, 1, shape, book)
    return [
      setLine(book, line!, label.type, x, y + 10),
      `q 1 0 0 1 ${num(x + LABEL_WIDTH)} ${num(y)} cm 0 0 ${SIGNATURE.width} ${SIGNATURE.height} re W n`,
      mark,
      'Q',
    ].join('\n')
  })
  flow.gap(5)
}

function writeEvents({ events, audit }: Evidence, means: Means): void {
  const { flow, clock } = means
  section('Events', means)
  const [time, ip] = [142, 98]
  const rest = flow.width - time - ip
  const columns = [
    { title: `Time (UTC; below: ${clock.zone})`, width: time },
    { title: 'Event', width: rest * 0.56 },
    { title: 'By', width: rest * 0.44 },
    { title: 'IP as seen by the server', width: ip },
  ]
  const rows = events.map(event => [
    [
      { text: clock.utc(event.at), type: SMALL },
      { text: clock.local(event.at), type: SMALL_NOTE },
    ],
    [{ text: event.what, type: SMALL }],
    [{ text: event.who, type: SMALL }],
    [{ text: event.ip ?? '–', type: SMALL }],
  ])
  flow.table(columns, rows)
  flow.gap(8)
  row(flow, 'Audit log', `Entry ${audit.sequence} was the newest one of this document when it was sealed.`)
  row(flow, 'SHA-256 of that entry', audit.hash, {
    text: 'Each entry of the log holds the hash of the one before it, so that none can be changed or taken out without a trace.',
    type: SMALL_NOTE,
  })
}

function writeSeal({ sealCertificate, organisation }: Evidence, means: Means): void {
  const { flow } = means
  section('Seal', means)
  row(flow, 'Certificate of', sealCertificate.subject)
  row(flow, 'Issued by', sealCertificate.issuer)
  row(flow, 'Serial number', sealCertificate.serial)
  row(flow, 'SHA-256 fingerprint', sealCertificate.sha256)
  row(flow, 'Algorithm', sealCertificate.algorithm)
  flow.gap(6)
  for (const sentence of aboutSeal(organisation)) {
    flow.text(sentence, BODY)
    flow.gap(4)
  }
}

function writeVerification({ verifyUrl }: Evidence, means: Means): void {
  const { flow } = means
  section('How to check this file', means)
  for (const { title, text, commands } of verifySteps(verifyUrl)) {
    flow.need(48)
    flow.text(title, { ...BODY, style: 'strong' })
    if (text) flow.text(text, BODY)
    for (const command of commands) flow.text(command, { ...SMALL, colour: ACCENT }, 12)
    flow.gap(7)
  }
}

/** Header and footer of a page. */
function frameOf(evidence: Evidence, number: number, count: number, size: Paper, { shape, book }: Means): string {
  const { document } = evidence
  const width = size.width - 2 * MARGIN
  const cut = (text: string, type: Type, room: number) =>
    cutLines(shape, linesOf(paragraphsOf(shape, text, type.style), room / type.size), type.style, room / type.size, 1)[0]!
  const page = cut(`Page ${number} of ${count}`, SMALL_NOTE, 120)
  const right = size.width - MARGIN - page.width * SMALL_NOTE.size
  const rule = (y: number) => `0.82 0.84 0.88 RG 0.6 w ${num(MARGIN)} ${num(y)} m ${num(size.width - MARGIN)} ${num(y)} l S`
  const head = runningHead(evidence, number)
  return [
    ...(head ? [setLine(book, cut(head.text, head.type, width), head.type, MARGIN, size.height - MARGIN + 4)] : []),
    rule(MARGIN + 6),
    setLine(book, cut(`Document ID ${document.id}`, SMALL_NOTE, width - 130), SMALL_NOTE, MARGIN, MARGIN - 6),
    setLine(book, page, SMALL_NOTE, right, MARGIN - 6),
  ].join('\n')
}

/** From the second page on: which certificate this is. The first page says so itself. */
function runningHead({ document, environment, test }: Evidence, number: number): Cell | undefined {
  if (number === 1) return undefined
  if (test) return { text: `${testNotice(environment)} ${document.title}`, type: { ...ALARM, size: SMALL_NOTE.size } }
  return { text: `Signature certificate: ${document.title}`, type: SMALL_NOTE }
}
