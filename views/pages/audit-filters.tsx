/** The filters of the audit log: a form that works without a script, and what is active. */
import type { AppTexts } from '../../src/locales/app.ts'
import { Button } from '../parts/button.tsx'
import { Chips } from '../parts/chips.tsx'
import { ariaOf, FieldError, useErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'

/** As in the address; empty: not set. */
export interface AuditFilters {
  person: string
  kind: string
  document: string
  from: string
  to: string
}

interface Props {
  filters: AuditFilters
  texts: AppTexts['audit']
}

export function auditAddress(filters: Partial<AuditFilters>, after?: string): string {
  const set = Object.entries({ ...filters, after }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `/settings/audit${set.length > 0 ? '?' : ''}${new URLSearchParams(set)}`
}

export function AuditFilterForm(props: Props) {
  const { filters, texts } = props
  const { filters: t } = texts
  const active = [filters.kind, filters.document, filters.from, filters.to].filter(value => value !== '').length
  return (
    <search>
      <form class="list-filters" method="get" action="/settings/audit">
        <div class="search">
          <Icon name="search" />
          <input
            name="person"
            type="search"
            value={filters.person}
            maxLength={254}
            aria-label={t.person}
            placeholder={t.personHint}
            data-search
          />
        </div>
        <details class="filter-panel" data-dropdown open={useErrors().some(({ path }) => path !== 'person')}>
          <summary class="button plain">
            <Icon name="funnel" />
            <span>{t.filter}</span>
            {active > 0 && <span class="count">{active}</span>}
          </summary>
          <FilterFields {...props} />
        </details>
        <FieldError name="person" label={t.person} />
        <ActiveFilters filters={filters} texts={texts} />
      </form>
    </search>
  )
}

const GROUPS = ['document', 'template', 'recipient', 'instance'] as const

function groupOf(kind: string): (typeof GROUPS)[number] {
  const [prefix] = kind.split('.')
  return GROUPS.find(group => group === prefix) ?? 'instance'
}

function FilterFields({ filters, texts: { filters: t, events } }: Props) {
  const kinds = Object.entries(events).map(([value, [text]]) => ({ value, text }))
  return (
    <fieldset class="filter-fields">
      <legend class="unseen">{t.legend}</legend>
      <label for="kind">{t.kind}</label>
      <select id="kind" name="kind">
        <option value="">{t.anyKind}</option>
        {GROUPS.map(group => (
          <optgroup key={group} label={t.groups[group]}>
            {kinds
              .filter(({ value }) => groupOf(value) === group)
              .map(({ value, text }) => (
                <option key={value} value={value} selected={value === filters.kind}>
                  {text}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <label for="document">{t.document}</label>
      <div class="hint" id="document-hint">
        {t.documentHint}
      </div>
      <FieldError name="document" label={t.document} />
      <input
        id="document"
        name="document"
        type="text"
        value={filters.document}
        maxLength={500}
        {...ariaOf('document', useErrors(), t.documentHint)}
      />
      <div class="days">
        {(['from', 'to'] as const).map(name => (
          <div key={name}>
            <label for={name}>{t[name]}</label>
            <FieldError name={name} label={t[name]} />
            <input id={name} name={name} type="date" value={filters[name]} {...ariaOf(name, useErrors())} />
          </div>
        ))}
      </div>
      <Button kind="plain">{t.apply}</Button>
    </fieldset>
  )
}

function ActiveFilters({ filters, texts: { filters: t, events } }: Pick<Props, 'filters' | 'texts'>) {
  const names = (Object.keys(filters) as (keyof AuditFilters)[]).filter(name => filters[name] !== '')
  const kinds = events as Partial<Record<string, [name: string, sentence: unknown]>>
  const chips = names.map(name => ({
    text: t.chips[name](name === 'kind' ? (kinds[filters[name]]?.[0] ?? filters[name]) : filters[name]),
    href: auditAddress({ ...filters, [name]: '' }),
  }))
  return <Chips label={t.active} chips={chips} remove={t.remove} clear={{ text: t.clear, href: auditAddress({}) }} />
}
