/** The first page of using a template: people for its roles, and values for its fields. */
import type { RecipientRow } from '../../src/core/draft/recipient-rows.ts'
import { type Field, needsValue } from '../../src/core/field/field.ts'
import type { ConditionalField } from '../../src/core/field/visibility.ts'
import { TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import {
  CodeEntry,
  type Contact,
  ContactList,
  DeliveryEntry,
  DeviceKeyEntry,
  EmailEntry,
  hasMore,
  LanguageEntry,
  type Languages,
  MoreEntries,
  NameEntry,
} from '../drafting/person-entries.tsx'
import { labelOfField, ValueEntry } from '../drafting/value-entry.tsx'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, useErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { Stepper } from '../parts/stepper.tsx'

/** A field with what is entered for it. */
export interface ValueRow {
  field: Field
  value: string
  /** The recipient cannot change it. */
  isLocked: boolean
  /** The field that decides if this one is asked at all. */
  controlling: Field | undefined
}

export interface RoleRow extends RecipientRow {
  /** The name of the role. */
  roleName: string
  hasCode: boolean
  /** The language of the role, or of the document, in its own words. */
  languageDefault: string
  /** The fields that take a value ahead. */
  values: readonly ValueRow[]
}

interface Props extends Pick<Languages, 'languages'> {
  context: PageContext
  template: { id: string; title: string }
  token: string
  /** The draft that was made from these entries before, and the version that was seen. */
  draft: { id: string; version: number } | undefined
  roles: readonly RoleRow[]
  senderValues: readonly ValueRow[]
  /** Links can be handed out in place of e-mails. */
  mayHandOut: boolean
  me: { name: string; email: string }
  contacts: readonly Contact[]
  /** What somebody else changed in the draft. */
  changes: readonly string[] | undefined
}

export function TemplateUsePage(props: Props) {
  const { context, template, token, draft, changes, contacts } = props
  const { templates, sending } = context.texts
  const t = templates.use
  const base = `${TEMPLATES_PATH}/${template.id}`
  return (
    <Layout context={context} section={TEMPLATES_PATH} bundle="use">
      <PageHead title={t.title(template.title)} back={{ href: base, text: template.title }} />
      <Stepper
        label={t.steps.label}
        steps={[
          { text: t.steps.people, state: 'current' },
          { text: t.steps.review, state: 'open' },
        ]}
      />
      <form method="post" action={`${base}/use`} class="use" data-use={template.id} novalidate autoComplete="off">
        <Csrf />
        <input type="hidden" name="token" value={token} />
        {draft && (
          <>
            <input type="hidden" name="document" value={draft.id} />
            <input type="hidden" name="version" value={draft.version} />
          </>
        )}
        {/* Enter in a field presses the first button of a form. */}
        <button type="submit" class="unseen" name="do" value="continue" tabIndex={-1} aria-hidden="true" />
        {changes && <Changes {...props} changes={changes} />}
        <ErrorSummary labels={labelsOf(props)} heading={sending.errors} />
        <ContactList contacts={contacts} />
        <ol class="use-roles">
          {props.roles.map((row, i) => (
            <Role key={row.id} row={row} index={i} {...props} />
          ))}
        </ol>
        <SenderValues {...props} />
        <div class="draft-actions">
          <LinkButton href={base} kind="quiet" icon="arrow-left">
            {t.back}
          </LinkButton>
          <Button kind="primary" name="do" value="continue">
            {t.continue}
          </Button>
        </div>
      </form>
    </Layout>
  )
}

function Changes({ context, template, draft, changes }: Props & { changes: readonly string[] }) {
  const { changed } = context.texts.sending
  const actions = (
    <>
      <Button kind="primary" name="do" value="overwrite">
        {changed.mine}
      </Button>
      <LinkButton href={`${TEMPLATES_PATH}/${template.id}/use?document=${draft?.id}`}>{changed.theirs}</LinkButton>
    </>
  )
  return (
    <Callout tone="warn" role="alert" title={changed.heading} actions={actions}>
      <ul>
        {changes.map(change => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <p>{changed.kept}</p>
    </Callout>
  )
}

/** The names of the entries in messages, by their paths. */
function labelsOf({ context, roles, senderValues }: Props): Record<string, string> {
  const { people, fields } = context.texts.sending
  const of = (row: RoleRow, i: number): [string, string][] =>
    Object.entries({ name: people.name, email: people.email, accessCode: people.code }).map(([member, label]) => [
      `recipients[${i}].${member}`,
      roles.length > 1 ? `${row.roleName}, ${label}` : label,
    ])
  const ofValue = ({ field }: ValueRow): [string, string] => [`values.${field.id}`, labelOfField(field, fields)]
  return Object.fromEntries([
    ...roles.flatMap(of),
    ...roles.flatMap(({ values }) => values.map(ofValue)),
    ...senderValues.map(ofValue),
  ])
}

function Role(props: Props & { row: RoleRow; index: number }) {
  const { context, row, index, roles, me } = props
  const errors = useErrors()
  const { templates, sending } = context.texts
  const t = templates.use
  const path = `recipients[${index}]`
  const entries = { path, row, t: sending.people }
  const isOnly = roles.length === 1
  return (
    <li class="person" data-person={row.id}>
      <input type="hidden" name={`${path}.id`} value={row.id} />
      <fieldset>
        <legend>
          <Avatar name={row.roleName} index={index} />
          <span dir="auto">{row.roleName}</span>
          <span class="use-does">{templates.page.does[row.role]}</span>
        </legend>
        <div class="person-inputs">
          <NameEntry {...entries} focus={index === 0 && row.name === '' && errors.length === 0} />
          <EmailEntry {...entries} />
        </div>
        <div class="use-more">
          <Button
            kind="quiet"
            small
            icon="signature"
            name="do"
            value={`me:${row.id}`}
            data-me
            data-name={me.name}
            data-email={me.email}
          >
            {isOnly ? t.me : t.meFor(row.roleName)}
          </Button>
          <MoreEntries t={sending.people} isOpen={hasMore(row, row.hasCode, path, errors)}>
            <LanguageEntry {...entries} languages={props.languages} languageDefault={row.languageDefault} />
            <CodeEntry {...entries} hasCode={row.hasCode} />
            {(props.mayHandOut || row.deliverBy === 'link') && <DeliveryEntry {...entries} />}
            <DeviceKeyEntry {...entries} texts={context.texts.deviceKeys} inherited={context.texts.deviceKeys.asTemplate} />
          </MoreEntries>
        </div>
        <RoleValues {...props} />
      </fieldset>
    </li>
  )
}

/** Folded, unless the document cannot be made without them. */
function RoleValues({ context, row }: Props & { row: RoleRow }) {
  const errors = useErrors()
  const { use: t } = context.texts.templates
  const { values } = row
  if (values.length === 0) return null
  const isOpen = values.some(
    ({ field, value, isLocked }) =>
      (needsValue(field) && value === '') || isLocked || errors.some(e => e.path === `values.${field.id}`),
  )
  return (
    <details class="use-values" open={isOpen}>
      <summary>{t.fillIn(values.length)}</summary>
      <p class="hint">{values.every(({ field }) => field.readOnly) ? t.fillInFixed : t.fillInHint}</p>
      <div class="value-grid">
        {values.map(each => (
          <ValueEntry
            key={each.field.id}
            row={each}
            context={context}
            canLock={!each.field.readOnly}
            isNeeded={needsValue(each.field)}
          />
        ))}
      </div>
    </details>
  )
}

/** What the script needs to hide fields by their conditions. */
function conditionsOf(rows: readonly ValueRow[]): string {
  return JSON.stringify(rows.map(({ field: { id, type, name, showIf } }): ConditionalField => ({ id, type, name, showIf })))
}

function SenderValues({ context, senderValues }: Props) {
  const { use: t } = context.texts.templates
  if (senderValues.length === 0) return null
  return (
    <section class="use-sender" aria-labelledby="sender-values" data-fields={conditionsOf(senderValues)}>
      <h2 id="sender-values">{t.senderFields}</h2>
      <p class="hint">{t.senderHint}</p>
      <div class="value-grid">
        {senderValues.map(each => (
          <ValueEntry key={each.field.id} row={each} context={context} canLock={false} isNeeded={each.field.required} />
        ))}
      </div>
    </section>
  )
}
