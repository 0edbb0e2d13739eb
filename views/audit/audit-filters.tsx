/** The filters of the audit log. */
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { ListFilters, listAddress } from '../parts/list.tsx'

/** As in the address; empty: not set. */
export type AuditFilters = Record<'person' | 'kind' | 'document' | 'from' | 'to', string>

const AUDIT_PATH = '/settings/audit'

export const auditAddress = (filters: Partial<AuditFilters>, after?: string): string => listAddress(AUDIT_PATH, filters, after)

const GROUPS = ['document', 'template', 'recipient', 'instance'] as const

function groupOf(kind: string): (typeof GROUPS)[number] {
  const [prefix] = kind.split('.')
  return GROUPS.find(group => group === prefix) ?? 'instance'
}

export function AuditFilterForm({ filters, texts }: { filters: AuditFilters; texts: AppTexts['audit'] }) {
  const { filters: t, events } = texts
  const kinds = Object.entries(events).map(([value, [text]]) => ({ value, text }))
  const nameOf = (kind: string) => kinds.find(({ value }) => value === kind)?.text ?? kind
  const groups = GROUPS.map(group => ({ group: t.groups[group], options: kinds.filter(({ value }) => groupOf(value) === group) }))
  const own = (name: keyof AuditFilters, text = filters[name]) => ({
    name,
    value: filters[name],
    label: t[name],
    chip: t.chips[name](text),
  })
  return (
    <ListFilters
      path={AUDIT_PATH}
      texts={t}
      filters={[
        { ...own('person'), as: 'search', hint: t.personHint, maxLength: MAX_EMAIL_LENGTH },
        { ...own('kind', nameOf(filters.kind)), as: 'choice', any: t.anyKind, options: groups },
        { ...own('document'), as: 'text', hint: t.documentHint, maxLength: 500 },
        { ...own('from'), as: 'day' },
        { ...own('to'), as: 'day' },
      ]}
    />
  )
}
