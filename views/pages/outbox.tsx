/** The latest e-mails of the instance, and one of them as it is stored in the outbox folder. */
import { type PageContext, PageHead, type PageUser } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import type { IconName } from '../parts/icons.ts'
import { Callout } from '../parts/notice.tsx'
import { type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout } from './settings-layout.tsx'

export interface MailRow {
  id: string
  subject: string
  to: string
  status: string
  statusText: string
  reply: string
  time: string
}

interface ListProps {
  context: PageContext
  user: PageUser
  rows: MailRow[]
  /** Set if no mail server is set: e-mails are written to it. */
  folder: string | undefined
}

const STATUS_LOOKS: Record<string, { tone: Tone; icon: IconName }> = {
  queued: { tone: 'neutral', icon: 'clock' },
  accepted: { tone: 'good', icon: 'mail-check' },
  failed: { tone: 'bad', icon: 'mail-x' },
}

export function OutboxPage({ context, user, rows, folder }: ListProps) {
  const t = context.texts.settings.email
  const { type, to, status, reply, time } = t.columns
  const hasReplies = rows.some(row => row.reply)
  return (
    <SettingsLayout context={context} user={user} here="/settings/email">
      <PageHead title={t.title} />
      {folder && (
        <Callout tone="info" title={t.notSent}>
          <p>
            <CodeText text={t.notSentText(folder)} />
          </p>
        </Callout>
      )}
      {rows.length === 0 ? (
        <div class="table">
          <EmptyState icon="mail" title={t.empty}>
            {t.emptyText}
          </EmptyState>
        </div>
      ) : (
        <Table>
          <TableHead columns={[type, to, status, ...(hasReplies ? [reply] : []), time]} />
          <tbody>
            {rows.map(row => (
              <tr key={row.id}>
                <td class="title">{folder ? <a href={`/outbox/${row.id}`}>{row.subject}</a> : row.subject}</td>
                <td class="break">{row.to}</td>
                <td class="nowrap">
                  <Badge {...(STATUS_LOOKS[row.status] ?? { tone: 'neutral' })}>{row.statusText}</Badge>
                </td>
                {hasReplies && <td class="small break">{row.reply}</td>}
                <td class="small quiet nowrap">{row.time}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </SettingsLayout>
  )
}

/** The signing link in an e-mail, so that the service can be tried out without a mail server. */
type Link = { text: string; href: string }

interface MailProps {
  context: PageContext
  user: PageUser
  mail: {
    subject: string
    from: string
    to: string
    date: string
    text: string
    attachments: string[]
    link: Link | undefined
  }
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

export function MailPage({ context, user, mail }: MailProps) {
  const t = context.texts.settings.email
  return (
    <SettingsLayout context={context} user={user} here="/settings/email">
      <PageHead title={mail.subject} back={{ href: '/outbox', text: t.all }} />
      <div class="sheet">
        <Facts
          facts={[
            [t.from, mail.from],
            [t.to, mail.to],
            [t.date, mail.date],
            ...(mail.attachments.length > 0 ? ([[t.attachments, mail.attachments.join(', ')]] satisfies Fact[]) : []),
          ]}
        />
      </div>
      <div class="sheet lines letter">
        <LinkedText text={mail.text} link={mail.link} />
      </div>
    </SettingsLayout>
  )
}
