/** The mails that were sent or wait, and one of them as it lies in the outbox folder. */
import { Layout, type PageContext, Status } from '../layout.tsx'

type User = { name: string; csrf: string; section: string }

export interface MailRow {
  /** As people call the status. */
  statusWord: string
  id: string
  subject: string
  to: string
  status: string
  reply: string
  time: string
}

interface ListProps {
  context: PageContext
  user: User
  rows: MailRow[]
  /** Where mails go when no mail server is set. */
  folder: string | undefined
}

export function OutboxPage({ context, user, rows, folder }: ListProps) {
  const hasReplies = rows.some(row => row.reply)
  return (
    <Layout context={context} user={user}>
      <h1>Mail</h1>
      {folder && (
        <div class="note">
          <strong>No mail leaves this machine yet</strong>, because no mail server is set. You can read the mails here; they lie
          in <code class="break">{folder}</code>. Set <code>SIGNET_SMTP_URL</code> to send them.
        </div>
      )}
      <div class="sheet">
        {rows.length === 0 ? (
          <p class="quiet">No mail yet.</p>
        ) : (
          <table class="stack">
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">To</th>
                <th scope="col">Status</th>
                {hasReplies && <th scope="col">The mail server’s words</th>}
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.id}>
                  <td class="title">{folder ? <a href={`/outbox/${row.id}`}>{row.subject}</a> : row.subject}</td>
                  <td class="break">{row.to}</td>
                  <td class="nowrap">
                    <Status state={row.status} word={row.statusWord} />
                  </td>
                  {hasReplies && <td class="small break">{row.reply}</td>}
                  <td class="small quiet nowrap">{row.time}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Layout>
  )
}

interface MailProps {
  context: PageContext
  user: User
  mail: { subject: string; from: string; to: string; date: string; text: string; attachments: string[]; link: Link | undefined }
}

/** The signing link of a mail, so that a service without a mail server can be tried out. */
type Link = { text: string; href: string }

function Linked({ text, link }: { text: string; link: Link | undefined }) {
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
    <Layout context={context} user={user}>
      <p class="small">
        <a href="/outbox">← All mail</a>
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
              <dt>Attached</dt>
              <dd>{mail.attachments.join(', ')}</dd>
            </>
          )}
        </dl>
      </div>
      <div class="sheet lines">
        <Linked text={mail.text} link={mail.link} />
      </div>
    </Layout>
  )
}
