/** The page of people: one row for each, and in which order they get the document. */
import { DEFAULT_ROLE, type RecipientRow } from '../../src/core/recipient-rows.ts'
import { ROLES, type SigningOrder } from '../../src/core/routing.ts'
import type { SendingTexts } from '../../src/locales/en/app/sending.ts'
import type { PageContext, PageUser } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ariaOf, ErrorSummary, FieldError, type ValidationErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Callout } from '../parts/notice.tsx'
import { type Conflict, ConflictCallout, DraftActions, DraftForm, DraftFrame, type DraftHead } from './draft-frame.tsx'

export interface PersonRow extends RecipientRow {
  hasCode: boolean
  fieldCount: number
}

interface Props {
  context: PageContext
  user: PageUser
  draft: DraftHead
  rows: readonly PersonRow[]
  /** An empty row, from which the script makes more. */
  blank: PersonRow
  signingOrder: SigningOrder
  /** The sender, unless they are among the people. */
  me: { name: string; email: string } | undefined
  contacts: readonly { name: string; email: string; locale?: string | undefined }[]
  languages: readonly { value: string; text: string }[]
  /** The language of the document, in its own words. */
  languageDefault: string
  /** Codes of what was found in the PDF. */
  warnings: readonly string[]
  errors: ValidationErrors
  conflict: Conflict | undefined
  /** Id of the person whose removal needs a confirmation. */
  removing: string | undefined
  /** Id of the row whose name takes the focus. */
  focus: string | undefined
}

const FORM = 'people'

export function DraftPeoplePage(props: Props) {
  const { context, user, draft, rows, blank, contacts, errors, conflict } = props
  const t = context.texts.sending
  return (
    <DraftFrame context={context} user={user} draft={draft} here="people" form={FORM} errors={errors}>
      <h1>{t.people.title}</h1>
      <Warnings codes={props.warnings} texts={t} />
      <DraftForm id={FORM} csrf={user.csrf} draft={draft} here="people" texts={{ ...t.saving, ...t.people.script }}>
        {conflict && <ConflictCallout context={context} conflict={conflict} draft={draft} here="people" />}
        <RemovalQuestion {...props} />
        <ErrorSummary errors={errors} labels={labelsOf(rows, t)} heading={t.errors} />
        <datalist id="contacts">
          {contacts.map(({ name, email, locale }) => (
            <option key={email} value={`${name} <${email}>`} data-email={email} data-name={name} data-locale={locale} />
          ))}
        </datalist>
        <ol class={rows.length > 1 ? 'people several' : 'people'} data-people>
          {rows.map((row, i) => (
            <Row key={row.id} row={row} index={i} total={rows.length} {...props} />
          ))}
        </ol>
        <template data-blank-row>
          <Row row={blank} index={rows.length} total={2} {...props} errors={[]} focus={undefined} />
        </template>
        <div class="row">
          <Button name="do" value="add" icon="plus" data-add-row>
            {t.people.add}
          </Button>
          {props.me && (
            <Button
              name="do"
              value="me"
              kind="quiet"
              icon="signature"
              data-add-me
              data-name={props.me.name}
              data-email={props.me.email}
            >
              {t.people.addMe}
            </Button>
          )}
        </div>
        <OrderChoice {...props} />
        <DraftActions context={context} back={`/documents/${draft.id}`}>
          <Button kind="primary" name="do" value="continue">
            {t.people.continue}
          </Button>
        </DraftActions>
      </DraftForm>
    </DraftFrame>
  )
}

/** A person's fields go with them, so a person with fields is not removed by one press. */
function RemovalQuestion({ context, draft, rows, removing }: Props) {
  const index = rows.findIndex(({ id }) => id === removing)
  const row = rows[index]
  if (!row) return null
  const { sending: t } = context.texts
  const actions = (
    <>
      <Button kind="danger" name="do" value={`removeAll:${row.id}`}>
        {t.people.removeAll}
      </Button>
      <LinkButton href={`/documents/${draft.id}/people`}>{t.people.keep}</LinkButton>
    </>
  )
  return (
    <Callout tone="warn" role="alert" title={t.people.removeTitle(nameOfRow(row, index, t))} actions={actions}>
      <p>{t.people.removeText(row.fieldCount)}</p>
    </Callout>
  )
}

function Warnings({ codes, texts: { warnings } }: { codes: readonly string[]; texts: SendingTexts }) {
  const sentences = codes.flatMap(code => warnings.all[code] ?? [])
  if (sentences.length === 0) return null
  return (
    <Callout tone="info" title={warnings.heading}>
      <ul>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Callout>
  )
}

export function nameOfRow({ name, email }: Pick<RecipientRow, 'name' | 'email'>, index: number, t: SendingTexts): string {
  return name.trim() || email.trim() || t.people.someone(index + 1)
}

function labelsOf(rows: readonly PersonRow[], t: SendingTexts): Record<string, string> {
  const members = {
    name: t.people.name,
    email: t.people.email,
    accessCode: t.people.code,
    order: t.people.order,
    role: t.people.role,
  }
  return Object.fromEntries(
    rows.flatMap((_, i) =>
      Object.entries(members).map(([member, label]) => [
        `recipients[${i}].${member}`,
        rows.length > 1 ? `${t.people.person(i + 1)}, ${label}` : label,
      ]),
    ),
  )
}

type RowProps = Omit<Props, 'draft' | 'rows' | 'blank' | 'signingOrder'> & { row: PersonRow; index: number; total: number }

function Row(props: RowProps) {
  const { context, row, index, total, errors, focus } = props
  const t = context.texts.sending
  const path = `recipients[${index}]`
  const name = nameOfRow(row, index, t)
  const input = (member: 'name' | 'email') => ({
    id: `${path}.${member}`,
    name: `${path}.${member}`,
    value: row[member],
    list: 'contacts',
    maxLength: member === 'name' ? 2000 : 5000,
    autoComplete: 'off',
    ...ariaOf(`${path}.${member}`, errors),
  })
  return (
    <li class="person" data-person={row.id}>
      <input type="hidden" name={`${path}.id`} value={row.id} />
      <fieldset>
        <legend>
          <Avatar name={row.name} index={index} />
          <span data-person-number>{t.people.person(index + 1)}</span>
        </legend>
        <div class="person-inputs">
          <div>
            <label for={`${path}.name`}>{t.people.name}</label>
            <FieldError name={`${path}.name`} label={t.people.name} errors={errors} />
            <input {...input('name')} {...{ dir: 'auto' }} {...(focus === row.id ? { autofocus: true } : {})} />
          </div>
          <div>
            <label for={`${path}.email`}>{t.people.email}</label>
            <FieldError name={`${path}.email`} label={t.people.email} errors={errors} />
            <input {...input('email')} inputMode="email" autoCapitalize="none" spellcheck={false} />
          </div>
          <div class="person-order">
            <label for={`${path}.order`}>{t.people.order}</label>
            <input
              id={`${path}.order`}
              name={`${path}.order`}
              value={row.order}
              inputMode="numeric"
              maxLength={3}
              {...ariaOf(`${path}.order`, errors)}
            />
          </div>
        </div>
        <More {...props} path={path} />
      </fieldset>
      <RowTools row={row} name={name} index={index} total={total} t={t} />
    </li>
  )
}

function More({ context, row, errors, languages, languageDefault, path }: RowProps & { path: string }) {
  const t = context.texts.sending.people
  const isOpen =
    row.role !== DEFAULT_ROLE ||
    row.locale !== '' ||
    row.accessCode !== '' ||
    row.hasCode ||
    errors.some(e => /Code|role|locale/.test(e.path))
  return (
    <details class="person-more" open={isOpen}>
      <summary>{t.more}</summary>
      <div class="person-options">
        <div>
          <label for={`${path}.role`}>{t.role}</label>
          <FieldError name={`${path}.role`} label={t.role} errors={errors} />
          <select id={`${path}.role`} name={`${path}.role`} {...ariaOf(`${path}.role`, errors)}>
            {ROLES.map(role => (
              <option key={role} value={role} selected={role === row.role}>
                {t.roles[role]}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for={`${path}.locale`}>{t.language}</label>
          <select id={`${path}.locale`} name={`${path}.locale`}>
            <option value="">{t.languageDefault(languageDefault)}</option>
            {languages.map(({ value, text }) => (
              <option key={value} value={value} lang={value} selected={value === row.locale}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for={`${path}.accessCode`}>{t.code}</label>
          <div class="hint" id={`${path}.accessCode-hint`}>
            {row.hasCode ? t.codeSet : t.codeHint}
          </div>
          <FieldError name={`${path}.accessCode`} label={t.code} errors={errors} />
          <input
            id={`${path}.accessCode`}
            name={`${path}.accessCode`}
            value={row.accessCode}
            maxLength={100}
            autoComplete="off"
            {...ariaOf(`${path}.accessCode`, errors, t.codeHint)}
          />
          {row.hasCode && (
            <label class="tick">
              <input type="checkbox" name={`${path}.removesCode`} checked={row.removesCode} />
              <span>{t.codeRemove}</span>
            </label>
          )}
        </div>
      </div>
    </details>
  )
}

function RowTools({
  row,
  name,
  index,
  total,
  t,
}: {
  row: PersonRow
  name: string
  index: number
  total: number
  t: SendingTexts
}) {
  const tool = (act: string) => ({ name: 'do', value: `${act}:${row.id}`, 'data-row-act': act })
  return (
    <div class="person-tools">
      <span class="grip" aria-hidden="true">
        <Icon name="grip-vertical" />
      </span>
      <span class="person-moves">
        <Button kind="quiet" small iconOnly icon="arrow-up" disabled={index === 0} {...tool('up')}>
          {t.people.upWho(name)}
        </Button>
        <Button kind="quiet" small iconOnly icon="arrow-down" disabled={index === total - 1} {...tool('down')}>
          {t.people.downWho(name)}
        </Button>
      </span>
      <Button kind="quiet" small iconOnly icon="x" class="person-remove" {...tool('remove')} data-fields={row.fieldCount}>
        {t.people.removeWho(name)}
      </Button>
    </div>
  )
}

function OrderChoice({ context, signingOrder }: Props) {
  const t = context.texts.sending.people
  const choice = (value: SigningOrder, text: string) => (
    <label class="tick">
      <input type="radio" name="signingOrder" value={value} checked={signingOrder === value} />
      <span>{text}</span>
    </label>
  )
  return (
    <fieldset class="people-order">
      <legend>{t.orderLegend}</legend>
      {choice('parallel', t.parallel)}
      {choice('sequential', t.sequential)}
      <div class="hint people-order-hint">{t.orderHint}</div>
    </fieldset>
  )
}
