/** Writes the start of the audit certificate, and the header and footer of its pages. */
import { LOGO_BOX } from '../image/logo.ts'
import { drawImage, type EmbeddedImage, uprightSize } from '../image/xobject-image.ts'
import { encodeQrCode, QUIET_ZONE } from '../lib/qr-code.ts'
import { drawLine, HAIRLINE, MARGIN, type PageSize, type TextStyle } from '../text/flow.ts'
import { num } from '../text/pdf-fonts.ts'
import { drawMark, MARK_HEIGHT } from './mark.ts'
import type { Evidence } from './model.ts'
import { drawQrCode } from './qr-code.ts'
import { ALARM, type Deps, fitLine, NAME, NOTE, SMALL_NOTE, SUBHEAD, TITLE } from './typography.ts'

/** pt */
const QR_SIDE = 78
export const LOGO_NAME = 'Logo'

/** Of longer titles the type is smaller. */
const MEDIUM_TITLE_CHARACTERS = 60
const LONG_TITLE_CHARACTERS = 160

/** Writes logo, organisation and the document's title beside the QR code, then the introduction. */
export function writeHeader(evidence: Evidence, logo: EmbeddedImage | undefined, deps: Deps): void {
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
  return length > MEDIUM_TITLE_CHARACTERS ? { ...TITLE, size: 14 } : TITLE
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
export function drawHeaderAndFooter(evidence: Evidence, number: number, count: number, size: PageSize, deps: Deps): string {
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

const SMALL_ALARM: TextStyle = { ...ALARM, size: 7.5 }
