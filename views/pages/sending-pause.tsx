/** The question before sending is resumed after a restore, with what waits. */
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

interface Props {
  context: PageContext
  user: SettingsUser
  clock: Clock
  errors: ValidationErrors
  asksForPassword: boolean
  /** Undefined if sending is not paused. */
  pause: { since: Date; backupMadeAt: Date } | undefined
  /** Of the links in mails. */
  baseUrl: string
  waiting: { mails: number; webhooks: number; reminders: number; expiring: number }
}

export function SendingPausePage({ context, user, clock, errors, asksForPassword, pause, baseUrl, waiting }: Props) {
  const t = context.texts.backups.pause
  const at = (moment: Date) => pageTime(moment, clock.timeZone, clock.language)
  if (!pause) {
    return (
      <SettingsLayout context={context} user={user} here="/settings/backups">
        <PageHead title={t.notPaused} />
        <p>{t.notPausedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} user={user} here="/settings/backups">
      <PageHead title={t.title}>
        <p class="quiet">{t.lead(at(pause.since), at(pause.backupMadeAt))}</p>
      </PageHead>
      <p>{t.why}</p>
      <p>{t.test}</p>
      <Callout tone="warn" title={t.original}>
        <p>{t.originalText}</p>
        <p>{t.links(baseUrl)}</p>
      </Callout>
      <ErrorSummary errors={errors} labels={{ password: context.texts.settings.password.label }} />
      <Waiting texts={t} waiting={waiting} />
      <form method="post" action="/settings/backups/resume" class="sheet">
        <Csrf token={user.csrf} />
        <p>{t.irreversible}</p>
        <PasswordAgain asked={asksForPassword} reason={t.reason} errors={errors} />
        <div class="form-actions">
          <Button kind="danger">{t.resume}</Button>
        </div>
      </form>
    </SettingsLayout>
  )
}

function Waiting({ texts: t, waiting }: { texts: PageContext['texts']['backups']['pause']; waiting: Props['waiting'] }) {
  const names = (['mails', 'webhooks', 'reminders', 'expiring'] as const).filter(name => waiting[name] > 0)
  if (names.length === 0) return <Callout tone="info">{<p>{t.nothing}</p>}</Callout>
  return (
    <Callout
      tone="warn"
      title={t.waits}
      actions={
        waiting.mails > 0 && (
          <a class="button plain" href="/outbox">
            {t.seeMails}
          </a>
        )
      }
    >
      <ul>
        {names.map(name => (
          <li key={name}>{t[name](waiting[name])}</li>
        ))}
      </ul>
    </Callout>
  )
}
