/**
 * Bulk sending from a template: the list to fill in, and what was read from it, with questions,
 * errors and the first documents.
 */
import { Fragment } from 'preact'
import type { Delimiter, Encoding } from '../../src/core/csv/read.ts'
import { BATCHES_PATH, TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, ErrorSummary, FieldError, useErrors } from '../parts/form.tsx'
import { Pager } from '../parts/list.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { Cell, Facts, Table, TableHead } from '../parts/table.tsx'
import { BatchList, type BatchListProps } from './batch-list.tsx'
import { FileChoices, type ListReading, ReadingForm, ToDo, toDoOf } from './batch-reading.tsx'

/** The same error in one or more rows. */
export interface ErrorGroup {
  /** Such as `3, 22–31`. */
  lines: string
  /** Empty: the whole row. */
  column: string
  message: string
  /** Rows that have it. */
  count: number
  /** The first ones. */
  values: readonly string[]
  hasMoreValues: boolean
}

export interface PreviewDocument {
  line: number
  title: string
  people: readonly { name: string; email: string; role: string }[]
  values: readonly [label: string, value: string][]
}

export interface SendQuestion {
  name: 'leaveOut' | 'repeats' | 'again'
  text: string
  items: readonly string[]
}

/** A file that can be read. */
export interface ReadList extends ListReading {
  /** Rows, without the example. */
  total: number
  errors: readonly ErrorGroup[]
  /** Those that are not shown. */
  moreErrors: number
  faultyRows: number
  preview: readonly PreviewDocument[]
  good: number
  sendQuestions: readonly SendQuestion[]
  /** Questions about addresses, which nobody has to answer. */
  typos: readonly string[]
}

export interface UnreadableList {
  unreadable: string
  encoding: Encoding | undefined
  delimiter: Delimiter | undefined
}

interface BatchDraftProps {
  context: PageContext
  batch: { id: string; title: string; templateId: string }
  templateTitle: string
  /** A sentence if the file cannot be read with the choices that were made. */
  list: ReadList | UnreadableList
  /** The same rows were sent before. `id`: of the batch, if the user may see it. */
  sentBefore: { id: string | undefined; when: string; who: string; unsent: number } | undefined
  /** Which way of reading the page shows. */
  reading: string
  /** Names of the boxes that were ticked when the form was sent. */
  ticked: readonly string[]
  notice: string | undefined
}

export function BatchDraftPage(props: BatchDraftProps) {
  const { context, batch, list, notice, templateTitle } = props
  const t = context.texts.batches.draft
  const bulk = `${TEMPLATES_PATH}/${batch.templateId}/bulk`
  return (
    <Layout context={context} section={TEMPLATES_PATH}>
      <PageHead
        title={t.title}
        back={{ href: `${TEMPLATES_PATH}/${batch.templateId}`, text: templateTitle }}
        actions={
          <>
            <LinkButton href={bulk} icon="upload">
              {t.other}
            </LinkButton>
            <Discard {...props} />
          </>
        }
      >
        <p class="quiet break" dir="auto">
          {'total' in list ? t.about(batch.title, list.total) : batch.title}
          {'faultyRows' in list && list.faultyRows > 0 && (
            <>
              {' · '}
              <a href="#errors-title">{t.errors(list.faultyRows)}</a>
            </>
          )}
        </p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary />
      {'unreadable' in list ? <Unreadable {...props} list={list} /> : <Read {...props} list={list} />}
    </Layout>
  )
}

type With<L> = Omit<BatchDraftProps, 'list'> & { list: L }

function Discard({ context, batch }: BatchDraftProps) {
  const { batches, frame } = context.texts
  const t = batches.draft
  return (
    <Dialog id="discard" title={t.discardTitle} trigger={t.discard} kind="quiet" close={frame.cancel}>
      <form method="post" action={`${BATCHES_PATH}/${batch.id}/discard`}>
        <Csrf />
        <p>{t.discardText}</p>
        <DialogActions>
          <Button kind="danger">{t.discard}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Unreadable(props: With<UnreadableList>) {
  const { context, batch, list } = props
  const t = context.texts.batches.draft
  return (
    <>
      <Callout tone="bad" title={t.wrong} role="alert">
        <p>{`${context.texts.batches.file} ${list.unreadable}.`}</p>
      </Callout>
      <form method="post" action={`${BATCHES_PATH}/${batch.id}/reading`} class="sheet">
        <Csrf />
        <FileChoices context={context} {...list} />
        <div class="form-actions">
          <Button kind="primary">{t.apply}</Button>
        </div>
      </form>
    </>
  )
}

function Read(props: With<ReadList>) {
  const { list, context, batch } = props
  const t = context.texts.batches.draft
  const isSettled = toDoOf(props).length === 0
  const reading = { context, list, batchId: batch.id }
  return (
    <>
      <ToDo {...reading} />
      <ReadingForm {...reading} />
      {list.total === 0 ? (
        <EmptyState icon="list" title={t.noRows}>
          {t.noRowsText}
        </EmptyState>
      ) : (
        <>
          {list.errors.length > 0 && list.missing.length === 0 && <Errors {...props} />}
          {list.preview.length > 0 && <Preview {...props} />}
          <Sending {...props} isSettled={isSettled} />
        </>
      )}
    </>
  )
}

function Errors({ context, batch, list }: With<ReadList>) {
  const t = context.texts.batches.draft
  return (
    <section aria-labelledby="errors-title">
      <h2 id="errors-title">{t.errors(list.faultyRows)}</h2>
      <p>{t.errorsText}</p>
      <Table label={t.errors(list.faultyRows)} class="stack bulk-errors">
        <TableHead columns={[t.line, t.column, t.value, t.error]} />
        <tbody>
          {list.errors.map(({ lines, column, message, ...values }) => (
            <tr key={`${column} ${message}`}>
              <Cell label={t.line}>{lines}</Cell>
              <Cell label={t.column} class="break">
                {column === '' ? <span class="quiet">{t.wholeRow}</span> : <span dir="auto">{column}</span>}
              </Cell>
              <Cell label={t.value} class="break">
                {column === '' ? '–' : <Values {...values} empty={t.empty} />}
              </Cell>
              <Cell label={t.error} class="break">
                {message}
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
      {list.moreErrors > 0 && <p class="quiet">{t.moreErrors(list.moreErrors)}</p>}
      <p>
        <LinkButton href={`${BATCHES_PATH}/${batch.id}/errors.csv`} icon="download" download>
          {t.downloadErrors}
        </LinkButton>
      </p>
    </section>
  )
}

function Values({ values, hasMoreValues, empty }: Pick<ErrorGroup, 'values' | 'hasMoreValues'> & { empty: string }) {
  return (
    <>
      {values.map((value, i) => (
        <Fragment key={value}>
          {i > 0 && ', '}
          {value === '' ? <span class="quiet">{empty}</span> : <span dir="auto">{value}</span>}
        </Fragment>
      ))}
      {hasMoreValues && ' …'}
    </>
  )
}

function Preview({ context, list }: With<ReadList>) {
  const t = context.texts.batches.draft
  return (
    <section aria-labelledby="preview-title">
      <h2 id="preview-title">{t.preview}</h2>
      <ul class="bulk-preview">
        {list.preview.map(({ line, title, people, values }) => (
          <li key={line} class="sheet">
            <p class="small quiet">{t.previewLine(line)}</p>
            <h3 class="break" dir="auto">
              {title}
            </h3>
            <ul class="bulk-people">
              {people.map(({ name, email, role }, i) => (
                <li key={role}>
                  <Avatar name={name} index={i} />
                  <span class="break">
                    <span class="quiet small" dir="auto">
                      {role}
                    </span>
                    <br />
                    <span dir="auto">{name}</span>
                    <br />
                    <span class="quiet small">{email}</span>
                  </span>
                </li>
              ))}
            </ul>
            {values.length > 0 ? <Facts facts={values} /> : <p class="quiet">{t.noValues}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Each question has its own tick: nothing is left out or sent again by mistake. */
function Sending(props: With<ReadList> & { isSettled: boolean }) {
  const { context, batch, list, sentBefore, reading, ticked, isSettled } = props
  const t = context.texts.batches.draft
  if (!isSettled || list.good === 0)
    return (
      <section aria-labelledby="send-title">
        <h2 id="send-title">{t.send}</h2>
        <p class="quiet">{isSettled ? t.nothingGood : t.answerFirst}</p>
      </section>
    )
  const again = sentBefore ? [{ name: 'again' as const, text: t.again, items: [] }] : []
  return (
    <section aria-labelledby="send-title">
      <h2 id="send-title">{t.send}</h2>
      <form method="post" action={`${BATCHES_PATH}/${batch.id}/send`} class="sheet">
        <Csrf />
        <input type="hidden" name="reading" value={reading} />
        {sentBefore && (
          <Callout tone="warn" title={t.againTitle}>
            <p>
              {t.againText(sentBefore.when, sentBefore.who)} {sentBefore.unsent > 0 && `${t.againUnsent(sentBefore.unsent)} `}
              {sentBefore.id !== undefined && <a href={`${BATCHES_PATH}/${sentBefore.id}`}>{t.againLink}</a>}
            </p>
          </Callout>
        )}
        {list.typos.length > 0 && (
          <Callout tone="warn" title={t.typosTitle}>
            <ul>
              {list.typos.map(typo => (
                <li key={typo} class="break">
                  {typo}
                </li>
              ))}
            </ul>
            <p>{t.typosText}</p>
          </Callout>
        )}
        {[...list.sendQuestions, ...again].map(question => (
          <SendTick key={question.name} question={question} isTicked={ticked.includes(question.name)} />
        ))}
        <div class="form-actions">
          <Button kind="primary" icon="send">
            {list.faultyRows > 0 ? t.sendGood(list.good) : t.sendAll(list.good)}
          </Button>
        </div>
        <p class="small quiet">{t.mails}</p>
      </form>
    </section>
  )
}

interface SendTickProps {
  question: SendQuestion
  isTicked: boolean
}

function SendTick({ question, isTicked }: SendTickProps) {
  const { name, text, items } = question
  const isInvalid = useErrors().some(({ path }) => path === name)
  return (
    <div class="bulk-question">
      <FieldError name={name} />
      <label class="tick">
        <input
          type="checkbox"
          id={name}
          name={name}
          checked={isTicked}
          {...(isInvalid ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` } : {})}
        />
        <span>{text}</span>
      </label>
      {items.length > 0 && (
        <ul class="small quiet bulk-repeats">
          {items.map(item => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

// Bulk sending from a template: the list to fill in, and the file that was filled in.

interface BulkProps {
  context: PageContext
  template: { id: string; title: string }
  columns: readonly { title: string; isRequired: boolean }[]
  /** The column that gives each document its title. */
  titleColumn: string
  /** For the title of the template; none if it has one. */
  placeholders: readonly string[]
  maxRows: number
  maxBytes: number
  notice: string | undefined
  list: BatchListProps['batches']
  older: string | undefined
}

export function BulkPage(props: BulkProps) {
  const { context, template, notice } = props
  const { batches } = context.texts
  const t = batches.upload
  const base = `${TEMPLATES_PATH}/${template.id}`
  return (
    <Layout context={context} section={TEMPLATES_PATH}>
      <PageHead title={<span dir="auto">{t.title(template.title)}</span>} back={{ href: base, text: template.title }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={{ file: batches.file }} />
      <Steps {...props} />
      {props.list.length > 0 && (
        <section aria-labelledby="batches-title">
          <h2 id="batches-title">{batches.list.title}</h2>
          <BatchList context={context} batches={props.list} />
          <Pager next={{ href: props.older, text: batches.list.more }} />
        </section>
      )}
    </Layout>
  )
}

function Steps({ context, template, columns, titleColumn, placeholders, maxRows, maxBytes }: BulkProps) {
  const { batches } = context.texts
  const t = batches.upload
  const base = `${TEMPLATES_PATH}/${template.id}/bulk`
  return (
    <ol class="bulk-steps">
      <li>
        <h2>{t.getTitle}</h2>
        <p>{t.getText}</p>
        <p>
          <LinkButton href={`${base}/list.csv`} icon="download" download>
            {t.get}
          </LinkButton>
        </p>
        <details class="bulk-columns">
          <summary>
            {t.columns} ({columns.length})
          </summary>
          <ul>
            {columns.map(({ title, isRequired }) => (
              <li key={title}>
                <span dir="auto">{title}</span> {isRequired && <span class="quiet">({t.required})</span>}
              </li>
            ))}
          </ul>
        </details>
        <p class="hint break">
          {t.titleColumn(titleColumn)} {placeholders.length > 0 && t.sameTitle(template.title, placeholders)}
        </p>
      </li>
      <li>
        <h2>{t.chooseTitle}</h2>
        <form method="post" action={base} enctype="multipart/form-data">
          <Csrf />
          <FileDrop
            label={t.drop}
            hint={t.hint(maxRows, maxBytes / 1e6)}
            choose={t.choose}
            drop=""
            accept=".csv,.txt,.tsv,text/csv,text/tab-separated-values,text/plain"
            subject={batches.file}
            isWholePage
          />
          <p>
            <Button kind="primary">{t.submit}</Button>
          </p>
          <p class="small quiet">{t.nothingYet}</p>
        </form>
      </li>
    </ol>
  )
}
