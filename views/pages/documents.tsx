/** The list of documents and one document with its recipients, events and what may be done. */
import { Csrf, type Frame, Input, Layout, Status } from '../layout.tsx'

type User = { name: string; csrf: string; room: string }

export interface ListRow {
  id: string
  title: string
  status: string
  progress: string
  recipients: string
  created: string
}

interface ListProps {
  frame: Frame
  user: User
  rows: ListRow[]
  q: string
  status: string
  statuses: readonly string[]
  next: string | undefined
}

export function DocumentListPage({ frame, user, rows, q, status, statuses, next }: ListProps) {
  return (
    <Layout frame={frame} user={user}>
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
                {word}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="plain">
          Show
        </button>
      </form>
      <div class="sheet scroll">
        {rows.length === 0 ? (
          <p class="quiet">
            {q || status
              ? 'No document matches.'
              : 'No document yet. Documents are created over the API; a key is made under Settings.'}
          </p>
        ) : (
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
                  <td>
                    <a href={`/documents/${row.id}`}>{row.title}</a>
                  </td>
                  <td>
                    <Status word={row.status} />
                  </td>
                  <td>{row.progress}</td>
                  <td class="quiet">{row.recipients}</td>
                  <td class="quiet small">{row.created}</td>
                </tr>
              ))}
            </tbody>
          </table>
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

export interface DocumentProps {
  frame: Frame
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
    times: string[]
    reason: string | undefined
  }[]
  events: { sequence: number; at: string; what: string; who: string; hash: string }[]
  may: { send: boolean; void: boolean; remind: boolean; delete: boolean }
  told: string | undefined
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

export function DocumentPage({ frame, user, document, recipients, events, may, told }: DocumentProps) {
  return (
    <Layout frame={frame} user={user}>
      <p class="small">
        <a href="/documents">Documents</a>
      </p>
      <h1>{document.title}</h1>
      {told && (
        <div class="note" role="status">
          {told}
        </div>
      )}
      {document.sealingError && (
        <div class="error" role="alert">
          <strong>Everyone has finished, the seal is not made yet.</strong> {document.sealingError}
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
      <div class="sheet">
        <dl>
          <dt>Status</dt>
          <dd>
            <Status word={document.status} />
          </dd>
          {document.facts.map(fact => (
            <>
              <dt>{fact.label}</dt>
              <dd>{fact.value}</dd>
            </>
          ))}
          {document.message && (
            <>
              <dt>Message</dt>
              <dd>{document.message}</dd>
            </>
          )}
          <dt>SHA-256 of the original</dt>
          <dd>
            <code>{document.original}</code>
          </dd>
          {document.sealed && (
            <>
              <dt>SHA-256 of the sealed file</dt>
              <dd>
                <code>{document.sealed}</code>
              </dd>
            </>
          )}
        </dl>
      </div>
      <h2>Recipients</h2>
      <div class="sheet scroll">
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
                <td>
                  {r.name}
                  <br />
                  <span class="quiet small">{r.email}</span>
                </td>
                <td>{r.role}</td>
                <td>
                  <Status word={r.status} />
                  {r.reason && <div class="small">“{r.reason}”</div>}
                </td>
                <td>
                  <Status word={r.mail} />
                </td>
                <td class="quiet small">
                  {r.times.map(t => (
                    <div key={t}>{t}</div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>What happened</h2>
      <div class="sheet scroll">
        <table class="stack">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Event</th>
              <th scope="col">By or for</th>
              <th scope="col">Chain hash</th>
            </tr>
          </thead>
          <tbody>
            {events.map(e => (
              <tr key={e.sequence}>
                <td class="small">{e.at}</td>
                <td>{e.what}</td>
                <td>{e.who}</td>
                <td class="quiet small">
                  <code>{e.hash}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(may.void || may.delete) && (
        <details>
          <summary>Void or delete</summary>
          <div class="sheet">
            {may.void && (
              <form method="post" action={`/documents/${document.id}/void`}>
                <Csrf token={user.csrf} />
                <Input name="reason" label="Reason, told to those who were asked to sign" faults={[]} maxLength={1000} />
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
                <Act id={document.id} verb="delete" csrf={user.csrf} label="Delete for good" kind="danger" />
              </>
            )}
          </div>
        </details>
      )}
    </Layout>
  )
}
