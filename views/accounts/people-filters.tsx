/** Search, filters and order of the people. */
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import { ListFilters, listAddress } from '../parts/list.tsx'
import { usePageTexts } from '../parts/page-texts.ts'

/** As in the address; empty: not set. */
export type PeopleFilters = Record<'q' | 'role' | 'factor' | 'state' | 'order', string>

export const PEOPLE_PATH = '/settings/people'

export const peopleAddress = (filters: Partial<PeopleFilters>, after?: string): string => listAddress(PEOPLE_PATH, filters, after)

/** The values of each field in words. */
function useChoices() {
  const { roles, states, filters } = usePageTexts().people
  return {
    role: roles as Record<string, string>,
    factor: filters.factors as Record<string, string>,
    state: { active: states.active, disabled: states.disabled } as Record<string, string>,
    order: filters.orders as Record<string, string>,
  }
}

export function PeopleFilterForm({ filters }: { filters: PeopleFilters }) {
  const { filters: t } = usePageTexts().people
  const choices = useChoices()
  const choiceOf = (name: keyof typeof choices) => {
    const [value, label] = [filters[name], t.fields[name]]
    const options = Object.entries(choices[name]).map(([each, text]) => ({ value: each, text }))
    return {
      name,
      value,
      as: 'choice',
      label,
      any: t.any[name],
      options,
      chip: `${label}: ${choices[name][value] ?? value}`,
    } as const
  }
  const q = {
    name: 'q',
    value: filters.q,
    label: t.search,
    hint: t.searchHint,
    maxLength: MAX_EMAIL_LENGTH,
    chip: t.chip(filters.q),
  }
  const all = [{ ...q, as: 'search' } as const, ...(['role', 'factor', 'state', 'order'] as const).map(choiceOf)]
  return <ListFilters path={PEOPLE_PATH} filters={all} texts={t} />
}
