/** Search and filters of the list of documents. */
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { ListFilters, listAddress } from '../parts/list.tsx'

/** As in the address; empty: not set. `hold` is `1`: only documents under legal hold. */
export type Filters = Record<'q' | 'email' | 'label' | 'from' | 'to' | 'hold', string>

export const documentsAddress = (view: string, filters: Partial<Filters>, after?: string): string =>
  listAddress('/documents', { view, ...filters }, after)

interface Props {
  view: string
  filters: Filters
  labels: readonly string[]
  texts: AppTexts['documents']
}

export function DocumentFilterForm({ view, filters, labels, texts: { list } }: Props) {
  const known = filters.label === '' || labels.includes(filters.label) ? labels : [filters.label, ...labels]
  const own = <Name extends keyof Filters>(name: Name, label: string) => ({
    name,
    value: filters[name],
    label,
    chip: list.chips[name](filters[name]),
  })
  const { filter, filters: legend, apply, activeFilters: active, clear, removeFilter: remove } = list
  return (
    <ListFilters
      path="/documents"
      fixed={{ view }}
      texts={{ filter, legend, apply, active, clear, remove }}
      filters={[
        { ...own('q', list.search), as: 'search', hint: list.searchHint, maxLength: 200 },
        { ...own('email', list.person), as: 'text', maxLength: MAX_EMAIL_LENGTH, isEmail: true },
        {
          ...own('label', list.label),
          as: 'choice',
          any: list.anyLabel,
          options: known.map(label => ({ value: label, text: label })),
        },
        { ...own('from', list.from), as: 'day' },
        { ...own('to', list.to), as: 'day' },
        { ...own('hold', list.hold), as: 'tick' },
      ]}
    />
  )
}
