/**
 * Composes the audit certificate, appended to a sealed file: the recipients, the events, and how to
 * check them without Signet. Legal basis: 15 USC 7001(d), eIDAS 910/2014 art. 3(10), 25(1), 35.
 */
import { PDFDocument } from 'pdf-lib'
import { fillPage, picturePaths, SAVE_OPTIONS } from '../appearance/field-appearance.ts'
import { SignatureResources } from '../appearance/signature-appearance.ts'
import { embedLogo } from '../image/logo.ts'
import { figures } from '../locales/evidence.ts'
import { catalogueOf } from '../locales/index.ts'
import { type Cell, MARGIN, PageFlow, type PageSize } from '../text/flow.ts'
import { openPdfFonts } from '../text/pdf-fonts.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { formatCheckCommands } from './commands.ts'
import { drawHeaderAndFooter, LOGO_NAME, writeHeader } from './header.ts'
import type { Evidence, EvidenceEvent } from './model.ts'
import { writePeople, writeTime } from './people.ts'
import { openTimeFormatter } from './time.ts'
import { BODY, COMMAND, type Deps, NAME, SMALL, SMALL_NOTE, STRONG, writeRow, writeSection } from './typography.ts'
import { drawTestWatermark } from './watermark.ts'

/** `size` in pt. @throws RangeError for an unknown time zone */
export async function composeEvidence(evidence: Evidence, size: PageSize): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openParagraphShaper()])
  const fonts = await openPdfFonts(pdf)
  const words = catalogueOf(evidence.language).evidence
  const flow = new PageFlow(size, shape, fonts, { mirrored: words.direction === 'rtl', han: evidence.han })
  const appearances = evidence.recipients.flatMap(({ signature }) => (signature ? [signature.appearance] : []))
  const xobjects = await SignatureResources.open(pdf, picturePaths(appearances))
  const deps: Deps = {
    flow,
    shape,
    fonts,
    xobjects,
    timeFormatter: openTimeFormatter(evidence.timeZone, words),
    words,
    han: evidence.han,
  }
  const logo = evidence.logo && (await embedLogo(pdf, evidence.logo.path))
  if (logo) xobjects.add(LOGO_NAME, logo.ref)
  writeHeader(evidence, logo, deps)
  writeDocument(evidence, deps)
  writeSection(words.sections.recipients, deps)
  writePeople(evidence.recipients, evidence.document.signingOrder, deps)
  writeEvents(evidence, deps)
  writeSeal(evidence, deps)
  writeChecks(evidence, deps)
  fillPages(pdf, evidence, size, deps)
  return pdf.save(SAVE_OPTIONS)
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

function writeDocument(evidence: Evidence, deps: Deps): void {
  const { words } = deps
  const { document } = evidence
  const { labels } = words
  writeSection(words.sections.document, deps)
  writeRow(deps, labels.title, [{ text: document.title, type: NAME }])
  writeRow(deps, labels.documentId, [document.id])
  writeRow(deps, labels.fileName, [document.fileName])
  writeRow(deps, labels.pages, [words.pageCount(document.pageCount)])
  writeRow(deps, labels.signingOrder, [words.signingOrders[document.signingOrder]])
  if (document.sentAt !== undefined) writeTime(labels.sentAt, document.sentAt, deps)
  if (document.expiresAt !== undefined) writeTime(labels.expiresAt, document.expiresAt, deps)
  writeRow(deps, labels.size, [words.originalSize(figures(document.originalByteLength, words.locale))])
  writeRow(deps, labels.originalSha256, [document.originalSha256, { text: words.originalIs, type: SMALL_NOTE }])
  if (document.uploadedSha256 !== undefined && document.uploadedSha256 !== document.originalSha256) {
    writeRow(deps, labels.uploadedSha256, [document.uploadedSha256, { text: words.uploadedIs, type: SMALL_NOTE }])
  }
  for (const { fileName, sha256 } of document.files ?? [])
    writeRow(deps, labels.uploadedSha256, [sha256, { text: fileName, type: SMALL_NOTE }])
  writeRow(deps, labels.sentBy, [evidence.organisation])
  writeRow(deps, labels.contact, [evidence.contact])
  writeRow(deps, labels.environment, [evidence.environment])
  writeRow(deps, labels.instance, [evidence.instanceId])
  writeRow(deps, labels.software, [evidence.software])
  writeRow(deps, labels.times, [words.timesIn(evidence.timeZone)])
}

function writeEvents({ events, audit }: Evidence, deps: Deps): void {
  const { flow, timeFormatter, words } = deps
  writeSection(words.sections.events, deps)
  const [time, ip] = [150, 98]
  const rest = flow.width - time - ip
  const columns = [
    { title: words.columns.time(timeFormatter.zone), width: time },
    { title: words.columns.event, width: rest * 0.54 },
    { title: words.columns.by, width: rest * 0.46 },
    { title: words.columns.ip, width: ip },
  ]
  const rows = events.map(event => [
    [
      { text: timeFormatter.utc(event.at), type: SMALL },
      { text: timeFormatter.local(event.at), type: SMALL_NOTE },
    ],
    eventCells(event, deps),
    [{ text: event.who.kind === 'recipient' ? event.who.name : words.actors[event.who.kind], type: SMALL }],
    [{ text: event.ip ?? '–', type: SMALL }],
  ])
  flow.addTable(columns, rows)
  flow.addSpace(6)
  if (audit === undefined) return
  writeRow(deps, words.labels.auditLog, [words.auditEntry(audit.sequence)])
  writeRow(deps, words.labels.auditHash, [audit.hash, { text: words.auditChain, type: SMALL_NOTE }])
}

function eventCells({ kind, concernedRecipientName, detail }: EvidenceEvent, { words }: Deps): Cell[] {
  const notes = [concernedRecipientName, detail && words.quoted(detail)].flatMap(text =>
    text ? [{ text, type: SMALL_NOTE }] : [],
  )
  return [{ text: words.events[kind], type: SMALL }, ...notes]
}

function writeSeal({ sealCertificate, organisation }: Evidence, deps: Deps): void {
  const { flow, words } = deps
  writeSection(words.sections.seal, deps)
  writeRow(deps, words.labels.subject, [sealCertificate.subject])
  writeRow(deps, words.labels.issuer, [sealCertificate.issuer])
  writeRow(deps, words.labels.serial, [sealCertificate.serial])
  writeRow(deps, words.labels.fingerprint, [sealCertificate.sha256])
  writeRow(deps, words.labels.algorithm, [sealCertificate.algorithm])
  flow.addSpace(5)
  for (const text of words.aboutSeal(organisation)) {
    flow.addText({ text, type: BODY })
    flow.addSpace(4)
  }
}

function writeChecks({ verifyUrl, sealCertificatesUrl, organisation, document }: Evidence, deps: Deps): void {
  const { flow, words } = deps
  const { check } = words
  const commands = formatCheckCommands(document.originalByteLength)
  const steps = [
    { ...check.web(verifyUrl), lines: [] },
    { ...check.certificate(sealCertificatesUrl, organisation), lines: commands.fingerprint },
    { ...check.signet, lines: commands.signet },
    { ...check.poppler, lines: commands.poppler },
    { ...check.original(document.originalByteLength, document.originalSha256), lines: commands.original },
    { ...check.openssl, lines: commands.openssl },
  ]
  writeSection(words.sections.check, deps)
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
