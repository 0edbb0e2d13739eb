/** Writes the first page: the state, who signed when, who sealed, and how to verify. */
import { drawContent } from '../appearance/field-appearance.ts'
import { senderName } from '../core/document/follow-up.ts'
import { maySign } from '../core/signing/routing.ts'
import { HAIRLINE, INK } from '../text/page-style.ts'
import { num } from '../text/pdf-fonts.ts'
import type { Evidence, EvidenceMark, EvidenceRecipient } from './model.ts'
import { BODY, COMMAND, type Deps, NAME, NOTE, SMALL_NOTE, STRONG, writeRow, writeSection } from './typography.ts'

/** The signature beside the name, pt. Not taller than the name and the two rows below it. */
const MARK = { width: 112, height: 40, margin: 14 }
/** The column of the time, pt. */
const TIME_WIDTH = 120
const GUTTER = 12
const ICON = 12

/** Of other recipients the page goes on over as many as they need. */
export function writeAnswer(evidence: Evidence, deps: Deps): void {
  const { flow, words } = deps
  const { labels, check } = words
  flow.addSpace(9)
  writeState(evidence.recipients, deps)
  flow.addSpace(6)
  const sentBy = senderName(evidence.person, evidence.organisation)
  writeRow(deps, labels.sentBy, [sentBy, evidence.contact && { text: evidence.contact, type: SMALL_NOTE }])
  writeRow(deps, labels.sealedBy, [evidence.organisation, deps.timeFormatter.local(evidence.sealedAt)])
  writeRow(deps, labels.times, [words.timesIn(deps.timeFormatter.zone)])
  writeRow(deps, labels.documentId, [evidence.document.id])
  writeRow(deps, labels.check, [
    check.web(evidence.verifyUrl),
    check.offline,
    { text: 'signet verify FILE.pdf --trust seal.pem', type: COMMAND },
    { text: `seal.pem: ${evidence.sealCertificatesUrl}`, type: SMALL_NOTE },
  ])
  if (evidence.recipients.length === 0) return
  writeSection(words.sections.recipients, deps)
  evidence.recipients.forEach((recipient, i) => {
    flow.keepTogether(() => {
      if (i > 0) flow.addSeparator(4, 7)
      writePerson(recipient, evidence.recipients.length > 1 ? `${i + 1}. ` : '', deps)
    })
  })
}

function writeState(recipients: readonly EvidenceRecipient[], { flow, words }: Deps): void {
  const names = recipients.map(recipient => actOf(recipient, words))
  const counts = [...new Set(names)].map(name => `${name}: ${names.filter(other => other === name).length}`)
  flow.keepWithNext(() => flow.drawBeside(0, ICON, (left, top) => drawTick(left, top - 1.5)))
  const x = ICON + 6
  flow.addColumns([
    {
      x,
      width: flow.width - x,
      cells: [{ text: [words.events['document.completed'], ...counts].join(' · '), type: NAME }],
    },
  ])
}

/** What the recipient did, or what the role is if there was nothing to do. */
function actOf({ role, actedAt }: EvidenceRecipient, { events, roles }: Deps['words']): string {
  if (actedAt === undefined) return roles[role]
  return events[maySign(role) ? 'recipient.signed' : 'recipient.approved']
}

/** An approval is given with name and consent. Those of a release before have a typed name. */
export function isWithoutMark({ role, actedAt, signature, initials }: EvidenceRecipient): boolean {
  return actedAt !== undefined && !maySign(role) && !signature && !initials
}

function writePerson(recipient: EvidenceRecipient, number: string, deps: Deps): void {
  const { flow, words, timeFormatter } = deps
  const { name, email, signature, actedAt, identifiedBy } = recipient
  const x = MARK.width + MARK.margin
  const timeX = flow.width - TIME_WIDTH
  const identified = identifiedBy.map(means => ({ text: words.identified[means], type: NOTE }))
  // An approver's typed name is not in the document.
  if (signature && maySign(recipient.role)) drawMark(signature, deps)
  flow.addColumns([
    {
      x,
      width: timeX - x - GUTTER,
      cells: [{ text: `${number}${name}`, type: NAME, isPhrase: true }, { text: email, type: BODY }, ...identified],
    },
    {
      x: timeX,
      width: TIME_WIDTH,
      cells: [
        { text: actOf(recipient, words), type: STRONG },
        ...(actedAt === undefined ? [] : [{ text: timeFormatter.local(actedAt), type: BODY }]),
        ...(isWithoutMark(recipient) ? [{ text: words.approvedWith, type: NOTE }] : []),
      ],
    },
  ])
}

function drawMark({ appearance }: EvidenceMark, deps: Deps): void {
  const { width, height } = MARK
  deps.flow.drawBeside(0, width, (left, top) =>
    [
      `q ${HAIRLINE} RG 0.6 w ${num(left)} ${num(top - height)} ${width} ${height} re S`,
      `1 0 0 1 ${num(left + 4)} ${num(top - height + 3)} cm`,
      drawContent(appearance, { width: width - 8, height: height - 6 }, 1, deps),
      'Q',
    ].join('\n'),
  )
}

/** A white tick on a dark disc: also clear in black and white. */
function drawTick(left: number, top: number): string {
  const [x, y, r] = [left + ICON / 2, top - ICON / 2, ICON / 2]
  return [
    // A line of no length with round ends is a disc.
    `q ${INK} RG 1 J ${num(2 * r)} w ${num(x)} ${num(y)} m ${num(x)} ${num(y)} l S`,
    `1 1 1 RG 1.3 w 1 j ${num(x - 0.45 * r)} ${num(y)} m ${num(x - 0.1 * r)} ${num(y - 0.38 * r)} l`,
    `${num(x + 0.48 * r)} ${num(y + 0.38 * r)} l S Q`,
  ].join('\n')
}
