/**
 * Facts about a document, what people entered in it, and the questions before it is voided, deleted
 * or labelled.
 */
import { type Document, fileNamesOf } from '../../src/core/document/document.ts'
import { MAX_LABEL_LENGTH, MAX_LABELS, MAX_REASON } from '../../src/core/document/document-limits.ts'
import { MAX_HOLD_REASON } from '../../src/core/document/retention.ts'
import { DOCUMENTS_PATH } from '../../src/core/page-paths.ts'
import type { PageContext } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { Csrf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { useOpens } from '../parts/page-texts.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import { actsOn } from './document-words.ts'

type Texts = PageContext['texts']['documents']

interface DetailsProps {
  document: Document
  /** Of the fields that the sender filled in. */
  values: readonly FieldValue[] | undefined
  texts: Texts
}

export function Details({ document, values, texts }: DetailsProps) {
  const { page } = texts
  return (
    <section id="details" data-live-part aria-labelledby="details-title">
      <h2 id="details-title">{page.details}</h2>
      {document.message && (
        <figure class="message">
          <figcaption>{page.message}</figcaption>
          <blockquote dir="auto">{document.message}</blockquote>
        </figure>
      )}
      <Facts facts={factsOf(document, texts)} />
      <FieldValues values={values} summary={page.senderEntries} />
      <details class="small">
        <summary>{page.facts.id}</summary>
        <Facts facts={fingerprintsOf(document, texts)} />
      </details>
    </section>
  )
}

function factsOf(document: Document, texts: Texts): Fact[] {
  const { facts, order } = texts.page
  const { reminders, recipients } = document
  const time = (at: Date | undefined) => at && <Moment at={at} exact />
  const expires = document.status === 'sent' || document.status === 'expired' ? document.expiresAt : undefined
  const all: [string, Fact[1]][] = [
    [facts.file, <span dir="auto">{`${fileNamesOf(document)}, ${facts.pages(document.pageCount)}`}</span>],
    [facts.order, recipients.length > 1 && order[document.signingOrder]],
    [
      facts.reminders,
      document.status === 'sent' &&
        (reminders ? facts.remindersAre(reminders.firstAfterDays, reminders.everyDays, reminders.max) : facts.noReminders),
    ],
    [facts.created, time(document.createdAt)],
    [facts.sent, time(document.sentAt)],
    [facts.expires, time(expires)],
    [facts.completed, time(document.completedAt)],
    ...Object.entries(document.metadata).map(([key, value]): [string, Fact[1]] => [key, <span dir="auto">{value}</span>]),
  ]
  return all.filter(([, value]) => Boolean(value))
}

function fingerprintsOf(document: Document, { page: { facts } }: Texts): Fact[] {
  const code = (text: string | undefined) => text && <code class="break">{text}</code>
  const all: [string, Fact[1]][] = [
    [facts.id, code(document.id)],
    [facts.original, code(document.sha256Original)],
    [facts.sealed, code(document.sha256Sealed)],
    [facts.level, document.sealLevel ?? (document.sha256Sealed && facts.noLevel)],
  ]
  return all.filter(([, value]) => Boolean(value))
}

interface DialogProps {
  document: Document
  context: PageContext
  open: string | undefined
}

/** Not updated with the page: what was typed stays. */
export function Dialogs({ document, context, open }: DialogProps) {
  const { documents: texts, frame, retention } = context.texts
  const { hold } = retention
  const { page } = texts
  const base = `${DOCUMENTS_PATH}/${document.id}`
  const may = actsOn(document, useOpens())
  const shared = (id: string) => ({ id, close: frame.cancel, isOpen: open === id })
  return (
    <div class="dialogs">
      {may.edit && (
        <Dialog {...shared('labels')} title={page.labels}>
          <form method="post" action={`${base}/labels`}>
            <Csrf />
            <label for="labels-text">{page.labels}</label>
            <div class="hint" id="labels-hint">
              {page.labelsHint}
            </div>
            <input
              id="labels-text"
              name="labels"
              value={document.labels.join(', ')}
              maxLength={MAX_LABELS * (MAX_LABEL_LENGTH + 2)}
              aria-describedby="labels-hint"
              autoComplete="off"
              dir="auto"
            />
            <DialogActions>
              <Button>{page.saveLabels}</Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
      {may.hold && (
        <Dialog {...shared('hold')} title={document.heldAt ? hold.lift : hold.set}>
          <HoldForm document={document} texts={hold} />
        </Dialog>
      )}
      {may.void && (
        <Dialog {...shared('void')} title={page.voidTitle}>
          <form method="post" action={`${base}/void`}>
            <Csrf />
            <p>{page.voidText}</p>
            <label for="void-reason">{page.voidReason}</label>
            <div class="hint" id="void-hint">
              {page.voidReasonHint}
            </div>
            <textarea
              id="void-reason"
              name="reason"
              rows={3}
              maxLength={MAX_REASON}
              required
              aria-describedby="void-hint"
              dir="auto"
            />
            <DialogActions>
              <Button kind="danger">{page.voidTitle}</Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
      {(may.delete || may.void || may.retrySealing) && (
        <Dialog {...shared('delete')} title={page.deleteTitle}>
          <form method="post" action={`${base}/delete`}>
            <Csrf />
            <p>{page.deleteText}</p>
            <DialogActions>
              <Button kind="danger">{page.deleteNow}</Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
    </div>
  )
}

interface HoldProps {
  document: Document
  texts: PageContext['texts']['retention']['hold']
}

function HoldForm({ document, texts: t }: HoldProps) {
  const isHeld = document.heldAt !== undefined
  return (
    <form method="post" action={`${DOCUMENTS_PATH}/${document.id}/${isHeld ? 'lift-hold' : 'hold'}`}>
      <Csrf />
      <p>{isHeld ? t.liftText : t.setText}</p>
      <label for="hold-reason">{t.reason}</label>
      <div class="hint" id="hold-hint">
        {isHeld ? t.liftReasonHint : t.reasonHint}
      </div>
      <textarea
        id="hold-reason"
        name="reason"
        rows={3}
        maxLength={MAX_HOLD_REASON}
        required
        aria-describedby="hold-hint"
        dir="auto"
      />
      <DialogActions>
        <Button kind={isHeld ? 'danger' : 'primary'}>{isHeld ? t.lift : t.set}</Button>
      </DialogActions>
    </form>
  )
}

// What a person entered in the fields of a document, below a line that says how much it is.

export interface FieldValue {
  label: string
  text: string
  /** Set where the text is the name of a file. */
  file?: ShownFile
}

interface ShownFile {
  href: string
  size: string
  sha256: string
  warning: string | undefined
}

interface FieldValuesProps {
  values: readonly FieldValue[] | undefined
  summary: (count: number) => string
}

export function FieldValues({ values = [], summary }: FieldValuesProps) {
  if (values.length === 0) return null
  const files = values.flatMap(({ label, text, file }) => (file ? [{ label, text, ...file }] : []))
  return (
    <>
      {files.length > 0 && <Files files={files} />}
      <Entries values={values.filter(({ file }) => !file)} summary={summary} />
    </>
  )
}

/** In view, because the sender asked for them. */
function Files({ files }: { files: readonly (ShownFile & Pick<FieldValue, 'label' | 'text'>)[] }) {
  return (
    <>
      <ul class="added-files small">
        {files.map(({ label, text, href, size, warning }) => (
          <li key={href}>
            <Icon name="paperclip" />
            <div>
              <div class="quiet" dir="auto">
                {label}
              </div>
              <a class="break" href={href} download dir="auto">
                {text}
              </a>{' '}
              <span class="quiet">{size}</span>
              {warning && <p class="quiet">{warning}</p>}
            </div>
          </li>
        ))}
      </ul>
      <details class="small">
        <summary>SHA-256</summary>
        <dl class="field-values">
          {files.map(({ text, href, sha256 }) => (
            <div key={href}>
              <dt dir="auto">{text}</dt>
              <dd>
                <code class="break">{sha256}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

function Entries({ values, summary }: { values: readonly FieldValue[]; summary: FieldValuesProps['summary'] }) {
  if (values.length === 0) return null
  return (
    <details class="small">
      <summary>{summary(values.length)}</summary>
      <ValueList values={values} />
    </details>
  )
}

export function ValueList({ values }: { values: readonly FieldValue[] }) {
  return (
    <dl class="field-values">
      {values.map(({ label, text }, index) => (
        <div key={index}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
