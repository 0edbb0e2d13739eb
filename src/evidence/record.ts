/** Writes the technical record: hashes, certificates, clients, fields and the consent. */
import { maySign } from '../core/signing/routing.ts'
import { figures } from '../locales/evidence.ts'
import { isWithoutMark } from './answer.ts'
import type { Evidence, EvidenceMark, EvidenceRecipient } from './model.ts'
import { pageRanges } from './page-ranges.ts'
import { type Deps, FINE, RECORD, SMALL, SMALL_NOTE, SUBHEAD, type Value, writeRow, writeSection } from './typography.ts'
import { writeValues } from './values.ts'

/** Length of a name in the heading of a continued recipient. */
const MAX_REPEATED_CHARACTERS = 60

export function writeRecord(evidence: Evidence, deps: Deps): void {
  const { words } = deps
  writeSection(words.sections.record, deps)
  writePart(words.sections.document, deps, () => writeDocument(evidence, deps))
  writePart(words.sections.seal, deps, () => writeSeal(evidence, deps))
  for (const [i, recipient] of evidence.recipients.entries()) {
    // Nothing is known of a viewer who never opened the document.
    if ((recipient.actedAt ?? recipient.ip ?? recipient.userAgent) === undefined) continue
    const name = evidence.recipients.length > 1 ? `${i + 1}. ${recipient.name}` : recipient.name
    writePart(name, deps, () => writeRecipient(recipient, evidence, deps))
  }
  if (evidence.consents.length > 0) writePart(words.labels.consentText, deps, () => writeConsents(evidence, deps))
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
  const { labels, locale } = words
  const row = (label: string, values: Value[]) => writeRow(deps, label, values, RECORD)
  const seen = document.hasActiveContent ? words.originalSeenDisabled : words.originalIs
  row(labels.fileName, [document.fileName])
  row(labels.pages, [words.pageCount(document.pageCount)])
  row(labels.originalSha256, [
    document.originalSha256,
    { text: `${words.originalSize(figures(document.originalByteLength, locale))}. ${seen}`, type: SMALL_NOTE },
    document.files?.length ? { text: words.joinedFrom, type: SMALL_NOTE } : undefined,
  ])
  if (document.uploadedSha256 !== undefined && document.uploadedSha256 !== document.originalSha256)
    row(labels.uploadedSha256, [document.uploadedSha256, { text: words.uploadedIs, type: SMALL_NOTE }])
  for (const { fileName, sha256 } of document.files ?? [])
    row(labels.uploadedSha256, [sha256, { text: fileName, type: SMALL_NOTE }])
  if (recipients.length > 1) row(labels.signingOrder, [words.signingOrders[document.signingOrder]])
  row(labels.software, [`${software} · ${environment} · ${instanceId}`])
  writeValues(document.senderValues, words.fieldsOfSender, deps)
}

function writeSeal({ sealCertificate, audit }: Evidence, deps: Deps): void {
  const { words } = deps
  const { labels } = words
  const row = (label: string, values: Value[]) => writeRow(deps, label, values, RECORD)
  row(labels.subject, [sealCertificate.subject])
  row(labels.issuer, [sealCertificate.issuer])
  row(labels.serial, [`${sealCertificate.serial} · ${sealCertificate.algorithm}`])
  row(labels.fingerprint, [sealCertificate.sha256])
  if (audit === undefined) return
  row(labels.auditLog, [audit.hash, { text: words.auditEntry(audit.sequence), type: SMALL_NOTE }])
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
  row(labels.ip, [recipient.ip && `${recipient.ip} ${words.asSeenByServer}`])
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

function writeConsents({ consents }: Evidence, { flow, words }: Deps): void {
  for (const { version, sha256, text } of consents) {
    flow.addSpace(2)
    flow.addText({ text: `${words.consentVersion(version)} · SHA-256 ${sha256}`, type: SMALL })
    for (const paragraph of text?.split('\n') ?? []) flow.addText({ text: paragraph, type: FINE })
  }
}

/** What kind of signatures and seal these are, and what they do not prove. */
export function writeNotes({ organisation }: Evidence, { flow, words }: Deps): void {
  flow.addSeparator(5, 5)
  flow.addText({
    text: [...words.aboutSeal(organisation), words.aboutEvidencePack(organisation)].join(' '),
    type: FINE,
  })
}
