/** Search, filters and order of the people: a form that works without a script. */
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { usePageTexts } from '../parts/page-texts.ts'

/** As in the address; empty: not set. */
export interface PeopleFilters {
  q: string
  role: string
  factor: string
  state: string
  /** Empty: by name. */
  order: string
}

export const PEOPLE_PATH = '/settings/people'

export function peopleAddress(filters: Partial<PeopleFilters>, after?: string): string {
  const set = Object.entries({ ...filters, after }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `${PEOPLE_PATH}${set.length > 0 ? '?' : ''}${new URLSearchParams(set)}`
}

type Choice = keyof ReturnType<typeof useChoices>

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
  const active = [filters.role, filters.factor, filters.state].filter(value => value !== '').length
  return (
    <search>
      <form class="list-filters" method="get" action={PEOPLE_PATH}>
        <div class="search">
          <Icon name="search" />
          <input
            name="q"
            type="search"
            value={filters.q}
            maxLength={254}
            aria-label={t.search}
            placeholder={t.searchHint}
            data-search
          />
        </div>
        <details class="filter-panel" data-dropdown>
          <summary class="button plain">
            <Icon name="funnel" />
            <span>{t.filter}</span>
            {active > 0 && <span class="count">{active}</span>}
          </summary>
          <fieldset class="filter-fields">
            <legend class="unseen">{t.legend}</legend>
            {(['role', 'factor', 'state', 'order'] as const).map(name => (
              <Field key={name} name={name} value={filters[name]} />
            ))}
            <Button kind="plain">{t.apply}</Button>
          </fieldset>
        </details>
        <Chips filters={filters} />
      </form>
    </search>
  )
}

function Field({ name, value }: { name: Choice; value: string }) {
  const { filters: t } = usePageTexts().people
  return (
    <>
      <label for={name}>{t.fields[name]}</label>
      <select id={name} name={name}>
        <option value="">{t.any[name]}</option>
        {Object.entries(useChoices()[name]).map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}

/** What is active, each a link that removes it. */
function Chips({ filters }: { filters: PeopleFilters }) {
  const { filters: t } = usePageTexts().people
  const choices = useChoices()
  const names = (['q', 'role', 'factor', 'state', 'order'] as const).filter(name => filters[name] !== '')
  if (names.length === 0) return null
  return (
    <ul class="chips" aria-label={t.active}>
      {names.map(name => {
        const value = filters[name]
        const text = name === 'q' ? t.chip(value) : `${t.fields[name]}: ${choices[name][value] ?? value}`
        return (
          <li key={name}>
            <a class="chip" href={peopleAddress({ ...filters, [name]: '' })} title={t.remove(text)}>
              <span class="unseen">{t.remove(text)}</span>
              <span aria-hidden="true" dir="auto">
                {text}
              </span>
              <Icon name="x" />
            </a>
          </li>
        )
      })}
      {names.length > 1 && (
        <li>
          <a href={PEOPLE_PATH}>{t.clear}</a>
        </li>
      )}
    </ul>
  )
}
