/** The instance's e-mails, for administrators: status and, without a mail server, text. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { MailPage, OutboxPage } from '../../../views/pages/outbox.tsx'
import { Refusal } from '../../core/refusal.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { fileNameOf } from '../../mailer/outbox-folder.ts'
import { folderInUse } from '../../outbox/configured-mailer.ts'
import { fileIdentityOf, outboxFolder } from '../../outbox/outbox.ts'
import { latestMails, type Mail, mailById } from '../../outbox/queries.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { PageRoute, Visit } from '../page.tsx'
import { settingsUser } from './settings-access.ts'

const SHOWN = 100

/** The e-mail in the outbox folder, `undefined` if it is not there. */
async function readMail(visit: Visit, mail: Mail): Promise<Uint8Array | undefined> {
  const folder = outboxFolder(visit.app)
  const name = fileNameOf(fileIdentityOf(visit.app, mail))
  return readFile(join(folder, name)).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function statusText(visit: Visit, { status }: Mail, isWritten: boolean): string {
  const texts = visit.texts.settings.email.status
  if (status === 'accepted') return isWritten ? texts.written : texts.sent
  return status === 'queued' ? texts.queued : texts.failed
}

/** The last signing link in the text: links above it may come from the sender's message. */
function ownLink({ app }: Visit, text: string): { text: string; href: string } | undefined {
  const found = (text.match(/https?:\/\/\S+/g) ?? []).findLast(link => link.startsWith(`${app.config.baseUrl}/s/`))
  return found === undefined ? undefined : { text: found, href: found.slice(app.config.baseUrl.length) }
}

export const outboxPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/outbox',
    access: 'admin',
    run: async visit => {
      const { timeZone } = await readOrganisation(visit.app.db)
      const texts = visit.texts.settings.email
      const mails = await latestMails(visit.app.db, SHOWN)
      const folder = await folderInUse(visit.app)
      const rows = mails.map(mail => ({
        id: mail.id,
        subject: mail.notice?.subject ?? texts.kinds[mail.kind] ?? mail.kind,
        to: `${mail.name} <${mail.email}>`,
        status: mail.status,
        statusText: statusText(visit, mail, folder !== undefined),
        reply: mail.status === 'accepted' && folder !== undefined ? '' : (mail.reply ?? ''),
        time: pageTime(mail.sentAt ?? mail.createdAt, timeZone, visit.language),
      }))
      return {
        html: (
          <OutboxPage
            context={visit.context(visit.texts.settings.email.title)}
            user={settingsUser(visit)}
            rows={rows}
            folder={folder}
          />
        ),
      }
    },
  },
  {
    method: 'GET',
    path: '/outbox/:id',
    access: 'admin',
    run: async visit => {
      const mail = await mailById(visit.app.db, visit.params.id ?? '')
      const raw = mail && (await readMail(visit, mail))
      if (!raw) throw new Refusal('not_found', 'This e-mail is not in the outbox folder.')
      const parsed = await PostalMime.parse(raw)
      const { timeZone } = await readOrganisation(visit.app.db)
      return {
        html: (
          <MailPage
            context={visit.context(visit.texts.settings.email.title)}
            user={settingsUser(visit)}
            mail={{
              subject: parsed.subject ?? '',
              from: parsed.from?.address ?? '',
              to: parsed.to?.map(a => a.address ?? '').join(', ') ?? '',
              date: parsed.date ? pageTime(new Date(parsed.date), timeZone, visit.language) : '',
              text: parsed.text ?? '',
              link: ownLink(visit, parsed.text ?? ''),
              attachments: parsed.attachments.map(a => a.filename ?? visit.texts.settings.email.file),
            }}
          />
        ),
      }
    },
  },
]
