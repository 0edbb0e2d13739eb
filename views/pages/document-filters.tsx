/** Search and filters of the list: a form that works without a script, and what is active. */
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { Button } from '../parts/button.tsx'
import { Chips } from '../parts/chips.tsx'
import { ariaOf, FieldError, type ValidationErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'

/** As in the address; empty: not set. */
export interface Filters {
  q: string
  email: string
  label: string
  from: string
  to: string
  /** `1`: only documents under legal hold. */
  hold: string
}

interface Props {
  view: string
  filters: Filters
  labels: readonly string[]
  errors: ValidationErrors
  texts: AppTexts['documents']
}

export function listAddress(view: string, filters: Partial<Filters>, after?: string): string {
  const set = Object.entries({ ...filters, after }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `/documents?${new URLSearchParams([['view', view], ...set])}`
}

export function ListFilters(props: Props) {
  const { view, filters, texts, errors } = props
  const { q, ...others } = filters
  const active = Object.values(others).filter(value => value !== '').length
  return (
    <search>
      <form class="list-filters" method="get" action="/documents">
        <input type="hidden" name="view" value={view} />
        <div class="search">
          <Icon name="search" />
          <input
            name="q"
            type="search"
            value={q}
            maxLength={200}
            aria-label={texts.list.search}
            placeholder={texts.list.searchHint}
            data-search
          />
        </div>
        <details class="filter-panel" data-dropdown open={errors.length > 0}>
          <summary class="button plain">
            <Icon name="funnel" />
            <span>{texts.list.filter}</span>
            {active > 0 && <span class="count">{active}</span>}
          </summary>
          <FilterFields {...props} />
        </details>
        <ActiveFilters {...props} />
      </form>
    </search>
  )
}

function FilterFields({ filters, labels, errors, texts: { list } }: Props) {
  const known = filters.label === '' || labels.includes(filters.label) ? labels : [filters.label, ...labels]
  return (
    <fieldset class="filter-fields">
      <legend class="unseen">{list.filters}</legend>
      <label for="email">{list.person}</label>
      <input
        id="email"
        name="email"
        type="text"
        inputMode="email"
        value={filters.email}
        maxLength={MAX_EMAIL_LENGTH}
        dir="auto"
      />
      <label for="label">{list.label}</label>
      <select id="label" name="label">
        <option value="">{list.anyLabel}</option>
        {known.map(label => (
          <option key={label} value={label} selected={label === filters.label}>
            {label}
          </option>
        ))}
      </select>
      <div class="days">
        {(['from', 'to'] as const).map(name => (
          <div key={name}>
            <label for={name}>{list[name]}</label>
            <FieldError name={name} label={list[name]} errors={errors} />
            <input id={name} name={name} type="date" value={filters[name]} {...ariaOf(name, errors)} />
          </div>
        ))}
      </div>
      <label class="tick">
        <input type="checkbox" name="hold" value="1" checked={filters.hold !== ''} />
        <span>{list.hold}</span>
      </label>
      <Button kind="plain">{list.apply}</Button>
    </fieldset>
  )
}

function ActiveFilters({ view, filters, texts: { list } }: Props) {
  const active = (Object.keys(filters) as (keyof Filters)[]).filter(name => filters[name] !== '')
  const chips = active.map(name => ({
    text: list.chips[name](filters[name]),
    href: listAddress(view, { ...filters, [name]: '' }),
  }))
  const clear = { text: list.clear, href: listAddress(view, {}) }
  return <Chips label={list.activeFilters} chips={chips} remove={list.removeFilter} clear={clear} />
}
