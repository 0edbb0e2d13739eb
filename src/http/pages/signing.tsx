/** The recipient's pages. The link in the mail shows a landing and changes nothing; a person's press of its button opens the document, and from then on a cookie stands for the link. */

import { DonePage, LandingPage, SigningFormPage } from '../../../views/pages/signing.tsx'
import { ACCESS_CODE_TRIES, type Document, isEnded, type Recipient } from '../../core/document.ts'
import { type Field, isFilledByService, isMark, labelOf } from '../../core/field.ts'
import { type Fault, Refusal } from '../../core/refusal.ts'
import { mustAct, ROLE_WORDS } from '../../core/routing.ts'
import { consentText, intentText } from '../../documents/consent.ts'
import { versionOf } from '../../documents/lifecycle.ts'
import { entryPass, type Opened, openLink, openPass } from '../../documents/link.ts'
import { decline, enter, finish } from '../../documents/signing.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { safeHref } from '../../lib/safe-href.ts'
import type { App } from '../../ports.ts'
import { organisation } from '../../settings/organisation.ts'
import { fileAnswer } from '../file-answer.ts'
import { countAttempt } from '../limits.ts'
import { orFaults, type PageAnswer, type PageRoute, type Visit } from '../page.tsx'

const COOKIE_S = 12 * 3600
/** A completed document can be fetched behind the link for this long. */
const COPY_FOR_MS = 30 * 86_400_000

/** Opens a link or an entry pass; unknown ones are counted by address. */
async function opened({ app, whence }: Visit, open: () => Promise<Opened>): Promise<Opened> {
  try {
    const found = await open()
    demandLive(app, found.document)
    return found
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'not_found') {
      countAttempt(app, 'link', whence.ip, 'Too many links that are not valid were opened from here. Please wait a minute.')
    }
    throw error
  }
}

/** What is over says so in one sentence and reveals nothing else. */
function demandLive(app: App, document: Document): void {
  const over = (message: string) => new Refusal('invalid_state', message)
  if (document.status === 'voided') throw over('The sender has withdrawn this document. There is nothing to sign any more.')
  if (document.status === 'expired') throw over('The time to sign this document is over. Please ask the sender to send it again.')
  if (document.status === 'declined') throw over('This document was declined. There is nothing to sign any more.')
  if (document.completedAt && app.now().getTime() - document.completedAt.getTime() > COPY_FOR_MS) {
    throw over(
      'The document was completed more than 30 days ago and is not offered here any more. The sealed copy was mailed to you.',
    )
  }
}

const cookieFor = (recipient: Recipient) => `signet_link_${recipient.id.slice(4)}`
const baseOf = (recipient: Recipient) => `/sign/${recipient.id}`

/** The document of the recipient in the address, for whoever has opened its link in this browser. */
async function entered(visit: Visit): Promise<Opened & { pass: string }> {
  const pass = visit.cookieNamed(`signet_link_${(visit.params.recipient ?? '').slice(4)}`)
  if (pass === undefined) {
    throw new Refusal(
      'not_found',
      'Please open the document with the link in your mail; this page belongs to another browser or has been open too long.',
    )
  }
  return { ...(await opened(visit, () => openPass(visit.app, pass))), pass }
}

async function landing(visit: Visit, { document, recipient }: Opened, faults: Fault[], status: number): Promise<PageAnswer> {
  const { app, csrf, params } = visit
  const { name, timeZone } = await organisation(app.db)
  const open = document.status === 'sent' && recipient.status !== 'signed'
  return {
    status,
    html: (
      <LandingPage
        frame={visit.frame(document.title)}
        csrf={csrf}
        action={`/s/${params.token}`}
        organisation={name}
        recipientName={recipient.name}
        title={document.title}
        act={ROLE_WORDS[recipient.role].act}
        acts={mustAct(recipient)}
        message={document.message}
        expires={document.expiresAt ? pageTime(document.expiresAt, timeZone) : undefined}
        asksCode={recipient.accessCodeHash !== undefined && recipient.accessCodeTries < ACCESS_CODE_TRIES}
        ended={!open}
        faults={faults}
      />
    ),
  }
}

function formField(field: Field, recipient: Recipient, values: Record<string, string>) {
  const fallback = field.value ?? (field.type === 'name' ? recipient.name : field.type === 'email' ? recipient.email : '')
  const posted = values[`fields.${field.id}`]
  const { id, type, page, required, readOnly, placeholder, options, maxLength } = field
  const wasPosted = 'sha256' in values
  const value = type === 'checkbox' && wasPosted ? String(posted === 'on') : (posted ?? fallback)
  return { id, type, page, label: labelOf(field), required, readOnly, value, placeholder, options, maxLength }
}

/** Reading order: by page, then from the top. */
function inReadingOrder(fields: Field[]): Field[] {
  return [...fields].sort((a, b) => a.page - b.page || a.y - b.y || a.x - b.x)
}

async function form(
  visit: Visit,
  { document, recipient }: Opened,
  faults: Fault[],
  declineFaults: Fault[],
  status: number,
): Promise<PageAnswer> {
  const { app, csrf, form: values } = visit
  const { name, contact } = await organisation(app.db)
  const consent = consentText(name, contact)
  const asked = inReadingOrder(recipient.fields).filter(f => !isMark(f.type) && !isFilledByService(f.type))
  const { act } = ROLE_WORDS[recipient.role]
  return {
    status,
    html: (
      <SigningFormPage
        frame={visit.frame(document.title)}
        csrf={csrf}
        base={baseOf(recipient)}
        organisation={name}
        title={document.title}
        pageCount={document.pageCount}
        act={act}
        intent={intentText(act)}
        fields={asked.map(f => formField(f, recipient, values))}
        asksInitials={recipient.fields.some(f => f.type === 'initials')}
        signature={values.signature ?? ''}
        initials={values.initials ?? ''}
        consent={{ ...consent, given: values.consent === 'on' }}
        sha256={document.sha256Original}
        faults={faults}
        declineFaults={declineFaults}
      />
    ),
  }
}

function done(visit: Visit, { document, recipient }: Opened): PageAnswer {
  const words = ROLE_WORDS[recipient.role]
  const waitingFor = document.recipients.filter(r => mustAct(r) && r.status !== 'signed').map(r => r.name)
  const sealed = document.sha256Sealed !== undefined
  const sentence = sealed
    ? 'Everyone has finished. The document is sealed, and a copy was mailed to you.'
    : mustAct(recipient)
      ? `Thank you. You have ${words.done}. The sealed document is mailed to you when everyone has finished.`
      : 'You receive the sealed document by mail when everyone has finished. There is nothing for you to sign.'
  const headline = sealed ? 'The document is completed' : mustAct(recipient) ? 'You are done' : document.title
  return {
    html: (
      <DonePage
        frame={visit.frame(headline)}
        base={baseOf(recipient)}
        title={document.title}
        headline={headline}
        sentence={sentence}
        waitingFor={isEnded(document) ? [] : waitingFor}
        sealed={sealed}
        offersFile
        redirectUrl={safeHref(document.redirectUrl)}
      />
    ),
  }
}

async function show(visit: Visit): Promise<PageAnswer> {
  const found = await entered(visit)
  const toDo = found.document.status === 'sent' && mustAct(found.recipient) && found.recipient.status === 'viewed'
  return toDo ? form(visit, found, [], [], 200) : done(visit, found)
}

const valuesOf = (form: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (name.startsWith('fields.') ? [[name.slice(7), value]] : [])),
  )

export const signingPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/s/:token',
    access: 'link',
    run: async visit => landing(visit, await opened(visit, () => openLink(visit.app, visit.params.token ?? '')), [], 200),
  },
  {
    method: 'POST',
    path: '/s/:token',
    access: 'link',
    run: async visit => {
      const token = visit.params.token ?? ''
      const found = await opened(visit, () => openLink(visit.app, token))
      const result = await orFaults(() => enter(visit.app, token, visit.form.accessCode, visit.whence))
      if ('faults' in result) return landing(visit, await openLink(visit.app, token), result.faults, result.status)
      const { recipient } = found
      return {
        redirect: baseOf(recipient),
        cookies: [visit.setCookie(cookieFor(recipient), entryPass(visit.app, recipient), COOKIE_S)],
      }
    },
  },
  { method: 'GET', path: '/sign/:recipient', access: 'link', run: show },
  {
    method: 'GET',
    path: '/sign/:recipient/file',
    access: 'link',
    run: async visit => {
      const { document } = await entered(visit)
      return { response: await fileAnswer(visit.app, visit.request, versionOf(document, undefined)) }
    },
  },
  {
    method: 'POST',
    path: '/sign/:recipient/finish',
    access: 'link',
    run: async visit => {
      const found = await entered(visit)
      const { form: f, whence, app } = visit
      const act = {
        values: valuesOf(f),
        signature: f.signature ?? '',
        initials: f.initials ?? '',
        consent: f.consent === 'on',
        consentVersion: f.consentVersion ?? '',
        shownSha256: f.sha256 ?? '',
      }
      const result = await orFaults(() => finish(app, found.pass, act, whence))
      if ('faults' in result) return form(visit, found, result.faults, [], result.status)
      return { redirect: baseOf(found.recipient) }
    },
  },
  {
    method: 'POST',
    path: '/sign/:recipient/decline',
    access: 'link',
    run: async visit => {
      const found = await entered(visit)
      const result = await orFaults(() => decline(visit.app, found.pass, visit.form.reason ?? '', visit.whence))
      if ('faults' in result) return form(visit, found, [], result.faults, result.status)
      return {
        html: (
          <DonePage
            frame={visit.frame('Declined')}
            base={baseOf(found.recipient)}
            title={found.document.title}
            headline="You have declined"
            sentence="The sender is told, with your reason. You have signed nothing."
            waitingFor={[]}
            sealed={false}
            offersFile={false}
            redirectUrl={undefined}
          />
        ),
      }
    },
  },
]
