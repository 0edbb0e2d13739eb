/**
 * Writes the first page: what was signed, who sent and sealed it, how to verify it, and who signed,
 * when and how.
 */
import { drawContent } from '../appearance/field-appearance.ts'
import { senderName } from '../core/document/follow-up.ts'
import { writePages } from '../core/signing/pages-shown.ts'
import { maySign, type Role } from '../core/signing/routing.ts'
import { figures } from '../locales/evidence.ts'
import type { Cell } from '../text/flow.ts'
import { HAIRLINE, INK } from '../text/page-style.ts'
import { num } from '../text/pdf-fonts.ts'
import type { Evidence, EvidenceMark, EvidenceRecipient } from './model.ts'
import {
  BODY,
  COMMAND,
  DETAIL,
  type Deps,
  NAME,
  NOTE,
  RECORD,
  SMALL,
  SMALL_NOTE,
  STRONG,
  timeColumn,
  type Value,
  writeRow,
  writeSection,
} from './typography.ts'

/** The signature beside the name, pt. */
const MARK = { width: 112, height: 40, margin: 14 }
/** The column of the time, pt. */
const TIME_WIDTH = 120
const GUTTER = 12
const ICON = 12
/** Between what, who and when, and how to verify; pt. */
const GROUP_GAP = 4
/** The labels beside the signature, pt. */
const PERSON_LABEL_WIDTH = 84
/** Of more people it is not tried whether the first page holds them, in rows and in columns. */
const MAX_IN_ROWS = 3
const MAX_IN_COLUMNS = 8
/** In columns, pt. */
const SMALL_MARK = { width: 84, height: 34, margin: 10 }
/** Of the list of names: the column of the act, pt, and the share of the name in the rest. */
const ACT_WIDTH = 76
const NAME_SHARE = 0.5
const LISTED = { ...STRONG, size: SMALL.size }

/** Returns whether the first page has all that is known of the people. */
export function writeAnswer(evidence: Evidence, deps: Deps): boolean {
  const { flow, words } = deps
  const { recipients } = evidence
  flow.addSpace(8)
  writeState(recipients, deps)
  flow.addSpace(6)
  writeWhat(evidence, deps)
  flow.addSpace(GROUP_GAP)
  writeWhoAndWhen(evidence, deps)
  flow.addSpace(GROUP_GAP)
  writeCheck(evidence, deps)
  if (recipients.length === 0) return true
  writeSection(words.sections.recipients, deps)
  const fits = (max: number, write: () => void) => recipients.length <= max && flow.addOnFirstPage(write)
  if (fits(MAX_IN_ROWS, () => writePeople(evidence, deps, writePerson))) return true
  if (fits(MAX_IN_COLUMNS, () => writePeople(evidence, deps, writeInColumns))) return true
  // Of one person, a list of names says nothing.
  if (recipients.length === 1) writePeople(evidence, deps, writePerson)
  else for (const [i, recipient] of recipients.entries()) writeName(recipient, i + 1, deps)
  return recipients.length === 1
}

/** What the first page has no place for. */
export function writeDetails(evidence: Evidence, deps: Deps): void {
  writeSection(deps.words.sections.details, deps)
  writePeople(evidence, deps, writeInColumns)
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

function writeWhat({ document }: Evidence, deps: Deps): void {
  const { labels, sections, locale, ...words } = deps.words
  const seen = document.hasActiveContent ? words.originalSeenDisabled : words.originalIs
  writeRow(deps, sections.document, [
    document.fileName,
    { text: `${labels.pages}: ${words.pageCount(document.pageCount)}`, type: SMALL_NOTE },
  ])
  writeRow(deps, labels.originalSha256, [
    { text: document.originalSha256, type: RECORD.value },
    { text: `${words.originalSize(figures(document.originalByteLength, locale))}. ${seen}`, type: SMALL_NOTE },
    document.files?.length ? { text: words.joinedFrom, type: SMALL_NOTE } : undefined,
  ])
  writeRow(deps, labels.documentId, [document.id])
}

function writeWhoAndWhen(evidence: Evidence, deps: Deps): void {
  const { words, timeFormatter } = deps
  const { organisation, contact, program, timestampAuthorities = [] } = evidence
  const note = (text: string | undefined) => text && { text, type: SMALL_NOTE }
  const sentBy = senderName(evidence.person, organisation)
  writeRow(deps, words.labels.sentBy, [sentBy, note(program && words.byProgram(program)), note(contact)])
  writeRow(deps, words.labels.sealedBy, [organisation, timeFormatter.local(evidence.sealedAt)])
  const asked = timestampAuthorities.join(', ')
  writeRow(deps, words.labels.timeStamp, [asked === '' ? undefined : words.timestampAsked(asked)])
  writeRow(deps, words.labels.times, [words.timesIn(timeFormatter.zone)])
}

function writeCheck({ verifyUrl, sealCertificatesUrl, verifyPageSha256 }: Evidence, deps: Deps): void {
  const { labels, check } = deps.words
  writeRow(deps, labels.check, [
    check.web(verifyUrl),
    verifyPageSha256 === undefined ? undefined : { text: check.page, type: SMALL_NOTE },
    check.offline,
    { text: 'signet verify FILE.pdf --trust seal.pem', type: COMMAND },
    { text: `seal.pem: ${sealCertificatesUrl}`, type: SMALL_NOTE },
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

const timeOf = ({ actedAt }: EvidenceRecipient, { timeFormatter }: Deps, type = BODY) =>
  actedAt === undefined ? [] : [{ text: timeFormatter.local(actedAt), type }]

/** One line of the list of names: name, address, act and time. */
function writeName(recipient: EvidenceRecipient, number: number, deps: Deps): void {
  const { flow, words } = deps
  const timeX = flow.width - timeColumn(deps.timeFormatter)
  const actX = timeX - ACT_WIDTH
  const emailX = actX * NAME_SHARE
  flow.addColumns([
    { x: 0, width: emailX - GUTTER, cells: [{ text: `${number}. ${recipient.name}`, type: LISTED, isPhrase: true }] },
    { x: emailX, width: actX - emailX - GUTTER, cells: [{ text: recipient.email, type: SMALL }] },
    { x: actX, width: ACT_WIDTH - GUTTER / 2, cells: [{ text: actOf(recipient, words), type: SMALL }] },
    { x: timeX, width: flow.width - timeX, cells: timeOf(recipient, deps, SMALL) },
  ])
}

function writePeople({ recipients }: Evidence, deps: Deps, writeOne: typeof writePerson): void {
  recipients.forEach((recipient, i) => {
    deps.flow.keepTogether(() => {
      if (i > 0) deps.flow.addSeparator(3, 6)
      writeOne(recipient, recipients.length > 1 ? `${i + 1}. ` : '', deps)
    })
  })
}

function writePerson(recipient: EvidenceRecipient, number: string, deps: Deps): void {
  const { flow, words } = deps
  const { name, email, signature } = recipient
  const x = MARK.width + MARK.margin
  const timeX = flow.width - TIME_WIDTH
  // An approver's typed name is not in the document.
  if (signature && maySign(recipient.role)) drawMark(signature, MARK, deps)
  flow.addColumns([
    {
      x,
      width: timeX - x - GUTTER,
      cells: [
        { text: `${number}${name}`, type: NAME, isPhrase: true },
        { text: email, type: BODY },
      ],
    },
    {
      x: timeX,
      width: TIME_WIDTH,
      cells: [{ text: actOf(recipient, words), type: STRONG }, ...timeOf(recipient, deps), ...soonOf(recipient, deps)],
    },
  ])
  writeHow(recipient, deps)
}

/** Whose place it was, how identified, what was agreed to, how it was signed, what was shown. */
function writeHow(recipient: EvidenceRecipient, deps: Deps): void {
  const { words, timeFormatter } = deps
  const { labels } = words
  const { namedBy = [], consentVersion, consentedAt, ip } = recipient
  const row = (label: string, values: Value[], at?: string) => writePersonRow(deps, label, values, at)
  const handOvers = namedBy.flatMap(({ name, email, at, to }) => [
    `${name}, ${email}`,
    { text: words.named(to, timeFormatter.local(at)), type: NOTE },
  ])
  row(labels.inPlaceOf, handOvers)
  row(
    labels.identified,
    recipient.identifiedBy.map(means => words.identified[means]),
  )
  row(labels.consent, [consentVersion && words.consentVersion(consentVersion)], consentedAt && timeFormatter.local(consentedAt))
  writeMarks(recipient, deps)
  row(labels.ip, [ip && `${ip} ${words.asSeenByServer}`])
}

function writeMarks(recipient: EvidenceRecipient, deps: Deps): void {
  const { words } = deps
  const { labels } = words
  const { role, signature, initials, pagesShown } = recipient
  const row = (label: string, mark: EvidenceMark | undefined) => writePersonRow(deps, label, [mark && madeOf(mark, words)])
  if (isWithoutMark(recipient)) writePersonRow(deps, words.events['recipient.approved'], [words.approvedWith])
  if (maySign(role)) row(labels.signature, signature)
  else writePersonRow(deps, labels.typedName, [signature && words.quoted(signature.text)])
  row(labels.initials, initials)
  writePersonRow(deps, labels.deviceKey, deviceKeyValues(recipient, deps))
  const isAnyShown = pagesShown !== undefined && pagesShown.length > 0
  writePersonRow(deps, labels.pagesShown, [
    isAnyShown ? words.onPages(pageRanges(pagesShown)) : undefined,
    neverShownTo(recipient, deps),
  ])
}

function deviceKeyValues({ deviceKey }: EvidenceRecipient, { words, timeFormatter }: Deps): Value[] {
  if (deviceKey === undefined) return []
  const { sha256, isUserVerified, firstUsedAt } = deviceKey
  return [
    words.deviceKey[isUserVerified ? 'verified' : 'unverified'],
    { text: `SHA-256 ${sha256}`, type: SMALL_NOTE },
    firstUsedAt === undefined ? undefined : { text: words.sameKey(timeFormatter.local(firstUsedAt)), type: SMALL_NOTE },
  ]
}

/** `Typed name, p. 3`. */
function madeOf({ kind, pages }: EvidenceMark, words: Deps['words']): string {
  return pages.length === 0 ? words.madeAs[kind] : `${words.madeAs[kind]}, ${words.onPages(pageRanges(pages))}`
}

function neverShownTo({ pagesShown }: EvidenceRecipient, { pages, words }: Deps): string | undefined {
  const missing = pagesShown ? pages.filter(page => !pagesShown.includes(page)) : []
  return missing.length > 0 ? words.neverShown(pageRanges(missing)) : undefined
}

function soonOf({ secondsToAct }: EvidenceRecipient, { words }: Deps, type = NOTE): Cell[] {
  return secondsToAct === undefined ? [] : [{ text: words.afterOpening(secondsToAct), type }]
}

/** Who, how, and what was done when, beside one another. */
function writeInColumns(recipient: EvidenceRecipient, number: string, deps: Deps): void {
  const { flow, words } = deps
  const { name, email, signature, namedBy = [] } = recipient
  const x = SMALL_MARK.width + SMALL_MARK.margin
  const timeX = flow.width - timeColumn(deps.timeFormatter)
  const howX = x + (timeX - x) * NAME_SHARE
  if (signature && maySign(recipient.role)) drawMark(signature, SMALL_MARK, deps)
  const notes = [
    ...recipient.identifiedBy.map(means => words.identified[means]),
    ...namedBy.flatMap(each => [
      `${words.labels.inPlaceOf}: ${each.name}, ${each.email}`,
      words.named(each.to, deps.timeFormatter.local(each.at)),
    ]),
  ]
  const noted = (texts: readonly (string | undefined)[]) =>
    texts.flatMap(text => (text === undefined ? [] : [{ text, type: SMALL_NOTE }]))
  const who = [
    { text: `${number}${name}`, type: STRONG, isPhrase: true },
    { text: email, type: SMALL },
  ]
  const act = { text: actOf(recipient, words), type: { ...STRONG, size: SMALL.size } }
  flow.addColumns([
    { x, width: howX - x - GUTTER, cells: [...who, ...noted(notes)] },
    { x: howX, width: timeX - howX - GUTTER, cells: noted(howIn(recipient, deps)) },
    {
      x: timeX,
      width: flow.width - timeX,
      cells: [act, ...timeOf(recipient, deps, SMALL), ...soonOf(recipient, deps, SMALL_NOTE)],
    },
  ])
}

function howIn(recipient: EvidenceRecipient, deps: Deps): (string | undefined)[] {
  const { words } = deps
  const { role, signature, initials, ip, consentVersion } = recipient
  const marks = [
    [labelOfMark(role, words), signature && (maySign(role) ? madeOf(signature, words) : words.quoted(signature.text))],
    [words.labels.initials, initials && madeOf(initials, words)],
  ] as const
  return [
    isWithoutMark(recipient) ? words.approvedWith : undefined,
    ...marks.map(([label, made]) => made && `${label}: ${made}`),
    consentVersion && versionAfter(words.labels.consent, consentVersion, words),
    neverShownTo(recipient, deps),
    ip,
  ]
}

const labelOfMark = (role: Role, { labels }: Deps['words']) => (maySign(role) ? labels.signature : labels.typedName)

/** After a word that is read from the right, the parts of a bare version would change places. */
export function versionAfter(label: string, version: string, words: Deps['words']): string {
  return `${label}: ${words.direction === 'rtl' ? `v${version}` : words.consentVersion(version)}`
}

/** `1–3, 5`. */
export const pageRanges = (pages: readonly number[]): string => writePages(pages, '–', ', ')

/** Writes nothing without values. `at`: in the column of the time. */
function writePersonRow({ flow }: Deps, label: string, values: Value[], at?: string): void {
  const cells = values.flatMap(value => (value ? [typeof value === 'string' ? { text: value, type: DETAIL } : value] : []))
  if (cells.length === 0) return
  const x = MARK.width + MARK.margin
  const valueX = x + PERSON_LABEL_WIDTH
  const timeX = flow.width - TIME_WIDTH
  flow.addColumns([
    { x, width: PERSON_LABEL_WIDTH - GUTTER / 2, cells: [{ text: label, type: NOTE }] },
    { x: valueX, width: at === undefined ? flow.width - valueX : timeX - valueX - GUTTER, cells },
    ...(at === undefined ? [] : [{ x: timeX, width: TIME_WIDTH, cells: [{ text: at, type: DETAIL }] }]),
  ])
}

function drawMark({ appearance }: EvidenceMark, { width, height }: typeof MARK, deps: Deps): void {
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
