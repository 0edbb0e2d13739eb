/**
 * The recipients of a document on its certificate pages: who each was, how identified, what was
 * agreed to and when, what was entered.
 */

import { drawContent } from '../appearance/field-appearance.ts'
import { maySign, type SigningOrder } from '../core/routing.ts'
import { drawLine, HAIRLINE } from '../text/flow.ts'
import { num } from '../text/pdf-fonts.ts'
import { shapeParagraphs, truncateLines, wrapParagraphs } from '../text/wrap.ts'
import type { EvidenceRecipient, EvidenceSignature } from './model.ts'
import { BODY, type Deps, LABEL, LABEL_WIDTH, NAME, row, SMALL, SMALL_NOTE, SUBHEAD } from './typography.ts'

/**
 * The mark as it stands in the document, small and framed, below its caption; pt. Not taller than
 * the name and three rows beside it.
 */
const MARK = { width: 168, height: 60, gap: 16, inset: 4, caption: 12 }
/** Room for a time in UTC and for an IP address, pt; a note stands beside each. */
const UTC_WIDTH = 134
const IP_WIDTH = 214
/** Characters that find room beside a time. */
const SHORT_IP = 20

/** How much of a name is said again on the next page. */
const AGAIN_CHARACTERS = 60

/** Each in one piece where a page can hold it. */
export function writePeople(recipients: EvidenceRecipient[], signingOrder: SigningOrder, deps: Deps): void {
  recipients.forEach((recipient, i) => {
    const name = `${i + 1}. ${recipient.name}`
    const short = [...name].length > AGAIN_CHARACTERS ? `${[...name].slice(0, AGAIN_CHARACTERS).join('')}…` : name
    const again = { text: `${short} ${deps.words.continued}`, type: SUBHEAD }
    deps.flow.keepTogether(() => {
      if (i > 0) deps.flow.addSeparator()
      writePerson(recipient, signingOrder, name, deps)
    }, again)
  })
}

function writePerson(recipient: EvidenceRecipient, signingOrder: SigningOrder, name: string, deps: Deps): void {
  const { flow, words } = deps
  const { labels } = words
  const { signature, consent } = recipient
  const room = signature === undefined ? flow.width : flow.width - MARK.width - MARK.gap
  flow.keepWithNext(() => {
    if (signature !== undefined) hangMark(signature, maySign(recipient.role) ? labels.signature : labels.typedName, deps)
    flow.addColumns([{ x: 0, width: room, cells: [{ text: name, type: NAME }] }])
    row(deps, labels.email, [recipient.email], room)
    row(deps, labels.role, [words.roles[recipient.role]], room)
    row(deps, labels.status, [words.statuses[recipient.status]], room)
  })
  if (signingOrder === 'sequential') row(deps, labels.order, [String(recipient.order)])
  row(deps, labels.identified, [words.identified[recipient.identifiedBy]])
  for (const { what, at } of recipient.authentication) writeTime(words.authentications[what], at, deps)
  writeMails(recipient, deps)
  for (const { label, at } of recipient.times) writeTime(words.moments[label], at, deps)
  if (recipient.ip) {
    const width = recipient.ip.length > SHORT_IP ? IP_WIDTH : UTC_WIDTH
    writeNoted(labels.ip, recipient.ip, width, words.asSeenByServer, deps)
  }
  row(deps, labels.browser, [recipient.userAgent && { text: recipient.userAgent, type: SMALL }])
  if (consent) {
    row(deps, labels.consentText, [words.consentVersion(consent.version), { text: `SHA-256 ${consent.sha256}`, type: SMALL }])
  }
  row(deps, labels.intent, [recipient.intent && words.quoted(recipient.intent)])
  if (signature) {
    const { sha256, kind } = signature
    row(deps, labels.signatureSha256, [
      { text: sha256, type: SMALL },
      { text: words.signatureIs[kind], type: SMALL_NOTE },
    ])
  }
  writeValues(recipient, deps)
}

/** A moment in UTC and in the named zone. */
export function writeTime(label: string, at: string, deps: Deps): void {
  const { clock } = deps
  writeNoted(label, clock.utc(at), UTC_WIDTH, `${clock.local(at)} (${clock.zone})`, deps)
}

/** What a mail server answered is quoted: they are its words. */
function writeMails({ mails }: EvidenceRecipient, deps: Deps): void {
  const { words } = deps
  for (const { what, reply, at } of mails) {
    writeTime(words.events[what], at, deps)
    row(deps, words.labels.mailReply, [reply && { text: words.quoted(reply), type: SMALL }])
  }
}

/**
 * A value with a note beside it, each a paragraph of its own: the order of its figures depends on
 * no other text.
 */
function writeNoted(label: string, value: string, width: number, note: string, { flow }: Deps): void {
  const beside = LABEL_WIDTH + width
  flow.addColumns([
    { x: 0, width: LABEL_WIDTH - 8, cells: [{ text: label, type: LABEL }] },
    { x: LABEL_WIDTH, width: width - 6, cells: [{ text: value, type: BODY }] },
    { x: beside, width: flow.width - beside, cells: [{ text: note, type: SMALL_NOTE }] },
  ])
}

/**
 * Under a heading of their own: their labels are the sender's words and must not pass for entries
 * of the record.
 */
function writeValues({ values }: EvidenceRecipient, deps: Deps): void {
  if (values.length === 0) return
  const { flow, words } = deps
  flow.addSpace(3)
  flow.keepWithNext(() => {
    flow.addText({ text: words.fieldsOf, type: SUBHEAD })
    flow.addSpace(2)
  })
  for (const entry of values) {
    const text = entry.kind === 'check' ? words.ticks[entry.value ? 'ticked' : 'not ticked'] : entry.value
    row(deps, entry.label || words.unnamedField, [text === '' ? { text: words.emptyField, type: LABEL } : text])
  }
}

function hangMark({ drawing }: EvidenceSignature, title: string, deps: Deps): void {
  const { flow, shape, book, han } = deps
  const { width, height, inset, caption } = MARK
  flow.drawBeside(flow.width - width, width, (left, top) => {
    const room = (width - 2 * inset) / SMALL_NOTE.size
    const lines = wrapParagraphs(shapeParagraphs(shape, title, SMALL_NOTE.style, han), room)
    const line = truncateLines(shape, lines, SMALL_NOTE.style, room, 1)[0]!
    const x = left + (width - line.width * SMALL_NOTE.size) / 2
    return [
      drawLine(book, line, SMALL_NOTE, x, top - caption),
      `q ${HAIRLINE} RG 0.6 w ${num(left)} ${num(top - height)} ${width} ${height} re S`,
      `1 0 0 1 ${num(left + inset)} ${num(top - height + inset)} cm`,
      drawContent(drawing, { width: width - 2 * inset, height: height - 2 * inset - caption }, 1, deps),
      'Q',
    ].join('\n')
  })
}
