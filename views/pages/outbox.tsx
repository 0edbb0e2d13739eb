/** The mails that were sent or wait, and one of them as it lies in the outbox folder. */
import { type Frame, Layout, Status } from '../layout.tsx'

type User = { name: string; csrf: string; room: string }

export interface MailRow {
  id: string
  subject: string
  to: string
  documentId: string
  status: string
  reply: string
  time: string
}

interface ListProps {
  frame: Frame
  user: User
  rows: MailRow[]
  /** Where mails go when no mail server is set. */
  folder: string | undefined
}

export function OutboxPage({ frame, user, rows, folder }: ListProps) {
  return (
    <Layout frame={frame} user={user}>
      <h1>Mail</h1>
      {folder && (
        <div class="note">
          No mail server is set: mails are not sent, they lie in <code>{folder}</code> and can be read here. Set{' '}
          <code>SIGNET_SMTP_URL</code> to send them.
        </div>
      )}
      <div class="sheet scroll">
        {rows.length === 0 ? (
          <p class="quiet">No mail yet.</p>
        ) : (
          <table class="stack">
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">To</th>
                <th scope="col">Status</th>
                <th scope="col">The mail server’s words</th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.id}>
                  <td>{folder ? <a href={`/outbox/${row.id}`}>{row.subject}</a> : row.subject}</td>
                  <td>{row.to}</td>
                  <td>
                    <Status word={row.status} />
                  </td>
                  <td class="small">{row.reply}</td>
                  <td class="small quiet">{row.time}</td>
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
  frame: Frame
  user: User
  mail: { subject: string; from: string; to: string; date: string; text: string; attachments: string[] }
}

export function MailPage({ frame, user, mail }: MailProps) {
  return (
    <Layout frame={frame} user={user}>
      <p class="small">
        <a href="/outbox">Mail</a>
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
        <pre>{mail.text}</pre>
      </div>
    </Layout>
  )
}
