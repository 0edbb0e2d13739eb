/**
 * Settings → Health: one row for each check, with a word, a sentence and where it is mended; the
 * upgrade and the clock.
 */
import { CLOCK_PATH, HEALTH_PATH } from '../../src/core/page-paths.ts'
import type { ClockDoubt } from '../../src/health/queries.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'

export interface HealthRow {
  tone: Exclude<Tone, 'neutral'>
  name: string
  /** A sentence. */
  text: string
  /** The page where it is mended. */
  href?: string
  /** The kind of work that can be tried again now. */
  retry?: string
}

interface HealthProps {
  context: PageContext
  notice: string | undefined
  verdict: 'good' | 'warn' | 'bad'
  rows: { alerts: HealthRow[]; service: HealthRow[]; work: HealthRow[] }
  /** What the thorough checks found. */
  deep: HealthRow[]
  deepState: string
  isDeepRunning: boolean
}

const VERDICTS = { good: 'allWell', warn: 'needsAttention', bad: 'needsAction' } as const satisfies Record<
  HealthProps['verdict'],
  keyof AppTexts['health']
>

export function HealthPage({ context, notice, verdict, rows, deep, deepState, isDeepRunning }: HealthProps) {
  const t = context.texts.health
  return (
    <SettingsLayout context={context} here={HEALTH_PATH}>
      <PageHead title={t.title} />
      <Notice text={notice} />
      <Callout tone={verdict} title={t[VERDICTS[verdict]]} />
      {rows.alerts.length > 0 && <Section title={t.alerts} rows={rows.alerts} />}
      <Section title={t.service} rows={rows.service} />
      <Section title={t.work} rows={rows.work} />
      <h2>{t.deep}</h2>
      <p class="quiet">
        <CodeText text={t.deepText} /> {deepState}
      </p>
      {deep.length > 0 && <Rows label={t.deep} rows={deep} />}
      {!isDeepRunning && (
        <div class="health-run">
          <ActionForm action={`${HEALTH_PATH}/check`} text={t.checkNow} kind="plain" />
        </div>
      )}
    </SettingsLayout>
  )
}

function Section({ title, rows }: { title: string; rows: HealthRow[] }) {
  return (
    <>
      <h2>{title}</h2>
      <Rows label={title} rows={rows} />
    </>
  )
}

function Rows({ label, rows }: { label: string; rows: HealthRow[] }) {
  const t = usePageTexts().health
  return (
    <Table label={label} class="stack health">
      <TableHead columns={[t.columns.check, t.columns.finding, t.columns.state]} actions={t.columns.link} />
      <tbody>
        {rows.map(({ tone, name, text, href, retry }) => (
          <tr key={`${name} ${text}`}>
            <td class="title">{name}</td>
            <td class="break">{text}</td>
            <td class="nowrap">
              <Badge tone={tone}>{t.words[tone]}</Badge>
            </td>
            <td class="link">
              {href && (
                <a href={href}>
                  {t.mend}
                  <span class="unseen">: {name}</span>
                </a>
              )}
              {retry && (
                <form method="post" action={`${HEALTH_PATH}/retry`}>
                  <Csrf />
                  <input type="hidden" name="kind" value={retry} />
                  <button type="submit" class="button plain compact" aria-label={t.retryOf(name)}>
                    {t.retry}
                  </button>
                </form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

// Health → Upgrade: what is new waits until no node of the release before is left.

interface UpgradeProps {
  context: PageContext
  isFinished: boolean
  /** Names and versions of nodes that would ignore what is new. */
  older: { name: string; version: string }[]
  /** What cannot be used yet, in words. */
  waiting: string[]
  leftHours: number
}

export function UpgradePage({ context, isFinished, older, waiting, leftHours }: UpgradeProps) {
  const t = context.texts.upgrade
  if (isFinished) {
    return (
      <SettingsLayout context={context} here={HEALTH_PATH}>
        <PageHead title={t.finished} />
        <p>{t.finishedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} here={HEALTH_PATH}>
      <PageHead title={t.title}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Callout tone="info" title={t.waiting}>
        <ul>
          {waiting.map(name => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </Callout>
      <ErrorSummary />
      {older.length > 0 ? (
        <Callout tone="warn" title={t.older}>
          <ul>
            {older.map(({ name, version }) => (
              <li key={name}>{t.node(name, version)}</li>
            ))}
          </ul>
        </Callout>
      ) : (
        <ConfirmedForm action={`${HEALTH_PATH}/upgrade`} reason={t.reason} submit={t.finish} kind="danger">
          <p>{t.byItself(leftHours)}</p>
          <p>{t.irreversible}</p>
        </ConfirmedForm>
      )}
    </SettingsLayout>
  )
}

// What the clock shows and what the data knows, and the question which of them is right.

interface ClockProps {
  context: PageContext
  /** Undefined if the clock is believed. */
  doubt: ClockDoubt | undefined
}

export function ClockPage({ context, doubt }: ClockProps) {
  const { clock } = context
  const t = context.texts.health.clockPage
  const at = (moment: Date) => pageTime(moment, clock)
  const found: Fact[] = doubt
    ? [
        [t.shown, at(doubt.shown)],
        [t.known, at(doubt.known)],
      ]
    : []
  const times = <Facts facts={[[t.now, at(clock.now)], ...found]} />
  if (!doubt) {
    return (
      <SettingsLayout context={context} here={HEALTH_PATH}>
        <PageHead title={t.believed} />
        {times}
        <p>{t.believedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} here={HEALTH_PATH}>
      <PageHead title={t.title}>
        <p class="quiet">{t.lead[doubt.direction]}</p>
      </PageHead>
      <ErrorSummary />
      {times}
      <Callout tone="warn" title={t.waits}>
        <p>{t.waitsText}</p>
      </Callout>
      <form method="post" action={CLOCK_PATH} class="sheet">
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
