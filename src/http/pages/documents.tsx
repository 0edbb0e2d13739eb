/** The sender's documents: list, one with its events, and what may be done. The same actions as the API's. */

import { DocumentListPage, DocumentPage } from '../../../views/pages/documents.tsx'
import type { AuditEvent } from '../../audit/log.ts'
import { allowedActions, DOCUMENT_STATUSES, type Document, type DocumentStatus, type Recipient } from '../../core/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { maySign, mustAct, ROLE_LABELS } from '../../core/routing.ts'
import { delegateOf, recipientNameAt } from '../../documents/delegation.ts'
import { auditTrail, deleteDocument, fileOf, remindDocument, sendDocument, voidDocument } from '../../documents/lifecycle.ts'
import { listDocuments } from '../../documents/list-queries.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { catalogueOf } from '../../locales/index.ts'
import type { Actor, Origin } from '../../ports.ts'
import { organisation } from '../../settings/organisation.ts'
import { fileResponse } from '../file-response.ts'
import { type PageRoute, signedInUser, type Visit } from '../page.tsx'

const EVENT_LABELS = catalogueOf('en').evidence.events
const PAGE_SIZE = 50
const MAX_EMPTY_PAGES = 20

function actorOf({ session }: Visit): Actor {
  if (!session) throw new Refusal('unauthorized', 'Please sign in.')
  return session.actor
}

const originOf = (visit: Visit): Origin => ({ actor: actorOf(visit), ...visit.client })
const idOf = ({ params }: Visit) => params.id ?? ''

function progress(document: Document): string {
  const acting = document.recipients.filter(mustAct)
  return `${acting.filter(r => r.status === 'signed').length} of ${acting.length}`
}

async function listPage(visit: Visit) {
  const { app, url } = visit
  const q = url.searchParams.get('q')?.trim().slice(0, 200) ?? ''
  const asked = url.searchParams.get('status') ?? ''
  const status = DOCUMENT_STATUSES.find(s => s === asked)
  const after = /^doc_[0-9a-z]{26}$/.exec(url.searchParams.get('after') ?? '')?.[0]
  const { timeZone } = await organisation(app.db)
  const filter = { metadata: {}, ...(status ? { status } : {}), ...(q ? { q } : {}) }
  let page = await listDocuments(app.db, actorOf(visit), filter, { limit: PAGE_SIZE, after })
  // A person need not press a button for every few thousand documents that do not match.
  for (let more = 0; more < MAX_EMPTY_PAGES && page.documents.length === 0 && page.next !== undefined; more++) {
    page = await listDocuments(app.db, actorOf(visit), filter, { limit: PAGE_SIZE, after: page.next })
  }
  const next = page.next === undefined ? undefined : nextAddress(q, status, page.next)
  const rows = page.documents.map(({ document: d }) => ({
    id: d.id,
    title: d.title,
    status: d.status,
    progress: progress(d),
    recipients: d.recipients.map(r => r.name).join(', '),
    created: pageTime(d.createdAt, timeZone),
  }))
  return {
    html: (
      <DocumentListPage
        context={visit.context('Documents')}
        user={signedInUser(visit, '/documents')}
        rows={rows}
        q={q}
        status={status ?? ''}
        statuses={DOCUMENT_STATUSES}
        next={next}
      />
    ),
  }
}

function nextAddress(q: string, status: DocumentStatus | undefined, after: string): string {
  return `/documents?${new URLSearchParams({ ...(q ? { q } : {}), ...(status ? { status } : {}), after })}`
}

/** What was just done, for the page that follows. */
const DONE: Record<string, string> = {
  sent: 'The document was sent.',
  voided: 'The document was voided.',
}

/** Who was just reminded; `to` holds their ids. */
function remindedText({ app, url }: Visit, { recipients }: Document): string {
  const ids = new Set(url.searchParams.get('to')?.split(',') ?? [])
  const names = recipients.filter(({ id }) => ids.has(id)).map(({ name }) => name)
  if (names.length === 0) return 'Nobody was reminded: those whose turn it is were mailed within the last hour.'
  const whom = new Intl.ListFormat('en').format(names)
  return app.config.smtpUrl === undefined
    ? `A reminder was written for ${whom}. No mail server is set: it is put into the outbox folder.`
    : `A reminder is being mailed to ${whom}.`
}

async function documentPage(visit: Visit) {
  const { app, url } = visit
  const notice = url.searchParams.get('notice') ?? ''
  const { document, events } = await auditTrail(app, actorOf(visit), idOf(visit))
  const { timeZone } = await organisation(app.db)
  const time = (moment: Date | undefined) => (moment ? pageTime(moment, timeZone) : undefined)
  const facts: [string, string | undefined][] = [
    ['File', `${document.fileName}, ${document.pageCount === 1 ? '1 page' : `${document.pageCount} pages`}`],
    [
      'Order',
      document.recipients.length < 2 ? undefined : document.signingOrder === 'parallel' ? 'all at once' : 'one after another',
    ],
    ['Created', time(document.createdAt)],
    ['Sent', time(document.sentAt)],
    ['Expires', document.status === 'sent' ? time(document.expiresAt) : undefined],
    ['Completed', time(document.completedAt)],
  ]
  return {
    html: (
      <DocumentPage
        context={visit.context(document.title)}
        user={signedInUser(visit, '/documents')}
        document={{
          id: document.id,
          title: document.title,
          fileName: document.fileName,
          status: document.status,
          pageCount: document.pageCount,
          message: document.message,
          sealingError: document.sealingError,
          original: document.sha256Original,
          sealed: document.sha256Sealed,
          facts: facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
        }}
        recipients={document.recipients.map(r => recipientRow(r, app.config.smtpUrl !== undefined, time))}
        events={events.map(e => eventRow(document, events, e, timeZone))}
        may={allowedActions(document)}
        notice={notice === 'reminded' ? remindedText(visit, document) : DONE[notice]}
      />
    ),
  }
}

/** What became of the latest mail. A mail server that took it has not delivered it yet; without one it lies in the outbox folder. */
function mailWord(r: Recipient, hasServer: boolean): string {
  const words: Record<Recipient['emailStatus'], string> = {
    none: 'Not mailed',
    queued: 'Waiting to be mailed',
    delivered: hasServer ? 'Mailed' : 'In the outbox',
    failed: 'Could not be mailed',
  }
  return words[r.emailStatus]
}

function recipientRow(r: Recipient, hasServer: boolean, time: (moment: Date | undefined) => string | undefined) {
  const times: [string, Date | undefined][] = [
    ['asked', r.sentAt],
    ['opened', r.viewedAt],
    [ROLE_LABELS[r.role].done, r.signedAt],
    ['declined', r.declinedAt],
  ]
  return {
    id: r.id,
    name: r.name,
    email: r.email,
    role: ROLE_LABELS[r.role].noun,
    status: r.status,
    mail: r.emailStatus,
    mailWord: mailWord(r, hasServer),
    times: times.flatMap(([word, moment]) => (moment ? [`${word} ${time(moment)}`] : [])),
    reason: r.declineReason,
  }
}

/** Who acted where it was no recipient. */
function actorName({ actor }: AuditEvent): string {
  if (actor === 'system') return 'the service'
  return actor.startsWith('key:') ? 'an API client' : 'the sender'
}

function eventRow(document: Document, events: AuditEvent[], event: AuditEvent, timeZone: string) {
  const actingId = /^recipient:(.*)$/.exec(event.actor)?.[1]
  const acting = document.recipients.find(r => r.id === actingId)
  const concerned = document.recipients.find(r => r.id === event.recipientId)
  // Only a mail server answers.
  const { reply } = event.type === 'recipient.email_written' ? {} : (event.personal ?? {})
  const to = delegateOf(event)
  const subject = concerned ?? acting
  const isApproval = event.type === 'recipient.signed' && subject !== undefined && !maySign(subject.role)
  const who = acting ? recipientNameAt(acting, events, event) : actorName(event)
  return {
    sequence: event.sequence,
    at: pageTime(new Date(event.at), timeZone),
    what: EVENT_LABELS[isApproval ? 'recipient.approved' : event.type],
    detail: typeof reply === 'string' ? reply : to && `to ${to}`,
    who: concerned && !acting ? `${who}, for ${recipientNameAt(concerned, events, event)}` : who,
    hash: `${event.hash.slice(0, 16)}…`,
  }
}

/** A form on a document's page: one action, then back to the page. */
function act(verb: string, notice: string | undefined, run: (visit: Visit) => Promise<unknown>): PageRoute {
  return {
    method: 'POST',
    path: `/documents/:id/${verb}`,
    access: 'session',
    run: async visit => {
      await run(visit)
      return { redirect: notice ? `/documents/${idOf(visit)}?notice=${notice}` : '/documents' }
    },
  }
}

export const documentPages: PageRoute[] = [
  { method: 'GET', path: '/documents', access: 'session', run: listPage },
  { method: 'GET', path: '/documents/:id', access: 'session', run: documentPage },
  {
    method: 'GET',
    path: '/documents/:id/file',
    access: 'session',
    run: async visit => {
      const asked = visit.url.searchParams.get('version') === 'original' ? 'original' : undefined
      return {
        response: await fileResponse(visit.app, visit.request, await fileOf(visit.app, actorOf(visit), idOf(visit), asked)),
      }
    },
  },
  act('send', 'sent', visit => sendDocument(visit.app, idOf(visit), originOf(visit))),
  {
    method: 'POST',
    path: '/documents/:id/remind',
    access: 'session',
    run: async visit => {
      const reminded = await remindDocument(visit.app, idOf(visit), originOf(visit))
      return { redirect: `/documents/${idOf(visit)}?notice=reminded&to=${reminded.join(',')}` }
    },
  },
  act('void', 'voided', visit =>
    voidDocument(visit.app, idOf(visit), visit.form.reason?.slice(0, 1000) || 'no reason given', originOf(visit)),
  ),
  act('delete', undefined, visit => deleteDocument(visit.app, idOf(visit), originOf(visit))),
]
