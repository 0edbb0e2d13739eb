/** The instance's e-mails, for administrators. Their texts are here only without a mail server. */
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { FailMailPage, MAIL_FILTERS, MailPage, OutboxPage, type StoredMail, subjectOf } from '../../../../views/outbox/outbox.tsx'
import { CONFIRM_PATH, OUTBOX_PATH } from '../../../core/page-paths.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { markMailFailed, retryMail } from '../../../documents/lifecycle/mail-facts.ts'
import { attachment } from '../../../lib/file-names.ts'
import { isMissing } from '../../../lib/files.ts'
import type { ShownError } from '../../../locales/app.ts'
import { fileNameOf } from '../../../mailer/outbox-folder.ts'
import { folderInUse } from '../../../outbox/configured-mailer.ts'
import { fileIdentityOf, outboxFolder } from '../../../outbox/outbox.ts'
import { latestMails, type Mail, mailById } from '../../../outbox/queries.ts'
import { type PageResponse, type PageRoute, runFormAction, type Visit } from '../../frame/page.tsx'
import { MAIL_HEADERS } from '../../frame/page-policy.ts'
import { choiceIn } from '../../frame/query.ts'
import { idOf, originOf } from '../documents/sender-visit.ts'
import { sessionOf } from '../settings/settings-access.ts'

const SHOWN = 100

async function load(visit: Visit): Promise<Mail> {
  const mail = await mailById(visit.app.db, idOf(visit))
  if (!mail) throw new Refusal('not_found', violation('email_missing'))
  return mail
}

/** The e-mail in the outbox folder, `undefined` if it is not there. */
async function readStored({ app }: Visit, mail: Mail): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(await app.fileSystem.read(join(outboxFolder(app), fileNameOf(fileIdentityOf(app, mail)))))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** For the parts of a stored e-mail. */
async function demandStored(visit: Visit): Promise<Email> {
  const stored = await readStored(visit, await load(visit))
  if (!stored) throw new Refusal('not_found', violation('email_not_in_outbox'))
  return stored
}

/** The signing link has a line of its own; links below it may come from the sender's message. */
function ownLink({ app }: Visit, text: string): { text: string; href: string } | undefined {
  const found = text.split(/\r?\n/).find(line => line.startsWith(`${app.config.baseUrl}/s/`))
  return found === undefined ? undefined : { text: found, href: found.slice(app.config.baseUrl.length) }
}

export async function listPage(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const filter = choiceIn(visit.query, 'state', MAIL_FILTERS) ?? 'all'
  const mails = await latestMails(app.db, SHOWN, filter === 'all' ? undefined : filter)
  const folder = await folderInUse(app)
  return {
    html: (
      <OutboxPage
        context={visit.context(visit.texts.mail.outboxPage.title)}
        mails={mails}
        filter={filter}
        limit={mails.length === SHOWN ? SHOWN : undefined}
        folder={folder}
      />
    ),
  }
}

/** Pictures that the text shows are no attachments to a reader. */
const isAttached = ({ disposition }: Part) => disposition !== 'inline'

type Part = Email['attachments'][number]

const bytesOf = ({ content }: Part) => (typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)))

/** With the pictures in the text itself: the frame loads nothing. */
function withPictures(html: string, { attachments }: Email): string {
  return attachments.reduce((text, part) => {
    const cid = part.contentId?.replace(/^<|>$/g, '')
    const data = `data:${part.mimeType};base64,${bytesOf(part).toString('base64')}`
    return cid === undefined ? text : text.replaceAll(`src="cid:${cid}"`, `src="${data}"`)
  }, html)
}

function storedView(visit: Visit, { from, text = '', html, attachments }: Email): StoredMail {
  const { file } = visit.texts.settings.email
  return {
    from: from?.address ?? '',
    text,
    hasHtml: Boolean(html),
    attachments: attachments.filter(isAttached).map(({ filename }) => filename ?? file),
    link: ownLink(visit, text),
  }
}

export async function mailPage(visit: Visit): Promise<PageResponse> {
  const { texts } = visit
  const mail = await load(visit)
  const stored = await readStored(visit, mail)
  return {
    html: (
      <MailPage
        context={visit.context(subjectOf(mail, texts))}
        notice={visit.noticeIn(texts.mail.outboxPage.notices)}
        subject={stored?.subject ?? subjectOf(mail, texts)}
        mail={mail}
        stored={stored && storedView(visit, stored)}
      />
    ),
    hasFrame: true,
  }
}

export async function htmlPart(visit: Visit): Promise<PageResponse> {
  const stored = await demandStored(visit)
  const { html } = stored
  if (!html) throw new Refusal('not_found', violation('email_not_in_outbox'))
  return { response: new Response(withPictures(html, stored), { headers: MAIL_HEADERS }) }
}

export async function attachmentPart(visit: Visit): Promise<PageResponse> {
  const { attachments } = await demandStored(visit)
  const found = attachments.filter(isAttached)[Number(visit.params.number) - 1]
  if (!found) throw new Refusal('not_found', violation('email_not_in_outbox'))
  const { filename } = found
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': attachment(filename ?? visit.texts.settings.email.file),
    'cache-control': 'no-store',
  }
  return { response: new Response(bytesOf(found), { headers }) }
}

export async function failPage(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { email } = await load(visit)
  return {
    html: (
      <FailMailPage
        context={visit.context(visit.texts.mail.outboxPage.failTitle, { errors })}
        id={idOf(visit)}
        to={email}
        reason={visit.form.reason ?? ''}
      />
    ),
    status,
  }
}

export async function fail(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const id = idOf(visit)
  const result = await runFormAction(() => markMailFailed(app, originOf(visit), id, form.reason ?? ''))
  return 'errors' in result ? failPage(visit, result.errors, result.status) : { redirect: `${OUTBOX_PATH}/${id}?notice=failed` }
}

export async function retry(visit: Visit): Promise<PageResponse> {
  await retryMail(visit.app, idOf(visit))
  return { redirect: `${OUTBOX_PATH}/${idOf(visit)}?notice=retried` }
}

/** Mails of accounts have links that open one: not for somebody at an open browser. */
export const guarded =
  (run: PageRoute['run']) =>
  async (visit: Visit): Promise<PageResponse> => {
    const { kind } = await load(visit)
    if (kind !== 'notice' || sessionOf(visit).confirmed) return run(visit)
    return { redirect: `${CONFIRM_PATH}?next=${encodeURIComponent(`${OUTBOX_PATH}/${idOf(visit)}`)}` }
  }
