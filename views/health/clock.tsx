/** What the clock shows and what the data knows, and the question which of them is right. */
import type { ClockDoubt } from '../../src/health/clock-queries.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { type Fact, Facts } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'

interface Props {
  context: PageContext
  clock: Clock
  /** Undefined if the clock is believed. */
  doubt: ClockDoubt | undefined
}

export function ClockPage({ context, clock, doubt }: Props) {
  const t = context.texts.health.clockPage
  const at = (moment: Date) => pageTime(moment, clock.timeZone, clock.language)
  const found: Fact[] = doubt
    ? [
        [t.shown, at(doubt.shown)],
        [t.known, at(doubt.known)],
      ]
    : []
  const times = <Facts facts={[[t.now, at(clock.now)], ...found]} />
  if (!doubt) {
    return (
      <SettingsLayout context={context} here="/settings/health">
        <PageHead title={t.believed} />
        {times}
        <p>{t.believedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} here="/settings/health">
      <PageHead title={t.title}>
        <p class="quiet">{t.lead[doubt.direction]}</p>
      </PageHead>
      <ErrorSummary />
      {times}
      <Callout tone="warn" title={t.waits}>
        <p>{t.waitsText}</p>
      </Callout>
      <form method="post" action="/settings/clock" class="sheet">
        <Csrf />
        <p>{t.right}</p>
        <p>{t.corrected}</p>
        <PasswordAgain reason={t.reason} />
        {/* The first one is what the Enter key presses: it is refused while the clock is as it was. */}
        <div class="form-actions">
          <Button kind="plain" name="answer" value="corrected">
            {t.correctedButton}
          </Button>
          <Button kind="danger" name="answer" value="right">
            {t.rightButton}
          </Button>
        </div>
      </form>
    </SettingsLayout>
  )
}
