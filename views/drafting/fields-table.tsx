/** Fields as a table of numbers: for browsers without a script, and for who prefers to type. */
import type { FieldRow } from '../../src/core/draft/field-rows.ts'
import { FIELD_TYPES, hasBoxes, MAX_FIELD_NAME } from '../../src/core/field/field.ts'
import { PLACE } from '../../src/core/field/geometry.ts'
import type { PageContext } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ariaOf, ErrorSummary, FieldError, useErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { type Conflict, ConflictCallout, DraftActions, DraftForm, DraftFrame, type DraftHead } from './draft-frame.tsx'
import {
  Choices,
  FIELD_NAMES,
  MAX_NUMBER_LENGTH,
  MORE_MEMBERS,
  MoreMembers,
  type RowProps,
  typeOf,
} from './fields-table-more.tsx'

export interface FieldsTableProps {
  context: PageContext
  draft: DraftHead
  rows: readonly FieldRow[]
  /** Those who can have fields. */
  people: readonly { id: string; name: string }[]
  sender: { id: string; name: string }
  pageCount: number
  conflict: Conflict | undefined
  /** Id of the field whose row takes the focus. */
  focus: string | undefined
}

export const FIELDS_FORM = 'fields'

/** The page of fields without the editor. */
export function FieldsTablePage(props: FieldsTableProps) {
  const { context, draft } = props
  return (
    <DraftFrame context={context} draft={draft} here="fields" form={FIELDS_FORM}>
      <h1>{context.texts.sending.fields.title}</h1>
      <FieldsTable {...props} />
    </DraftFrame>
  )
}

/** The form of the page of fields, with its table and its buttons. */
export function FieldsTable(props: FieldsTableProps) {
  const { context, draft, rows, people, conflict } = props
  const t = context.texts.sending.fields
  return (
    <DraftForm id={FIELDS_FORM} draft={draft} here="fields" texts={context.texts.sending.saving} class="fields-table">
      {conflict && <ConflictCallout context={context} conflict={conflict} draft={draft} here="fields" />}
      <ErrorSummary labels={labelsOf(rows, context)} heading={context.texts.sending.errors} />
      {people.length === 0 ? (
        <Callout tone="info" title={t.noPeople} actions={<LinkButton href={`${draft.base}/people`}>{t.toPeople}</LinkButton>} />
      ) : (
        <>
          <p>
            {t.tableHint}{' '}
            <a href={`${draft.base}/file?version=original`} target="_blank" rel="noreferrer">
              {t.openPdf}
            </a>
          </p>
          {rows.length === 0 && <p class="quiet">{t.none}</p>}
          <datalist id={FIELD_NAMES}>{rows.map(({ id, name }) => name !== '' && <option key={id} value={name} />)}</datalist>
          <ol class="field-rows">
            {rows.map((row, i) => (
              <Row key={row.id} row={row} index={i} {...props} />
            ))}
          </ol>
          <div class="row">
            <Button name="do" value="add" icon="plus">
              {t.add}
            </Button>
            <Button name="do" value="save" kind="quiet">
              {t.save}
            </Button>
          </div>
        </>
      )}
      <DraftActions context={context} back={`${draft.base}/people`}>
        <Button kind="primary" name="do" value="continue">
          {t.continue}
        </Button>
      </DraftActions>
    </DraftForm>
  )
}

const MEMBERS = ['type', 'recipientId', ...PLACE, 'label', 'options', ...MORE_MEMBERS] as const

function labelsOf(rows: readonly FieldRow[], { texts }: PageContext): Record<string, string> {
  const t = texts.sending.fields
  return Object.fromEntries(
    rows.flatMap((row, i) => [
      ...MEMBERS.map(member => [
        `fields[${i}].${member}`,
        `${t.number(i + 1)}, ${member === 'recipientId' ? t.person : t[member]}`,
      ]),
      ...row.choices.flatMap((_, k) =>
        (['value', ...PLACE] as const).map(member => {
          const name = member === 'value' ? t.choiceValue : t[member]
          return [`fields[${i}].choices[${k}].${member}`, `${t.number(i + 1)}, ${t.choice(k + 1)}, ${name}`]
        }),
      ),
    ]),
  )
}

function Row(props: RowProps) {
  const { context, row, index, people, sender, focus } = props
  const errors = useErrors()
  const t = context.texts.sending.fields
  const path = `fields[${index}]`
  const control = (member: string) => ({
    id: `${path}.${member}`,
    name: `${path}.${member}`,
    ...ariaOf(`${path}.${member}`, errors),
  })
  const box = (member: (typeof PLACE)[number]) => (
    <div key={member} class="field-number">
      <label for={`${path}.${member}`}>{t[member]}</label>
      <FieldError name={`${path}.${member}`} label={t[member]} />
      <input {...control(member)} value={row[member]} inputMode="decimal" maxLength={MAX_NUMBER_LENGTH} autoComplete="off" />
    </div>
  )
  return (
    <li id={row.id}>
      <input type="hidden" name={`${path}.id`} value={row.id} />
      <fieldset>
        <legend>{t.number(index + 1)}</legend>
        <div class="field-members">
          <div>
            <label for={`${path}.type`}>{t.type}</label>
            <FieldError name={`${path}.type`} label={t.type} />
            <select {...control('type')} {...(focus === row.id ? { autofocus: true } : {})}>
              {FIELD_TYPES.map(type => (
                <option key={type} value={type} selected={type === row.type}>
                  {t.types[type]}
                </option>
              ))}
            </select>
          </div>
          <div>
            <label for={`${path}.recipientId`}>{t.person}</label>
            <FieldError name={`${path}.recipientId`} label={t.person} />
            <select {...control('recipientId')}>
              {[...people, sender].map(({ id, name }) => (
                <option key={id} value={id} selected={id === row.recipientId}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          {!hasBoxes(typeOf(row)) && PLACE.map(box)}
          <TextMembers {...props} />
        </div>
        {hasBoxes(typeOf(row)) && row.choices.length > 0 && <Choices {...props} />}
        <MoreMembers {...props} />
      </fieldset>
      <Button kind="quiet" small iconOnly icon="trash-2" name="do" value={`remove:${row.id}`}>
        {t.removeWhich(index + 1)}
      </Button>
    </li>
  )
}

function TextMembers({ context, row, index }: RowProps) {
  const errors = useErrors()
  const t = context.texts.sending.fields
  const path = `fields[${index}]`
  return (
    <>
      <div>
        <label for={`${path}.label`}>{t.label}</label>
        <FieldError name={`${path}.label`} label={t.label} />
        <input
          id={`${path}.label`}
          name={`${path}.label`}
          value={row.label}
          maxLength={MAX_FIELD_NAME}
          {...ariaOf(`${path}.label`, errors)}
        />
      </div>
      {row.choices.length === 0 && (
        <div class="field-options">
          <label for={`${path}.options`}>{t.options}</label>
          <FieldError name={`${path}.options`} label={t.options} />
          <textarea
            id={`${path}.options`}
            name={`${path}.options`}
            rows={3}
            value={row.options}
            {...ariaOf(`${path}.options`, errors)}
          />
        </div>
      )}
      <label class="tick">
        <input type="checkbox" name={`${path}.required`} checked={row.required} />
        <span>{t.required}</span>
      </label>
    </>
  )
}
