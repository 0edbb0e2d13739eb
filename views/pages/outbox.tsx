/** The latest e-mails of the instance, and one of them as it is stored in the outbox folder. */
import { type PageContext, type PageUser, Status } from '../layout.tsx'
import { TableHead } from '../parts/table.tsx'
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

export function OutboxPage({ context, user, rows, folder }: ListProps) {
  const hasReplies = rows.some(row => row.reply)
  return (
    <SettingsLayout context={context} user={user} here="/outbox">
      <h1>E-mail</h1>
      {folder && (
        <div class="note">
          <strong>E-mails are not sent yet</strong>, because no mail server is set. You can read them here; they are stored in{' '}
          <code class="break">{folder}</code>. Set <code>SIGNET_SMTP_URL</code> to send them.
        </div>
      )}
      <div class="sheet">
        {rows.length === 0 ? (
          <p class="quiet">No e-mails yet.</p>
        ) : (
          <table class="stack">
            <TableHead columns={['Type', 'To', 'Status', ...(hasReplies ? ['Reply from the mail server'] : []), 'Time']} />
            <tbody>
              {rows.map(row => (
                <tr key={row.id}>
                  <td class="title">{folder ? <a href={`/outbox/${row.id}`}>{row.subject}</a> : row.subject}</td>
                  <td class="break">{row.to}</td>
                  <td class="nowrap">
                    <Status state={row.status} text={row.statusText} />
                  </td>
                  {hasReplies && <td class="small break">{row.reply}</td>}
                  <td class="small quiet nowrap">{row.time}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
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
  return (
    <SettingsLayout context={context} user={user} here="/outbox">
      <p class="small">
        <a href="/outbox">← All e-mails</a>
      </p>
      <h1>{mail.subject}</h1>
      <div class="sheet">
        <dl>
          <dt>From</dt>
          <dd>{mail.from}</dd>
          <dt>To</dt>
          <dd>{mail.to}</dd>
          <dt>Date</dt>
          <dd>{mail.date}</dd>
          {mail.attachments.length > 0 && (
            <>
              <dt>Attachments</dt>
              <dd>{mail.attachments.join(', ')}</dd>
            </>
          )}
        </dl>
      </div>
      <div class="sheet lines">
        <LinkedText text={mail.text} link={mail.link} />
      </div>
    </SettingsLayout>
  )
}
