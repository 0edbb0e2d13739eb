/** The words of the review page: who gets what and when, what to check, and where to mend it. */
import type { Document, Recipient } from '../../../core/document/document.ts'
import type { Finding } from '../../../core/draft/draft-check.ts'
import type { Field } from '../../../core/field/field.ts'
import { isMailed } from '../../../core/signing/routing.ts'
import type { SendingTexts } from '../../../locales/en/app/sending.ts'
import { draftPath, lastStep } from './draft-access.ts'

/** In parallel all at once, else by their numbers. */
export function groupsOf({ recipients, signingOrder }: Document, texts: SendingTexts) {
  const { review } = texts
  const people = recipients.map((recipient, index) => ({ order: recipient.order, ...personOf(recipient, index, texts) }))
  if (signingOrder === 'parallel') return [{ title: review.now, people }]
  const orders = [...new Set(people.map(({ order }) => order))].sort((a, b) => a - b)
  return orders.map((order, i) => ({
    title: i === 0 ? review.now : review.later,
    people: people.filter(person => person.order === order),
  }))
}

function personOf(
  { id, name, email, role, fields, accessCodeHash, verify, deliverBy }: Recipient,
  index: number,
  { review, people }: SendingTexts,
) {
  return {
    id,
    index,
    name: name || people.someone(index + 1),
    email,
    isMailed: isMailed({ deliverBy }),
    gets: [
      (isMailed({ deliverBy }) ? review.gets : review.getsByHand)[role] ?? '',
      ...(accessCodeHash === undefined ? [] : [review.withCode]),
      ...(verify ? [review.withVerify[verify]] : []),
    ].join(', '),
    fields: fieldsInWords(fields, review),
  }
}

/** How many, and on which pages. */
export function fieldsInWords(fields: readonly Field[], review: SendingTexts['review']): string {
  if (fields.length === 0) return review.noFields
  const pages = [...new Set(fields.map(({ page }) => page))].sort((a, b) => a - b)
  const where = pages.length === 1 ? review.page(pages[0] ?? 1) : review.pages(rangesOf(pages))
  return review.fieldsOf(fields.length, where)
}

/** `1, 3–5`. */
function rangesOf(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const page of pages) {
    const range = ranges.at(-1)
    if (range && page === range[1] + 1) range[1] = page
    else ranges.push([page, page])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(', ')
}

export function findingsInWords(document: Document, findings: readonly Finding<string>[], texts: SendingTexts) {
  const nameOf = (id: string | undefined) => {
    const index = document.recipients.findIndex(r => r.id === id)
    const recipient = document.recipients[index]
    return recipient ? recipient.name || recipient.email || texts.people.someone(index + 1) : ''
  }
  return findings.map(finding => {
    const { code, recipientId, otherId, page, suggestion = '' } = finding
    const about = { who: nameOf(recipientId), other: nameOf(otherId), page: page === undefined ? '' : String(page), suggestion }
    return { text: texts.review.findings[code]?.(about) ?? code, href: placeOf(document, finding) }
  })
}

/** The page and the control where a finding is mended. */
function placeOf(document: Document, { code, path, recipientId }: Finding<string>): string {
  if (path.startsWith('fields/')) return `${draftPath(document, 'fields')}#${path.split('/')[1] ?? ''}`
  if (code === 'no_signature_field' || path === 'file') return draftPath(document, 'fields')
  if (!path.startsWith('recipients')) return `${draftPath(document, lastStep(document))}#${path}`
  const index = document.recipients.findIndex(r => r.id === recipientId)
  const member = path.split('/')[2] ?? 'name'
  return `${draftPath(document, 'people')}${index < 0 ? '' : `#recipients[${index}].${member}`}`
}
