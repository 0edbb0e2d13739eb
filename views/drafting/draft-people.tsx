/** The page of people: one row for each, and in which order they get the document. */
import type { ComponentProps } from 'preact'
import { DEFAULT_ROLE, type RecipientRow } from '../../src/core/draft/recipient-rows.ts'
import { ROLES, type SigningOrder } from '../../src/core/signing/routing.ts'
import type { SendingTexts } from '../../src/locales/en/app/sending.ts'
import type { PageContext } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ariaOf, ErrorSummary, FieldError, useAria, useErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { type Conflict, ConflictCallout, DraftActions, DraftForm, DraftFrame, type DraftHead } from './draft-frame.tsx'
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
  VerifyEntry,
} from './person-entries.tsx'

export interface PersonRow extends RecipientRow {
  hasCode: boolean
  fieldCount: number
}

interface Props extends Languages {
  context: PageContext
  draft: DraftHead
  rows: readonly PersonRow[]
  /** They are roles of a template: each has a name in place of a person. */
  isRoles: boolean
  signingOrder: SigningOrder
  /** Links can be handed out in place of e-mails. */
  mayHandOut: boolean
  /** The sender, unless they are among the people. */
  me: { name: string; email: string } | undefined
  contacts: readonly Contact[]
  notice: string | undefined
  savedNotice: string | undefined
  announcement: string | undefined
  /** What was found in the PDF, or in which of the joined files. */
  warnings: readonly PdfFinding[]
  conflict: Conflict | undefined
  /** Id of the person whose removal needs a confirmation. */
  removing: string | undefined
  /** Id of the row whose name takes the focus. */
  focus: string | undefined
}

const FORM = 'people'

export function DraftPeoplePage(props: Props) {
  const { context, draft, rows, contacts, conflict } = props
  const t = context.texts.sending
  return (
    <DraftFrame {...props} here="people" form={FORM}>
      <Notice text={props.notice} />
      <h1>{t.people.title}</h1>
      <Warnings found={props.warnings} texts={t} />
      <DraftForm id={FORM} draft={draft} here="people" texts={t.saving}>
        {conflict && <ConflictCallout context={context} conflict={conflict} draft={draft} here="people" />}
        <RemovalQuestion {...props} />
        <ErrorSummary labels={labelsOf(rows, t, context.texts.deviceKeys.label)} heading={t.errors} />
        <ContactList contacts={contacts} />
        <ol id="rows" class={rows.length > 1 ? 'people several' : 'people'} data-people>
          {rows.map((row, i) => (
            <Row key={row.id} row={row} index={i} total={rows.length} {...props} />
          ))}
        </ol>
        <div class="row">
          <Button name="do" value="add" icon="plus">
            {t.people.add}
          </Button>
          {props.me && (
            <Button name="do" value="me" kind="quiet" icon="signature">
              {t.people.addMe}
            </Button>
          )}
        </div>
        <OrderChoice {...props} />
        <DraftActions context={context} back={draft.base}>
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
      <LinkButton href={`${draft.base}/people`}>{t.people.keep}</LinkButton>
    </>
  )
  return (
    <div id="removal" tabIndex={-1}>
      <Callout tone="warn" role="alert" title={t.people.removeTitle(nameOfRow(row, index, t))} actions={actions}>
        <p>{t.people.removeText(row.fieldCount)}</p>
      </Callout>
    </div>
  )
}

export interface PdfFinding {
  code: string
  /** Names of joined files. */
  files: readonly string[]
}

function Warnings({ found, texts: { warnings } }: { found: readonly PdfFinding[]; texts: SendingTexts }) {
  const sentences = found.flatMap(({ code, files }) => {
    const sentence = warnings.all[code]
    return sentence === undefined ? [] : [files.length > 0 ? `${files.join(', ')}: ${sentence}` : sentence]
  })
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

function labelsOf(rows: readonly PersonRow[], t: SendingTexts, deviceKey: string): Record<string, string> {
  const members = {
    name: t.people.name,
    email: t.people.email,
    accessCode: t.people.code,
    verify: t.people.verify,
    deliverBy: t.people.delivery,
    deviceKey,
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

type RowProps = Omit<Props, 'draft' | 'rows' | 'signingOrder'> & { row: PersonRow; index: number; total: number }

function Row(props: RowProps) {
  const { context, row, index, total, focus, isRoles } = props
  const t = context.texts.sending
  const path = `recipients[${index}]`
  const name = nameOfRow(row, index, t)
  const entries = { path, row, t: t.people }
  return (
    <li class="person" id={row.id} data-person>
      <input type="hidden" name={`${path}.id`} value={row.id} />
      <fieldset>
        <legend>
          <Avatar name={row.name} index={index} />
          <span>{t.people.person(index + 1)}</span>
        </legend>
        <div class="person-inputs">
          <NameEntry {...entries} isRole={isRoles} focus={focus === row.id} />
          {!isRoles && <EmailEntry {...entries} />}
          <div class="person-order">
            <label for={`${path}.order`}>{t.people.order}</label>
            <FieldError name={`${path}.order`} label={t.people.order} />
            <input
              id={`${path}.order`}
              name={`${path}.order`}
              value={row.order}
              inputMode="numeric"
              maxLength={3}
              {...useAria(`${path}.order`)}
            />
          </div>
        </div>
        <More {...props} entries={entries} />
      </fieldset>
      <RowTools row={row} name={name} index={index} total={total} t={t} />
    </li>
  )
}

function More({
  context,
  row,
  languages,
  languageDefault,
  isRoles,
  mayHandOut,
  entries,
}: RowProps & { entries: ComponentProps<typeof EmailEntry> }) {
  const { path, t } = entries
  const errors = useErrors()
  const isOpen = row.role !== DEFAULT_ROLE || hasMore(row, row.hasCode, path, errors)
  const roleAndLanguage = (
    <>
      <div>
        <label for={`${path}.role`}>{t.role}</label>
        <FieldError name={`${path}.role`} label={t.role} />
        <select id={`${path}.role`} name={`${path}.role`} {...ariaOf(`${path}.role`, errors)}>
          {ROLES.map(role => (
            <option key={role} value={role} selected={role === row.role}>
              {t.roles[role]}
            </option>
          ))}
        </select>
      </div>
      <LanguageEntry {...entries} languages={languages} languageDefault={languageDefault} />
    </>
  )
  const { deviceKeys } = context.texts
  // A role has little else.
  if (isRoles)
    return (
      <div class="person-options">
        {roleAndLanguage}
        <VerifyEntry {...entries} />
        <DeviceKeyEntry {...entries} texts={deviceKeys} inherited={deviceKeys.asTemplate} />
      </div>
    )
  return (
    <MoreEntries t={t} isOpen={isOpen}>
      {roleAndLanguage}
      <CodeEntry {...entries} hasCode={row.hasCode} />
      <VerifyEntry {...entries} />
      {(mayHandOut || row.deliverBy === 'link') && <DeliveryEntry {...entries} />}
      <DeviceKeyEntry {...entries} texts={deviceKeys} inherited={deviceKeys.asDocument} />
    </MoreEntries>
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
  const tool = (act: string) => ({ name: 'do', value: `${act}:${row.id}` })
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
      <Button kind="quiet" small iconOnly icon="x" class="person-remove" {...tool('remove')}>
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
