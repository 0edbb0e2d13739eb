/** Settings → Health: one row for each check, with a word, a sentence and where it is mended. */
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { ActionForm, Csrf } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'

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

interface Props {
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
  Props['verdict'],
  keyof AppTexts['health']
>

export function HealthPage({ context, notice, verdict, rows, deep, deepState, isDeepRunning }: Props) {
  const t = context.texts.health
  return (
    <SettingsLayout context={context} here="/settings/health">
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
          <ActionForm action="/settings/health/check" text={t.checkNow} kind="plain" />
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
                <form method="post" action="/settings/health/retry">
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
