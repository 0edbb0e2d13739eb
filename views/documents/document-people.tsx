/** The people of a document: what each did, whether the mail arrived, how to correct them. */
import { mayCorrect } from '../../src/core/document/correct-recipient.ts'
import type { Document, Recipient } from '../../src/core/document/document.ts'
import { MAX_PERSON_NAME } from '../../src/core/document/document-limits.ts'
import { DOCUMENTS_PATH } from '../../src/core/page-paths.ts'
import { isMailed, maySign, mustAct } from '../../src/core/signing/routing.ts'
import { mayUnlock } from '../../src/core/signing/signing.ts'
import { mayHandOut } from '../../src/core/signing/signing-link.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { AddressQuestion } from '../parts/address-question.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { ariaOf, Csrf, FieldError, type ValidationErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { Moment } from '../parts/moment.tsx'
import { useClock, useOpens } from '../parts/page-texts.ts'
import { type FieldValue, FieldValues } from './document-details.tsx'
import { nameOf } from './document-words.ts'

/** What was entered for a recipient and refused. */
export interface Correcting {
  recipientId: string
  name: string
  email: string
  errors: ValidationErrors
}

export interface PeopleProps {
  document: Document
  /** The newest reply of the mail server, by recipient. */
  replies: ReadonlyMap<string, string>
  /** Without a mail server, mails are files. */
  hasMailServer: boolean
  /** What each of them entered, and the sender. */
  values: ReadonlyMap<string, readonly FieldValue[]>
  correcting: Correcting | undefined
  /** Links can be handed out in place of e-mails. */
  mayHandOut: boolean
  texts: AppTexts['documents']
}

export function People(props: PeopleProps) {
  const { document, texts } = props
  const { recipients } = document
  if (recipients.length === 0) return <p class="quiet">{texts.list.noPeople}</p>
  return (
    <>
      {recipients.length > 1 && <p class="quiet small">{texts.page.order[document.signingOrder]}</p>}
      <ol class="document-persons">
        {recipients.map((recipient, index) => (
          <Person key={recipient.id} recipient={recipient} index={index} {...props} />
        ))}
      </ol>
    </>
  )
}

type PersonProps = PeopleProps & { recipient: Recipient; index: number }

const TONES: Record<Recipient['status'], Tone> = {
  created: 'neutral',
  sent: 'info',
  viewed: 'info',
  signed: 'good',
  declined: 'bad',
  voided: 'neutral',
  expired: 'warn',
}
const ICONS: Record<Recipient['status'], IconName> = {
  created: 'circle-dashed',
  sent: 'mail',
  viewed: 'eye',
  signed: 'check',
  declined: 'ban',
  voided: 'file-x',
  expired: 'clock',
}

const iconOf = (recipient: Recipient): IconName =>
  recipient.status === 'sent' && !isMailed(recipient) ? 'link' : ICONS[recipient.status]

function statusWords({ status, role }: Recipient, texts: AppTexts['documents']): string {
  if (status === 'signed' && !maySign(role)) return texts.approved
  return status === 'viewed' && !mustAct({ role }) ? texts.read : texts.recipientStatus[status]
}

function Person({ recipient, index, ...props }: PersonProps) {
  const { document, texts } = props
  const isDraft = document.status === 'draft'
  return (
    <li id={`person-${recipient.id}`} class="document-person">
      <Avatar name={recipient.name} index={index} />
      <div class="document-person-body">
        <div class="document-person-head">
          <span class="document-person-name" dir="auto">
            {nameOf(recipient, texts)}
          </span>
          {!isDraft && (
            <Badge tone={TONES[recipient.status]} icon={iconOf(recipient)}>
              {statusWords(recipient, texts)}
            </Badge>
          )}
        </div>
        <p class="quiet small break" dir="auto">
          {recipient.email || texts.noEmail}
        </p>
        <p class="quiet small">
          {document.signingOrder === 'sequential' && document.recipients.length > 1 && `${recipient.order}. `}
          {texts.roles[recipient.role]}
          {recipient.accessCodeHash !== undefined && ` · ${texts.page.asksCode}`}
          {!isMailed(recipient) && ` · ${texts.page.byLink}`}
          {recipient.verify && ` · ${texts.page.asksOneTimeCode}`}
        </p>
        {recipient.declineReason && (
          <p class="quote small" dir="auto">
            {recipient.declineReason}
          </p>
        )}
        {!isDraft && <Did recipient={recipient} {...props} />}
        <FieldValues values={props.values.get(recipient.id)} summary={texts.page.entries} />
        {!isDraft && <MailState recipient={recipient} {...props} />}
        {mayUnlock(document, recipient) && <Unlock recipient={recipient} {...props} />}
        <HandOut recipient={recipient} {...props} />
        {useOpens().includes('sender') && mayCorrect(document, recipient) && <Correct recipient={recipient} {...props} />}
      </div>
    </li>
  )
}

function Unlock({ recipient, document, texts }: Omit<PersonProps, 'index'>) {
  return (
    <form method="post" action={`${DOCUMENTS_PATH}/${document.id}/recipients/${recipient.id}/unlock`} class="hand-out">
      <p class="mail bad small">
        <Icon name="lock" />
        <span>{texts.page.codeLocked}</span>
      </p>
      {useOpens().includes('sender') && (
        <>
          <Csrf />
          <Button small icon="rotate-ccw">
            {texts.page.unlock}
            <span class="unseen"> {nameOf(recipient, texts)}</span>
          </Button>
        </>
      )}
    </form>
  )
}

function Did({ recipient, texts: { page } }: Omit<PersonProps, 'index'>) {
  const done = maySign(recipient.role) ? page.did.signed : page.did.approved
  const opened = mustAct(recipient) ? page.did.opened : page.did.read
  const times: [string, Date | undefined][] = [
    // Nobody is asked by a turn alone: the sender hands out the link.
    [page.did.asked, isMailed(recipient) ? recipient.sentAt : undefined],
    [opened, recipient.viewedAt],
    [done, recipient.signedAt],
    [page.did.declined, recipient.declinedAt],
  ]
  const known = times.filter((pair): pair is [string, Date] => pair[1] !== undefined)
  if (known.length === 0) return null
  return (
    <p class="did small">
      {known.map(([word, at]) => (
        <span key={word}>
          {word} <Moment at={at} />
        </span>
      ))}
      {recipient.remindersSent > 0 && <span>{page.reminders(recipient.remindersSent)}</span>}
    </p>
  )
}

const MAIL_ICONS: Record<Recipient['emailStatus'], IconName> = {
  none: 'mail',
  queued: 'clock',
  delivered: 'mail-check',
  failed: 'mail-x',
}

function MailState({ recipient, replies, hasMailServer, texts: { page } }: Omit<PersonProps, 'index'>) {
  const { emailStatus } = recipient
  if (emailStatus === 'none') return null
  const words = emailStatus === 'delivered' && !hasMailServer ? page.mailWritten : page.mail[emailStatus]
  const reply = replies.get(recipient.id)
  return (
    <div class={emailStatus === 'failed' ? 'mail bad small' : 'mail quiet small'}>
      <Icon name={MAIL_ICONS[emailStatus]} />
      {reply && hasMailServer ? (
        <details>
          <summary>{words}</summary>
          <p class="break">
            {page.reply}: <code>{reply}</code>
          </p>
        </details>
      ) : (
        <span>{words}</span>
      )}
    </div>
  )
}

/** For whom the sender hands out the link. */
function HandOut({ recipient, document, mayHandOut: isAllowed, texts }: Omit<PersonProps, 'index'>) {
  const clock = useClock()
  const { page } = texts
  if (!useOpens().includes('sender') || !mayHandOut(document, recipient, clock.now)) return null
  if (!isAllowed) return <p class="small">{page.link.notAllowed}</p>
  return (
    <form method="post" action={`${DOCUMENTS_PATH}/${document.id}/recipients/${recipient.id}/signing-link`} class="hand-out">
      <Csrf />
      <Button small icon="link">
        {page.link.create}
        <span class="unseen"> {nameOf(recipient, texts)}</span>
      </Button>
      <p class="quiet small">{page.link.before}</p>
    </form>
  )
}

function Correct({ recipient, document, correcting, texts: { page } }: Omit<PersonProps, 'index'>) {
  const own = correcting?.recipientId === recipient.id ? correcting : undefined
  const errors = own?.errors ?? []
  const { id } = recipient
  const isAsked = recipient.status !== 'created'
  const asked = isMailed(recipient)
    ? { text: page.correctText, act: page.correctNow }
    : { text: page.correctTextByLink, act: page.correctNowBefore }
  const wrong = errors[0]?.path
  const members = [
    { name: 'name', label: page.name, value: own?.name ?? recipient.name, inputMode: 'text', maxLength: MAX_PERSON_NAME },
    { name: 'email', label: page.email, value: own?.email ?? recipient.email, inputMode: 'email', maxLength: MAX_EMAIL_LENGTH },
  ] as const
  return (
    <details class="correct" id={`correct-${id}`} open={own !== undefined}>
      <summary class="button quiet compact">
        <Icon name="pencil" />
        <span>{page.correct}</span>
      </summary>
      <form method="post" action={`${DOCUMENTS_PATH}/${document.id}/recipients/${id}/correct`} noValidate>
        <Csrf />
        <p class="small">{isAsked ? asked.text : page.correctTextBefore}</p>
        {members.map(({ name, label, ...rest }) => {
          const ids = `${name}-${id}`
          const found = errors.filter(({ path }) => path === name).map(error => ({ ...error, path: ids }))
          return (
            <div key={name}>
              <label for={ids}>{label}</label>
              <FieldError name={ids} label={label} errors={found} />
              <input
                id={ids}
                name={name}
                type="text"
                dir="auto"
                {...rest}
                {...ariaOf(ids, found)}
                {...(wrong === name ? { autofocus: true } : {})}
              />
              {name === 'email' && <AddressQuestion value={rest.value} />}
            </div>
          )
        })}
        <div class="form-actions">
          <Button>{isAsked ? asked.act : page.correctNowBefore}</Button>
        </div>
      </form>
    </details>
  )
}
