/**
 * The certificate pages at the end of a sealed file: who was asked, what they did and when, and how
 * anybody can check it without us. Says only what the record holds; composes new PDF bytes and
 * reads no upload. Anchors: 15 USC 7001(d), eIDAS 910/2014 art. 3(10), 25(1), 35.
 */
import { PDFDocument } from 'pdf-lib'
import { fillPage, picturePaths } from '../appearance/field-appearance.ts'
import { openSignatureResources } from '../appearance/signature-appearance.ts'
import { embedLogo } from '../image/logo.ts'
import { figures } from '../locales/evidence.ts'
import { catalogueOf } from '../locales/index.ts'
import { type Cell, MARGIN, PageFlow, type PageSize } from '../text/flow.ts'
import { openPdfFonts } from '../text/pdf-fonts.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { checkCommands } from './commands.ts'
import { frameOf, LOGO_NAME, writeHeader } from './header.ts'
import type { Evidence, EvidenceEvent } from './model.ts'
import { writePeople, writeTime } from './people.ts'
import { openTimeFormatter } from './time.ts'
import { BODY, COMMAND, type Deps, NAME, row, SMALL, SMALL_NOTE, STRONG, section } from './typography.ts'
import { testWatermark } from './watermark.ts'

/**
 * PDF bytes of the certificate pages, `size` in pt. As many pages as it takes. Throws a RangeError
 * when the time zone does not exist.
 */
export async function composeEvidence(evidence: Evidence, size: PageSize): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openParagraphShaper()])
  const book = await openPdfFonts(pdf)
  const words = catalogueOf(evidence.language).evidence
  const flow = new PageFlow(size, shape, book, { mirrored: words.direction === 'rtl', han: evidence.han })
  const drawings = evidence.recipients.flatMap(({ signature }) => (signature ? [signature.drawing] : []))
  const marked = await openSignatureResources(pdf, picturePaths(drawings))
  const deps: Deps = { flow, shape, book, marked, clock: openTimeFormatter(evidence.timeZone, words), words, han: evidence.han }
  const logo = evidence.logo && (await embedLogo(pdf, evidence.logo.path))
  if (logo) marked.add(LOGO_NAME, logo.ref)
  writeHeader(evidence, logo, deps)
  writeDocument(evidence, deps)
  section(words.sections.recipients, deps)
  writePeople(evidence.recipients, evidence.document.signingOrder, deps)
  writeEvents(evidence, deps)
  writeSeal(evidence, deps)
  writeChecks(evidence, deps)
  fillPages(pdf, evidence, size, deps)
  return pdf.save({
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })
}

function fillPages(pdf: PDFDocument, evidence: Evidence, size: PageSize, deps: Deps): void {
  const pages = deps.flow.layOutPages()
  pages.forEach((operators, i) => {
    const frame = frameOf(evidence, i + 1, pages.length, size, deps)
    const under = evidence.test ? [testWatermark(size, MARGIN)] : []
    const page = pdf.addPage([size.width, size.height])
    fillPage(pdf, page, [...under, ...operators, frame].join('\n'), deps.book, deps.marked)
  })
  deps.book.embed()
  deps.marked.embed()
}

function writeDocument(evidence: Evidence, deps: Deps): void {
  const { words } = deps
  const { document } = evidence
  const { labels } = words
  section(words.sections.document, deps)
  row(deps, labels.title, [{ text: document.title, type: NAME }])
  row(deps, labels.documentId, [document.id])
  row(deps, labels.fileName, [document.fileName])
  row(deps, labels.pages, [words.pageCount(document.pageCount)])
  row(deps, labels.signingOrder, [words.signingOrders[document.signingOrder]])
  if (document.sentAt !== undefined) writeTime(labels.sentAt, document.sentAt, deps)
  if (document.expiresAt !== undefined) writeTime(labels.expiresAt, document.expiresAt, deps)
  row(deps, labels.size, [words.originalSize(figures(document.originalBytes, words.locale))])
  row(deps, labels.originalSha256, [document.originalSha256, { text: words.originalIs, type: SMALL_NOTE }])
  if (document.uploadedSha256 !== undefined && document.uploadedSha256 !== document.originalSha256) {
    row(deps, labels.uploadedSha256, [document.uploadedSha256, { text: words.uploadedIs, type: SMALL_NOTE }])
  }
  row(deps, labels.sentBy, [evidence.organisation])
  row(deps, labels.contact, [evidence.contact])
  row(deps, labels.environment, [evidence.environment])
  row(deps, labels.instance, [evidence.instanceId])
  row(deps, labels.software, [evidence.software])
  row(deps, labels.times, [words.timesIn(evidence.timeZone)])
}

function writeEvents({ events, audit }: Evidence, deps: Deps): void {
  const { flow, clock, words } = deps
  section(words.sections.events, deps)
  const [time, ip] = [150, 98]
  const rest = flow.width - time - ip
  const columns = [
    { title: words.columns.time(clock.zone), width: time },
    { title: words.columns.event, width: rest * 0.54 },
    { title: words.columns.by, width: rest * 0.46 },
    { title: words.columns.ip, width: ip },
  ]
  const rows = events.map(event => [
    [
      { text: clock.utc(event.at), type: SMALL },
      { text: clock.local(event.at), type: SMALL_NOTE },
    ],
    eventCells(event, deps),
    [{ text: event.who.kind === 'recipient' ? event.who.name : words.actors[event.who.kind], type: SMALL }],
    [{ text: event.ip ?? '–', type: SMALL }],
  ])
  flow.addTable(columns, rows)
  flow.addSpace(6)
  if (audit === undefined) return
  row(deps, words.labels.auditLog, [words.auditEntry(audit.sequence)])
  row(deps, words.labels.auditHash, [audit.hash, { text: words.auditChain, type: SMALL_NOTE }])
}

/** What happened, about whom, and in whose words why. */
function eventCells({ what, about, detail }: EvidenceEvent, { words }: Deps): Cell[] {
  const notes = [about, detail && words.quoted(detail)].flatMap(text => (text ? [{ text, type: SMALL_NOTE }] : []))
  return [{ text: words.events[what], type: SMALL }, ...notes]
}

function writeSeal({ sealCertificate, organisation }: Evidence, deps: Deps): void {
  const { flow, words } = deps
  section(words.sections.seal, deps)
  row(deps, words.labels.subject, [sealCertificate.subject])
  row(deps, words.labels.issuer, [sealCertificate.issuer])
  row(deps, words.labels.serial, [sealCertificate.serial])
  row(deps, words.labels.fingerprint, [sealCertificate.sha256])
  row(deps, words.labels.algorithm, [sealCertificate.algorithm])
  flow.addSpace(5)
  for (const text of words.aboutSeal(organisation)) {
    flow.addText({ text, type: BODY })
    flow.addSpace(4)
  }
}

/** From the easiest way to the one that needs nothing of ours. */
function writeChecks({ verifyUrl, certificateUrl, organisation, document }: Evidence, deps: Deps): void {
  const { flow, words } = deps
  const { check } = words
  const commands = checkCommands(document.originalBytes)
  const steps = [
    { ...check.web(verifyUrl), lines: [] },
    { ...check.certificate(certificateUrl, organisation), lines: commands.fingerprint },
    { ...check.signet, lines: commands.signet },
    { ...check.poppler, lines: commands.poppler },
    { ...check.original(document.originalBytes, document.originalSha256), lines: commands.original },
    { ...check.openssl, lines: commands.openssl },
  ]
  section(words.sections.check, deps)
  flow.addText({ text: words.aboutCommands, type: BODY })
  flow.addSpace(6)
  for (const { title, text, lines } of steps) {
    flow.keepTogether(() => {
      flow.keepWithNext(() => flow.addText({ text: title, type: STRONG }))
      flow.addText({ text, type: BODY })
      flow.addSpace(2)
      for (const line of lines) flow.addText({ text: line, type: COMMAND, code: true }, 12)
      flow.addSpace(6)
    })
  }
}
