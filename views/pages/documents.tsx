/** The list of documents and one document with its recipients, events and what may be done. */
import { Csrf, Input, Layout, type PageContext, Status } from '../layout.tsx'

type User = { name: string; csrf: string; section: string }

/** The states of a document as people call them. */
const DOCUMENT_WORDS: Record<string, string> = {
  draft: 'Draft',
  sent: 'Waiting for signatures',
  sealing: 'Being sealed',
  completed: 'Completed',
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
}

const RECIPIENT_WORDS: Record<string, string> = {
  created: 'Not asked yet',
  sent: 'Asked',
  viewed: 'Opened',
  signed: 'Finished',
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
}

const documentWord = (status: string) => DOCUMENT_WORDS[status] ?? status

export interface ListRow {
  id: string
  title: string
  status: string
  progress: string
  recipients: string
  created: string
}

interface ListProps {
  context: PageContext
  user: User
  rows: ListRow[]
  q: string
  status: string
  statuses: readonly string[]
  next: string | undefined
}

export function DocumentListPage({ context, user, rows, q, status, statuses, next }: ListProps) {
  return (
    <Layout context={context} user={user}>
      <h1>Documents</h1>
      <form method="get" class="filters" aria-label="Search documents">
        <div>
          <label for="q">Search</label>
          <input id="q" name="q" type="search" value={q} placeholder="Title, file name or recipient" />
        </div>
        <div>
          <label for="status">Status</label>
          <select id="status" name="status">
            <option value="">All</option>
            {statuses.map(word => (
              <option key={word} value={word} selected={word === status}>
                {documentWord(word)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="plain">
          Show
        </button>
      </form>
      <div class="sheet">
        {rows.length === 0 ? (
          <p class="quiet">
            {next
              ? 'No newer document matches.'
              : q || status
                ? 'No document matches.'
                : 'No document yet. Your programs create them over the API; the API token they need is made under Settings.'}
          </p>
        ) : (
          <ListTable rows={rows} />
        )}
        {next && (
          <p>
            <a href={next}>Older documents</a>
          </p>
        )}
      </div>
    </Layout>
  )
}

function ListTable({ rows }: { rows: ListRow[] }) {
  return (
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">Title</th>
          <th scope="col">Status</th>
          <th scope="col">Finished</th>
          <th scope="col">Recipients</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.id}>
            <td class="title">
              <a href={`/documents/${row.id}`}>{row.title}</a>
            </td>
            <td class="nowrap">
              <Status state={row.status} word={documentWord(row.status)} />
            </td>
            <td data-label="Finished">{row.progress}</td>
            <td class="quiet">{row.recipients}</td>
            <td class="quiet small nowrap" data-label="Created">
              {row.created}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export interface DocumentProps {
  context: PageContext
  user: User
  document: {
    id: string
    title: string
    fileName: string
    status: string
    pageCount: number
    message: string | undefined
    sealingError: string | undefined
    original: string
    sealed: string | undefined
    facts: { label: string; value: string }[]
  }
  recipients: {
    id: string
    name: string
    email: string
    role: string
    status: string
    mail: string
    mailWord: string
    times: string[]
    reason: string | undefined
  }[]
  events: { sequence: number; at: string; what: string; detail: string | undefined; who: string; hash: string }[]
  may: { send: boolean; void: boolean; remind: boolean; delete: boolean }
  notice: string | undefined
}

function Act({ id, verb, csrf, label, kind }: { id: string; verb: string; csrf: string; label: string; kind?: string }) {
  return (
    <form method="post" action={`/documents/${id}/${verb}`}>
      <Csrf token={csrf} />
      <button type="submit" class={kind ?? ''}>
        {label}
      </button>
    </form>
  )
}

export function DocumentPage({ context, user, document, recipients, events, may, notice }: DocumentProps) {
  return (
    <Layout context={context} user={user}>
      <p class="small">
        <a href="/documents">← All documents</a>
      </p>
      <h1>{document.title}</h1>
      <p>
        <Status state={document.status} word={documentWord(document.status)} />
      </p>
      {notice && (
        <div class="note" role="status">
          {notice}
        </div>
      )}
      {document.sealingError && (
        <div class="error" role="alert">
          <strong>Everyone has finished, but the seal is not made yet. It is tried again by itself.</strong>{' '}
          {document.sealingError}
        </div>
      )}
      <div class="row">
        {may.send && <Act id={document.id} verb="send" csrf={user.csrf} label="Send for signature" />}
        {may.remind && <Act id={document.id} verb="remind" csrf={user.csrf} label="Remind" kind="plain" />}
        {document.sealed && (
          <a class="button" href={`/documents/${document.id}/file?version=sealed`}>
            Download sealed PDF
          </a>
        )}
        <a class="button plain" href={`/documents/${document.id}/file?version=original`}>
          Download original
        </a>
      </div>
      <h2>Recipients</h2>
      <Recipients recipients={recipients} />
      <h2>About this document</h2>
      <Facts document={document} />
      <h2>What happened</h2>
      <Events events={events} />
      {(may.void || may.delete) && <Ending id={document.id} csrf={user.csrf} may={may} />}
    </Layout>
  )
}

function Recipients({ recipients }: Pick<DocumentProps, 'recipients'>) {
  return (
    <div class="sheet">
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Status</th>
            <th scope="col">Mail</th>
            <th scope="col">Times</th>
          </tr>
        </thead>
        <tbody>
          {recipients.map(r => (
            <tr key={r.id}>
              <td class="break">
                <span class="title">{r.name}</span>
                <br />
                <span class="quiet small">{r.email}</span>
              </td>
              <td>{r.role}</td>
              <td>
                <Status state={r.status} word={RECIPIENT_WORDS[r.status] ?? r.status} />
                {r.reason && <div class="small">“{r.reason}”</div>}
              </td>
              <td data-label="Mail">
                <Status state={r.mail} word={r.mailWord} />
              </td>
              <td class="quiet small nowrap">
                {r.times.map(t => (
                  <div key={t}>{t}</div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Facts({ document }: Pick<DocumentProps, 'document'>) {
  return (
    <div class="sheet">
      <dl>
        {document.facts.map(fact => (
          <>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </>
        ))}
        {document.message && (
          <>
            <dt>Message</dt>
            <dd class="lines">{document.message}</dd>
          </>
        )}
      </dl>
      <details class="small">
        <summary>Id and fingerprints</summary>
        <dl>
          <dt>Document id</dt>
          <dd>
            <code class="break">{document.id}</code>
          </dd>
          <dt>SHA-256 of the original</dt>
          <dd>
            <code class="break">{document.original}</code>
          </dd>
          {document.sealed && (
            <>
              <dt>SHA-256 of the sealed file</dt>
              <dd>
                <code class="break">{document.sealed}</code>
              </dd>
            </>
          )}
        </dl>
      </details>
    </div>
  )
}

function Events({ events }: Pick<DocumentProps, 'events'>) {
  return (
    <div class="sheet">
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col">By or for</th>
            <th scope="col">Audit hash</th>
          </tr>
        </thead>
        <tbody>
          {events.map(e => (
            <tr key={e.sequence}>
              <td class="quiet small nowrap">{e.at}</td>
              <td class="break">
                {e.what}
                {e.detail && <span class="quiet small"> ({e.detail})</span>}
              </td>
              <td>{e.who}</td>
              <td class="quiet small nowrap" data-label="Audit hash">
                <code>{e.hash}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Ending({ id, csrf, may }: { id: string; csrf: string; may: DocumentProps['may'] }) {
  return (
    <details>
      <summary>{may.void && may.delete ? 'Void or delete' : may.void ? 'Void' : 'Delete'}</summary>
      <div class="sheet">
        {may.void && (
          <form method="post" action={`/documents/${id}/void`}>
            <Csrf token={csrf} />
            <p>
              Voiding withdraws the document: its links stop working, and those who were asked to sign are told by mail. It cannot
              be taken back.
            </p>
            <Input name="reason" label="Reason" hint="Those who were asked to sign read it." errors={[]} maxLength={1000} />
            <p>
              <button type="submit" class="danger">
                Void the document
              </button>
            </p>
          </form>
        )}
        {may.delete && (
          <>
            <p>Deleting erases the document and its files for good. Only the record that it was deleted stays.</p>
            <Act id={id} verb="delete" csrf={csrf} label="Delete for good" kind="danger" />
          </>
        )}
      </div>
    </details>
  )
}
