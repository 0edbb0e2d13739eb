/** Writes the recipients: identification, consent, times and entered values. */
import { drawContent } from '../appearance/field-appearance.ts'
import { maySign, type SigningOrder } from '../core/routing.ts'
import { drawLine, HAIRLINE } from '../text/flow.ts'
import { num } from '../text/pdf-fonts.ts'
import type { EvidenceRecipient, EvidenceSignature } from './model.ts'
import { BODY, type Deps, fitLine, LABEL, LABEL_WIDTH, NAME, SMALL, SMALL_NOTE, SUBHEAD, writeRow } from './typography.ts'

/** The framed mark below its caption, pt. Not taller than the name and the three rows beside it. */
const MARK = { width: 168, height: 60, margin: 16, inset: 4, caption: 12 }
/** Widths of a UTC time and of a long IP address, pt. A note is beside each. */
const UTC_WIDTH = 134
const IP_WIDTH = 214
const MAX_SHORT_IP = 20

/** Length of a name in the heading of a continued recipient. */
const MAX_REPEATED_CHARACTERS = 60

export function writePeople(recipients: EvidenceRecipient[], signingOrder: SigningOrder, deps: Deps): void {
  recipients.forEach((recipient, i) => {
    const name = `${i + 1}. ${recipient.name}`
    const short = [...name].length > MAX_REPEATED_CHARACTERS ? `${[...name].slice(0, MAX_REPEATED_CHARACTERS).join('')}…` : name
    const continuedHeading = { text: `${short} ${deps.words.continued}`, type: SUBHEAD }
    deps.flow.keepTogether(() => {
      if (i > 0) deps.flow.addSeparator()
      writePerson(recipient, signingOrder, name, deps)
    }, continuedHeading)
  })
}

function writePerson(recipient: EvidenceRecipient, signingOrder: SigningOrder, name: string, deps: Deps): void {
  const { flow, words } = deps
  const { labels } = words
  const { signature, consent } = recipient
  const maxWidth = signature === undefined ? flow.width : flow.width - MARK.width - MARK.margin
  flow.keepWithNext(() => {
    if (signature !== undefined) drawMarkBeside(signature, maySign(recipient.role) ? labels.signature : labels.typedName, deps)
    flow.addColumns([{ x: 0, width: maxWidth, cells: [{ text: name, type: NAME }] }])
    writeRow(deps, labels.email, [recipient.email], maxWidth)
    writeRow(deps, labels.role, [words.roles[recipient.role]], maxWidth)
    writeRow(deps, labels.status, [words.statuses[recipient.status]], maxWidth)
  })
  if (signingOrder === 'sequential') writeRow(deps, labels.order, [String(recipient.order)])
  writeRow(deps, labels.identified, [words.identified[recipient.identifiedBy]])
  for (const { result, at } of recipient.authentication) writeTime(words.authentications[result], at, deps)
  writeMails(recipient, deps)
  for (const { moment, at } of recipient.times) writeTime(words.moments[moment], at, deps)
  if (recipient.ip) {
    const width = recipient.ip.length > MAX_SHORT_IP ? IP_WIDTH : UTC_WIDTH
    writeNoted(labels.ip, recipient.ip, width, words.asSeenByServer, deps)
  }
  writeRow(deps, labels.browser, [recipient.userAgent && { text: recipient.userAgent, type: SMALL }])
  if (consent) {
    writeRow(deps, labels.consentText, [
      words.consentVersion(consent.version),
      { text: `SHA-256 ${consent.sha256}`, type: SMALL },
    ])
  }
  writeRow(deps, labels.intent, [recipient.intent && words.quoted(recipient.intent)])
  if (signature) {
    const { sha256, kind } = signature
    writeRow(deps, labels.signatureSha256, [
      { text: sha256, type: SMALL },
      { text: words.signatureIs[kind], type: SMALL_NOTE },
    ])
  }
  writeValues(recipient, deps)
}

export function writeTime(label: string, at: string, deps: Deps): void {
  const { timeFormatter } = deps
  writeNoted(label, timeFormatter.utc(at), UTC_WIDTH, `${timeFormatter.local(at)} (${timeFormatter.zone})`, deps)
}

/** The replies are quoted, because they are the mail server's words. */
function writeMails({ mails }: EvidenceRecipient, deps: Deps): void {
  const { words } = deps
  for (const { outcome, reply, at } of mails) {
    writeTime(words.events[outcome], at, deps)
    writeRow(deps, words.labels.mailReply, [reply && { text: words.quoted(reply), type: SMALL }])
  }
}

/** Separate paragraphs, so that the note's direction cannot reorder the value's digits. */
function writeNoted(label: string, value: string, width: number, note: string, { flow }: Deps): void {
  const beside = LABEL_WIDTH + width
  flow.addColumns([
    { x: 0, width: LABEL_WIDTH - 8, cells: [{ text: label, type: LABEL }] },
    { x: LABEL_WIDTH, width: width - 6, cells: [{ text: value, type: BODY }] },
    { x: beside, width: flow.width - beside, cells: [{ text: note, type: SMALL_NOTE }] },
  ])
}

/** Under a separate heading: labels chosen by the sender must not look like the record's. */
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
    writeRow(deps, entry.label || words.unnamedField, [text === '' ? { text: words.emptyField, type: LABEL } : text])
  }
}

function drawMarkBeside({ appearance }: EvidenceSignature, title: string, deps: Deps): void {
  const { flow, fonts } = deps
  const { width, height, inset, caption } = MARK
  flow.drawBeside(flow.width - width, width, (left, top) => {
    const line = fitLine(title, SMALL_NOTE, width - 2 * inset, deps)
    const x = left + (width - line.width * SMALL_NOTE.size) / 2
    return [
      drawLine(fonts, line, SMALL_NOTE, x, top - caption),
      `q ${HAIRLINE} RG 0.6 w ${num(left)} ${num(top - height)} ${width} ${height} re S`,
      `1 0 0 1 ${num(left + inset)} ${num(top - height + inset)} cm`,
      drawContent(appearance, { width: width - 2 * inset, height: height - 2 * inset - caption }, 1, deps),
      'Q',
    ].join('\n')
  })
}
