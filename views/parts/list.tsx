/** Parts of a list: its filters in a form that works without a script, addresses and pages. */
import { Fragment } from 'preact'
import { MAX_QUERY_LENGTH } from '../../src/core/document/document-limits.ts'
import { Button } from './button.tsx'
import { ariaOf, FieldError, useAria, useErrors } from './form.tsx'
import { Icon } from './icon.tsx'
import { usePageTexts } from './page-texts.ts'

/** By name, as in the address; empty: not set. */
export type ListValues = Record<string, string>

/** Of the list with these filters, from the row after `after` on. */
export function listAddress(path: string, values: Partial<ListValues>, after?: string): string {
  const set = Object.entries({ ...values, after }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `${path}${set.length > 0 ? '?' : ''}${new URLSearchParams(set)}`
}

interface Option {
  value: string
  text: string
}

interface Base {
  name: string
  value: string
  label: string
  /** What is set, in words. */
  chip: string
}

export type ListFilter = Base &
  (
    | { as: 'search'; hint: string; maxLength: number }
    | { as: 'choice'; any: string; options: readonly (Option | { group: string; options: readonly Option[] })[] }
    | { as: 'text'; hint?: string; maxLength: number; isEmail?: true }
    /** All days are in one row. */
    | { as: 'day' }
    | { as: 'tick' }
  )

type Of<As> = Extract<ListFilter, { as: As }>

interface ListFiltersProps {
  path: string
  /** What the address always has. */
  fixed?: ListValues
  /** In the order of the form; the search is first. */
  filters: readonly ListFilter[]
}

export function ListFilters({ path, fixed = {}, filters }: ListFiltersProps) {
  const texts = usePageTexts().frame.list
  const search = filters.filter(filter => filter.as === 'search')
  const others = filters.filter(filter => filter.as !== 'search')
  const active = others.filter(({ value }) => value !== '').length
  const isRefused = useErrors().some(({ path: name }) => others.some(filter => filter.name === name))
  return (
    <search>
      <form class="list-filters" method="get" action={path}>
        {Object.entries(fixed).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {search.map(filter => (
          <Search key={filter.name} filter={filter} />
        ))}
        <details class="filter-panel" data-dropdown open={isRefused}>
          <summary class="button plain">
            <Icon name="funnel" />
            <span>{texts.filter}</span>
            {active > 0 && <span class="count">{active}</span>}
          </summary>
          <fieldset class="filter-fields">
            <legend class="unseen">{texts.legend}</legend>
            <Fields filters={others} />
            <Button kind="plain">{texts.apply}</Button>
          </fieldset>
        </details>
        {search.map(({ name, label }) => (
          <SearchError key={name} name={name} label={label} />
        ))}
        <ActiveFilters path={path} fixed={fixed} filters={filters} />
      </form>
    </search>
  )
}

function ActiveFilters({ path, fixed = {}, filters }: ListFiltersProps) {
  const values = Object.fromEntries(filters.map(({ name, value }) => [name, value]))
  const set = filters.filter(({ value }) => value !== '')
  const without = (name: string) => listAddress(path, { ...fixed, ...values, [name]: '' })
  return <Chips chips={set.map(({ name, chip }) => ({ text: chip, href: without(name) }))} clear={listAddress(path, fixed)} />
}

function Search({ filter: { name, value, label, hint, maxLength } }: { filter: Of<'search'> }) {
  return (
    <div class="search">
      <Icon name="search" />
      <input name={name} type="search" value={value} maxLength={maxLength} aria-label={label} placeholder={hint} data-search />
    </div>
  )
}

function SearchError({ name, label }: { name: string; label: string }) {
  return useErrors().some(({ path }) => path === name) ? <FieldError name={name} label={label} /> : null
}

function Fields({ filters }: { filters: readonly ListFilter[] }) {
  const days = filters.filter(filter => filter.as === 'day')
  return (
    <>
      {filters.map(filter => (
        <Fragment key={filter.name}>
          {filter.as === 'choice' && <Choice filter={filter} />}
          {filter.as === 'text' && <Text filter={filter} />}
          {filter === days[0] && <Days filters={days} />}
          {filter.as === 'tick' && (
            <label class="tick">
              <input type="checkbox" name={filter.name} value="1" checked={filter.value !== ''} />
              <span>{filter.label}</span>
            </label>
          )}
        </Fragment>
      ))}
    </>
  )
}

function Choice({ filter: { name, value, label, any, options } }: { filter: Of<'choice'> }) {
  const option = (one: Option) => (
    <option key={one.value} value={one.value} selected={one.value === value}>
      {one.text}
    </option>
  )
  return (
    <>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{any}</option>
        {options.map(one =>
          'group' in one ? (
            <optgroup key={one.group} label={one.group}>
              {one.options.map(option)}
            </optgroup>
          ) : (
            option(one)
          ),
        )}
      </select>
    </>
  )
}

function Text({ filter: { name, value, label, hint, maxLength, isEmail } }: { filter: Of<'text'> }) {
  return (
    <>
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      {hint !== undefined && <FieldError name={name} label={label} />}
      <input
        id={name}
        name={name}
        type="text"
        value={value}
        maxLength={maxLength}
        {...(isEmail ? { inputMode: 'email', dir: 'auto' } : {})}
        {...useAria(name, hint)}
      />
    </>
  )
}

function Days({ filters }: { filters: readonly Of<'day'>[] }) {
  const errors = useErrors()
  return (
    <div class="days">
      {filters.map(({ name, value, label }) => (
        <div key={name}>
          <label for={name}>{label}</label>
          <FieldError name={name} label={label} />
          <input id={name} name={name} type="date" value={value} {...ariaOf(name, errors)} />
        </div>
      ))}
    </div>
  )
}

// A search alone: each has an address.

interface ListSearchProps {
  /** The address of the list. */
  action: string
  /** Says what is searched, also inside the empty field. */
  label: string
  button: string
  value: string
}

export function ListSearch({ action, label, button, value }: ListSearchProps) {
  return (
    <search>
      <form method="get" action={action} class="list-search">
        <label class="unseen" for="q">
          {label}
        </label>
        <input type="search" id="q" name="q" value={value} maxLength={MAX_QUERY_LENGTH} placeholder={label} data-search />
        <Button icon="search" type="submit">
          {button}
        </Button>
      </form>
    </search>
  )
}

// Further pages.

interface Page {
  href: string | undefined
  text: string
}

export function Pager({ first, next }: { first?: Page; next: Page }) {
  const { pages } = usePageTexts().frame.list
  if (first?.href === undefined && next.href === undefined) return null
  return (
    <nav class="pager" aria-label={pages}>
      {first?.href !== undefined && <a href={first.href}>{first.text}</a>}
      {next.href !== undefined && (
        <a href={next.href} rel="next">
          {next.text}
        </a>
      )}
    </nav>
  )
}

// The filters that are set, each a link that removes it.

interface ChipsProps {
  chips: readonly { text: string /** Of the list without it. */; href: string }[]
  /** Of the list without all of them. */
  clear: string
}

function Chips({ chips, clear }: ChipsProps) {
  const texts = usePageTexts().frame.list
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={texts.active}>
      {chips.map(({ text, href }) => (
        <li key={href}>
          <a class="chip" href={href} title={texts.remove(text)}>
            <span class="unseen">{texts.remove(text)}</span>
            <span aria-hidden="true" dir="auto">
              {text}
            </span>
            <Icon name="x" />
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={clear}>{texts.clear}</a>
        </li>
      )}
    </ul>
  )
}
