/** The e-mails of the instance, and one of them: what became of it, and what can be done. */
import { DOCUMENTS_PATH, MAIL_PATH, OUTBOX_PATH } from '../../src/core/page-paths.ts'
import { MAX_RETURN_REASON } from '../../src/core/service-limits.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { Mail } from '../../src/outbox/queries.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import type { IconName } from '../parts/icons.ts'
import { Callout, Notice } from '../parts/notice.tsx'
import { useClock, usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'

export const MAIL_FILTERS = ['all', 'queued', 'failed', 'accepted'] as const
export type MailFilter = (typeof MAIL_FILTERS)[number]

interface ListProps {
  context: PageContext
  mails: readonly Mail[]
  filter: MailFilter
  /** Set if the list is cut there. */
  limit: number | undefined
  /** Set if no mail server is set: e-mails are written to it. */
  folder: string | undefined
}

const STATUS_LOOKS: Record<Mail['status'] | 'written', { tone: Tone; icon: IconName; word: keyof StatusWords }> = {
  queued: { tone: 'neutral', icon: 'clock', word: 'queued' },
  accepted: { tone: 'good', icon: 'mail-check', word: 'sent' },
  failed: { tone: 'bad', icon: 'mail-x', word: 'failed' },
  written: { tone: 'info', icon: 'mail', word: 'written' },
}

type StatusWords = AppTexts['settings']['email']['status']

/** `isWritten`: it is in the outbox folder, and no server ever had it. */
function StatusBadge({ status, isWritten }: { status: Mail['status']; isWritten: boolean }) {
  const { word, ...look } = STATUS_LOOKS[status === 'accepted' && isWritten ? 'written' : status]
  return <Badge {...look}>{usePageTexts().settings.email.status[word]}</Badge>
}

/** By its kind where it is not known. */
export function subjectOf({ kind, notice }: Mail, { settings }: AppTexts): string {
  const kinds: Partial<Record<string, string>> = settings.email.kinds
  return notice?.subject ?? kinds[kind] ?? kind
}

const timeOf = ({ sentAt, createdAt }: Mail, clock: Clock) => pageTime(sentAt ?? createdAt, clock)

const mailboxOf = ({ name, email }: Mail) => `${name} <${email}>`

export function OutboxPage({ context, mails, filter, limit, folder }: ListProps) {
  const { settings, mail } = context.texts
  const [t, own] = [settings.email, mail.outboxPage]
  const tabs = MAIL_FILTERS.map(name => ({
    href: name === 'all' ? OUTBOX_PATH : `${OUTBOX_PATH}?state=${name}`,
    text: own.filters[name],
    isCurrent: name === filter,
  }))
  return (
    <SettingsLayout context={context} here={MAIL_PATH}>
      <PageHead title={own.title} back={{ href: MAIL_PATH, text: mail.title }}>
        <p class="quiet">{own.lead}</p>
      </PageHead>
      {folder && (
        <Callout tone="info" title={t.notSent}>
          <p>
            <CodeText text={t.notSentText(folder)} />
          </p>
        </Callout>
      )}
      <Tabs label={own.filtersLabel} tabs={tabs} />
      {mails.length === 0 ? (
        <EmptyState inTable icon="mail" title={filter === 'all' ? t.empty : own.none}>
          {filter === 'all' && t.emptyText}
        </EmptyState>
      ) : (
        <MailTable mails={mails} isWritten={folder !== undefined} />
      )}
      {limit !== undefined && <p class="small quiet">{own.limit(limit)}</p>}
    </SettingsLayout>
  )
}

function MailTable({ mails, isWritten }: Pick<ListProps, 'mails'> & { isWritten: boolean }) {
  const texts = usePageTexts()
  const clock = useClock()
  const { type, to, status, time } = texts.settings.email.columns
  return (
    <Table>
      <TableHead columns={[type, to, status, time]} />
      <tbody>
        {mails.map(mail => (
          <tr key={mail.id}>
            <td class="title">
              <a href={`${OUTBOX_PATH}/${mail.id}`}>{subjectOf(mail, texts)}</a>
              {mail.reply && mail.status !== 'accepted' && <div class="small quiet break">{texts.storedText(mail.reply)}</div>}
            </td>
            <td class="break">{mailboxOf(mail)}</td>
            <td class="nowrap">
              <StatusBadge status={mail.status} isWritten={isWritten} />
            </td>
            <td class="small quiet nowrap">{timeOf(mail, clock)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The signing link in an e-mail, so that the service can be tried out without a mail server. */
type Link = { text: string; href: string }

export interface StoredMail {
  from: string
  text: string
  hasHtml: boolean
  attachments: string[]
  link: Link | undefined
}

interface MailProps {
  context: PageContext
  notice: string | undefined
  subject: string
  mail: Mail
  /** The file in the outbox folder, if it is there. */
  stored: StoredMail | undefined
}

function LinkedText({ text, link }: { text: string; link: Link | undefined }) {
  const at = link ? text.indexOf(link.text) : -1
  if (!link || at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <a class="break" href={link.href}>
        {link.text}
      </a>
      {text.slice(at + link.text.length)}
    </>
  )
}

export function MailPage({ context, notice, subject, mail, stored }: MailProps) {
  const { settings, mail: texts, storedText } = context.texts
  const [t, own] = [settings.email, texts.outboxPage]
  const isWritten = stored !== undefined
  const isAccepted = mail.status === 'accepted'
  const facts: Fact[] = [
    [t.columns.status, <StatusBadge status={mail.status} isWritten={isWritten} />],
    ...(stored ? ([[t.from, stored.from]] satisfies Fact[]) : []),
    [t.to, mailboxOf(mail)],
    [t.date, timeOf(mail, context.clock)],
    ...(mail.reply && !(isAccepted && isWritten) ? ([[own.reply, storedText(mail.reply)]] satisfies Fact[]) : []),
    ...(mail.documentId
      ? ([[own.document, <a href={`${DOCUMENTS_PATH}/${mail.documentId}`}>{own.openDocument}</a>]] satisfies Fact[])
      : []),
    ...(stored?.attachments.length
      ? ([[t.attachments, <Attachments id={mail.id} names={stored.attachments} />]] satisfies Fact[])
      : []),
  ]
  return (
    <SettingsLayout context={context} here={MAIL_PATH}>
      <PageHead title={subject} back={{ href: OUTBOX_PATH, text: t.all }} />
      <Notice text={notice} />
      <div class="sheet">
        <Facts facts={facts} />
        <div class="row">
          {!isAccepted && (
            <ActionForm
              action={`${OUTBOX_PATH}/${mail.id}/retry`}
              text={mail.status === 'queued' ? own.retryWaiting : own.retry}
              kind="plain"
            />
          )}
          {isAccepted && !isWritten && <LinkButton href={`${OUTBOX_PATH}/${mail.id}/fail`}>{own.markFailed}</LinkButton>}
        </div>
      </div>
      {stored ? <Content id={mail.id} stored={stored} context={context} /> : <p class="quiet">{own.notKept}</p>}
    </SettingsLayout>
  )
}

function Attachments({ id, names }: { id: string; names: string[] }) {
  return (
    <>
      {names.map((name, i) => (
        <div key={name}>
          <a class="break" href={`${OUTBOX_PATH}/${id}/attachments/${i + 1}`} download>
            {name}
          </a>
        </div>
      ))}
    </>
  )
}

function Content({ id, stored, context }: { id: string; stored: StoredMail; context: PageContext }) {
  const own = context.texts.mail.outboxPage
  return (
    <>
      <h2>{own.text}</h2>
      <div class="sheet lines letter">
        <LinkedText text={stored.text} link={stored.link} />
      </div>
      {stored.hasHtml && (
        <>
          <h2>{own.html}</h2>
          <iframe class="mail-frame" title={own.html} src={`${OUTBOX_PATH}/${id}/html`} sandbox="" loading="lazy" />
        </>
      )}
    </>
  )
}

interface FailProps {
  context: PageContext
  id: string
  to: string
  reason: string
}

export function FailMailPage({ context, id, to, reason }: FailProps) {
  const { frame, mail } = context.texts
  const own = mail.outboxPage
  return (
    <SettingsLayout context={context} here={MAIL_PATH}>
      <h1>{own.failQuestion(to)}</h1>
      <p>
        <CodeText text={own.failText} />
      </p>
      <ErrorSummary labels={{ reason: own.reason }} />
      <form method="post" action={`${OUTBOX_PATH}/${id}/fail`} class="sheet">
        <Csrf />
        <Input name="reason" label={own.reason} hint={own.reasonHint} value={reason} maxLength={MAX_RETURN_REASON} />
        <div class="form-actions">
          <Button kind="danger">{own.fail}</Button>
          <a href={`${OUTBOX_PATH}/${id}`}>{frame.cancel}</a>
        </div>
      </form>
    </SettingsLayout>
  )
}
