/** Settings → E-mail. Saving asks for the password again: e-mails carry signing links. */
import { composeLetter } from '../../../../views/mail/mail.tsx'
import { MailSettingsPage, type MailTestResult, type MailValues } from '../../../../views/settings/mail-settings.tsx'
import { MAIL_PATH } from '../../../core/page-paths.ts'
import { violation } from '../../../core/violation.ts'
import { fromMailbox, inlineLogo, letterFacts, sentVia } from '../../../documents/lifecycle/mail-facts.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import type { MailMessage, MailVerdict } from '../../../mailer/message.ts'
import { folderInUse } from '../../../outbox/configured-mailer.ts'
import {
  lastMailTest,
  type MailSettings,
  readMailSettings,
  saveMailSettings,
  sendTestMail,
} from '../../../outbox/mail-settings.ts'
import { messageIdOf } from '../../../outbox/outbox.ts'
import { type FormState, type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from './settings-access.ts'

const USUAL_PORT = '587'

function storedValues({ server, roots, sender, bulkMailsPerMinute }: MailSettings): MailValues {
  return {
    host: server?.host ?? '',
    port: String(server?.port ?? USUAL_PORT),
    security: server?.security ?? 'starttls',
    user: server?.user ?? '',
    ca: roots && 'pem' in roots ? roots.pem : '',
    senderName: sender.name,
    senderAddress: sender.address,
    bulkMailsPerMinute: String(bulkMailsPerMinute),
  }
}

interface PageState extends FormState {
  test?: MailTestResult
}

export async function page(
  visit: Visit,
  { errors = [], status = 200, asksForPassword, test }: PageState = {},
): Promise<PageResponse> {
  const { app, form, texts } = visit
  const t = texts.mail
  const settings = await readMailSettings(app)
  const { name: organisation, contact } = visit.organisation
  const tested = await lastMailTest(app)
  const { roots, server, fixed } = settings
  return {
    html: (
      <MailSettingsPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        values={{ ...storedValues(settings), ...entered(form) }}
        automaticName={sentVia(organisation)}
        contact={contact}
        hasPassword={server?.hasPassword ?? false}
        fixed={fixed}
        rootsFile={roots && 'file' in roots ? roots.file : undefined}
        state={server === undefined ? 'unset' : tested ? 'tested' : 'untested'}
        folder={await folderInUse(app)}
        tested={tested && t.tested(pageTime(tested.at, visit.clock), tested.to)}
        test={test}
      />
    ),
    status,
  }
}

/** The fields of the form, without passwords. */
function entered({ password: _own, smtpPassword: _server, csrf: _csrf, ...values }: Visit['form']): Partial<MailValues> {
  return values
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const origin = originOf(visit)
  const { host = '', port = '', security = '', user = '', smtpPassword: password = '', ca = '' } = form
  const { senderName = '', senderAddress = '', bulkMailsPerMinute = '' } = form
  const input = { host, port, security, user, password, ca, senderName, senderAddress, bulkMailsPerMinute }
  const result = await runConfirmedAction(visit, () => saveMailSettings(app, origin, input))
  return 'errors' in result ? page(visit, result) : { redirect: `${MAIL_PATH}?notice=saved` }
}

async function testMessage(visit: Visit): Promise<MailMessage> {
  const { app, language } = visit
  const { user } = sessionOf(visit)
  const t = visit.texts.mail
  const letter = { subject: t.testSubject, lead: [t.testParagraph], link: undefined, details: [] }
  const facts = await letterFacts(app, visit.organisation, user, language)
  const { subject, text, html } = composeLetter(letter, facts)
  return {
    messageId: messageIdOf(app, app.newId('mail')),
    from: await fromMailbox(app, facts.organisation),
    to: { name: user.name, address: user.email },
    subject,
    text,
    html,
    attachments: inlineLogo(facts),
    date: app.now(),
  }
}

function resultOf(verdict: MailVerdict): MailTestResult {
  const isAccepted = verdict.outcome === 'accepted'
  if (isAccepted) return { isAccepted, problem: undefined, said: verdict.reply, details: verdict.reply }
  return { isAccepted, problem: verdict.problem, said: verdict.said, details: verdict.reply }
}

export async function test(visit: Visit): Promise<PageResponse> {
  const { app, client } = visit
  const result = await runFormAction(async () => {
    countAttempt(app, 'test mail', client.ip, violation('too_many_tests'))
    return sendTestMail(app, await testMessage(visit))
  })
  return page(visit, 'errors' in result ? result : { test: resultOf(result.done) })
}
