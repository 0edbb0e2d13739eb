/**
 * Composes the audit certificate, appended to a sealed file: the answer, the events and the
 * technical record. Legal basis: 15 USC 7001(d), eIDAS 910/2014 art. 3(10), 25(1), 35.
 */
import { PDFDocument } from 'pdf-lib'
import { fillPage, SAVE_OPTIONS } from '../appearance/field-appearance.ts'
import { SignatureResources } from '../appearance/signature-appearance.ts'
import { embedLogo } from '../image/logo.ts'
import { catalogueOf } from '../locales/index.ts'
import { MARGIN, PageFlow, type PageSize } from '../text/flow.ts'
import { openPdfFonts } from '../text/pdf-fonts.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { writeAnswer } from './answer.ts'
import { drawHeaderAndFooter, LOGO_NAME, writeHeader } from './header.ts'
import type { Evidence } from './model.ts'
import { writeNotes, writeRecord } from './record.ts'
import { openTimeFormatter } from './time.ts'
import { writeTimeline } from './timeline.ts'
import type { Deps } from './typography.ts'
import { drawTestWatermark } from './watermark.ts'

/** `size` in pt. @throws RangeError for an unknown time zone */
export async function composeEvidence(evidence: Evidence, size: PageSize): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openParagraphShaper()])
  const fonts = await openPdfFonts(pdf)
  const words = catalogueOf(evidence.language).evidence
  const flow = new PageFlow(size, shape, fonts, { mirrored: words.direction === 'rtl', han: evidence.han })
  const appearances = evidence.recipients.flatMap(({ signature }) => (signature ? [signature.appearance] : []))
  const xobjects = await SignatureResources.open(pdf, appearances)
  const timeFormatter = openTimeFormatter(evidence.timeZone, words, timesOf(evidence))
  const deps: Deps = { flow, shape, fonts, xobjects, timeFormatter, words, han: evidence.han }
  const logo = evidence.logo && (await embedLogo(pdf, evidence.logo.path))
  if (logo) xobjects.add(LOGO_NAME, logo.ref)
  writeHeader(evidence, logo, deps)
  writeAnswer(evidence, deps)
  const isNoted = flow.addAtFoot(() => writeNotes(evidence, deps))
  flow.endFirstPage()
  writeTimeline(evidence, deps)
  writeRecord(evidence, deps)
  if (!isNoted) writeNotes(evidence, deps)
  fillPages(pdf, evidence, size, deps)
  return pdf.save(SAVE_OPTIONS)
}

function timesOf({ sealedAt, recipients, events }: Evidence): string[] {
  return [sealedAt, ...recipients.flatMap(({ actedAt }) => actedAt ?? []), ...events.map(({ at }) => at)]
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
