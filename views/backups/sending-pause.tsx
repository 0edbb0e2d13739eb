/** The question before sending is resumed after a restore, with what waits. */
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import type { SendingPause } from '../../src/settings/sending-pause.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { ErrorSummary } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

interface Props {
  context: PageContext
  clock: Clock
  /** Undefined if sending is not paused. */
  pause: SendingPause | undefined
  /** Of the links in mails. */
  baseUrl: string
  waiting: { mails: number; webhooks: number; reminders: number; expiring: number }
}

export function SendingPausePage({ context, clock, pause, baseUrl, waiting }: Props) {
  const t = context.texts.backups.pause
  const at = (moment: Date) => pageTime(moment, clock.timeZone, clock.language)
  if (!pause) {
    return (
      <SettingsLayout context={context} here="/settings/backups">
        <PageHead title={t.notPaused} />
        <p>{t.notPausedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} here="/settings/backups">
      <PageHead title={t.title}>
        <p class="quiet">{t.lead(at(pause.since), at(pause.backupMadeAt))}</p>
      </PageHead>
      <p>{t.why}</p>
      <p>{t.test}</p>
      <Callout tone="warn" title={t.original}>
        <p>{t.originalText}</p>
        <p>{t.links(baseUrl)}</p>
      </Callout>
      <ErrorSummary />
      <Waiting texts={t} waiting={waiting} />
      <ConfirmedForm action="/settings/backups/resume" reason={t.reason} submit={t.resume} kind="danger">
        <p>{t.irreversible}</p>
      </ConfirmedForm>
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
