/** The list of documents, and one document with its recipients, events and actions. */
import { Layout, type PageContext, type PageUser, Status } from '../layout.tsx'
import { ActionForm, Csrf, Input } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Cell, type Fact, Facts, TableHead } from '../parts/table.tsx'

const DOCUMENT_STATUSES: Record<string, string> = {
  draft: 'Draft',
  sent: 'Waiting for signatures',
  sealing: 'Being sealed',
  completed: 'Completed',
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
}

const RECIPIENT_STATUSES: Record<string, string> = {
  created: 'Not asked yet',
  sent: 'Asked',
  viewed: 'Opened',
  signed: 'Finished',
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
}

const documentStatus = (status: string) => DOCUMENT_STATUSES[status] ?? status

export interface DocumentProps {
  context: PageContext
  user: PageUser
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
    facts: Fact[]
  }
  recipients: {
    id: string
    name: string
    email: string
    role: string
    status: string
    mail: string
    mailText: string
    times: string[]
    reason: string | undefined
  }[]
  events: { sequence: number; at: string; what: string; detail: string | undefined; who: string; hash: string }[]
  may: { send: boolean; void: boolean; remind: boolean; delete: boolean }
  notice: string | undefined
}

export function DocumentPage({ context, user, document, recipients, events, may, notice }: DocumentProps) {
  const base = `/documents/${document.id}`
  return (
    <Layout context={context} user={user}>
      <p class="small">
        <a href="/documents">← All documents</a>
      </p>
      <h1>{document.title}</h1>
      <p>
        <Status state={document.status} text={documentStatus(document.status)} />
      </p>
      <Notice text={notice} />
      {document.sealingError && (
        <div class="error" role="alert">
          <strong>Everyone has finished, but the document could not be sealed yet. Sealing is tried again automatically.</strong>{' '}
          {document.sealingError}
        </div>
      )}
      <div class="row">
        {may.send && <ActionForm action={`${base}/send`} csrf={user.csrf} text="Send for signature" />}
        {may.remind && <ActionForm action={`${base}/remind`} csrf={user.csrf} text="Send a reminder" kind="plain" />}
        {document.sealed && (
          <a class="button" href={`${base}/file?version=sealed`}>
            Download sealed PDF
          </a>
        )}
        <a class="button plain" href={`${base}/file?version=original`}>
          Download original
        </a>
      </div>
      <h2>Recipients</h2>
      <Recipients recipients={recipients} />
      <h2>About this document</h2>
      <About document={document} />
      <h2>Events</h2>
      <Events events={events} />
      {(may.void || may.delete) && <Ending id={document.id} csrf={user.csrf} may={may} />}
    </Layout>
  )
}

function Recipients({ recipients }: Pick<DocumentProps, 'recipients'>) {
  return (
    <div class="sheet">
      <table class="stack">
        <TableHead columns={['Name', 'Role', 'Status', 'E-mail', 'Times']} />
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
                <Status state={r.status} text={RECIPIENT_STATUSES[r.status] ?? r.status} />
                {r.reason && <div class="small">“{r.reason}”</div>}
              </td>
              <Cell label="E-mail">
                <Status state={r.mail} text={r.mailText} />
              </Cell>
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

function About({ document }: Pick<DocumentProps, 'document'>) {
  return (
    <div class="sheet">
      <Facts facts={document.facts} />
      {document.message && (
        <dl>
          <dt>Message</dt>
          <dd class="lines">{document.message}</dd>
        </dl>
      )}
      <details class="small">
        <summary>ID and fingerprints</summary>
        <dl>
          <dt>Document ID</dt>
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
        <TableHead columns={['Time', 'Event', 'By', 'Audit hash']} />
        <tbody>
          {events.map(e => (
            <tr key={e.sequence}>
              <td class="quiet small nowrap">{e.at}</td>
              <td class="break">
                {e.what}
                {e.detail && <span class="quiet small"> ({e.detail})</span>}
              </td>
              <td>{e.who}</td>
              <Cell label="Audit hash" class="quiet small nowrap">
                <code>{e.hash}</code>
              </Cell>
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
              When you void the document, its signing links stop working, and everyone who was asked to sign is informed by
              e-mail. This cannot be undone.
            </p>
            <Input name="reason" label="Reason" hint="Everyone who was asked to sign can read it." errors={[]} maxLength={1000} />
            <p>
              <button type="submit" class="button danger">
                Void the document
              </button>
            </p>
          </form>
        )}
        {may.delete && (
          <>
            <p>Deleting removes the document and its files permanently. Only the record of the deletion remains.</p>
            <ActionForm action={`/documents/${id}/delete`} csrf={csrf} text="Delete permanently" kind="danger" />
          </>
        )}
      </div>
    </details>
  )
}
