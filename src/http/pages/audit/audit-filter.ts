/** The filters of the audit log: from the address or a form to what the queries take. */
import type { AuditFilters } from '../../../../views/audit/audit-filters.tsx'
import type { EventFilter, Subject } from '../../../audit/list-queries.ts'
import { findSubjects } from '../../../audit/name-queries.ts'
import { storedTypesOf } from '../../../core/document/event.ts'
import { MAX_EMAIL_LENGTH } from '../../../core/text.ts'
import { startOfDay } from '../../../lib/relative-time.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { Visit } from '../../frame/page.tsx'

const DAY_MS = 86_400_000
const MAX_SUBJECTS = 20

export function filtersIn(given: Record<string, string | undefined>): AuditFilters {
  const text = (name: string, length: number) => given[name]?.trim().slice(0, length) ?? ''
  return {
    person: text('person', MAX_EMAIL_LENGTH),
    kind: text('kind', 60),
    document: text('document', 500),
    from: text('from', 20),
    to: text('to', 20),
  }
}

/** What cannot be understood is an error of its field, and no entry matches. */
export async function readFilter(
  { app, texts }: Visit,
  { person, kind, document, from, to }: AuditFilters,
  timeZone: string,
): Promise<{ filter: EventFilter; errors: ShownError[] }> {
  const t = texts.audit.filters
  const errors: ShownError[] = []
  const filter: EventFilter = {}
  const day = (path: 'from' | 'to', text: string) => {
    const start = text === '' ? undefined : startOfDay(text, timeZone)
    if (text !== '' && !start) errors.push({ path, message: t.invalidDay })
    return start
  }
  const start = day('from', from)
  if (start) filter.from = start
  // The last day counts whole.
  const next = to === '' ? '' : dayAfter(to)
  const end = day('to', next)
  if (end) filter.before = end
  if (kind !== '') filter.types = storedTypesOf(kind)
  if (document !== '') {
    const id = /(?:doc|tpl)_[0-9a-z]{26}/.exec(document)?.[0]
    if (id === undefined) errors.push({ path: 'document', message: t.invalidDocument })
    else filter.documentId = id
  }
  if (person !== '') {
    const found = await subjectsFor(app.db, person)
    if (found.subjects.length > MAX_SUBJECTS) errors.push({ path: 'person', message: t.tooMany })
    else Object.assign(filter, found)
  }
  return { filter, errors }
}

const dayAfter = (day: string) => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : new Date(time + DAY_MS).toISOString().slice(0, 10)
}

const ID = /^(usr|key|rcp)_[0-9a-z]{26}$/
const KINDS: Record<string, Subject['kind']> = { usr: 'user', key: 'key', rcp: 'recipient' }

/** An ID, an address of recipients, or a part of the name or address of users and API tokens. */
async function subjectsFor(db: Visit['app']['db'], text: string): Promise<{ subjects: Subject[]; recipientEmail?: string }> {
  const kind = KINDS[ID.exec(text)?.[1] ?? '']
  if (kind) return { subjects: [{ kind, id: text }] }
  const subjects = await findSubjects(db, text, MAX_SUBJECTS + 1)
  return { subjects, ...(text.includes('@') && { recipientEmail: text }) }
}
