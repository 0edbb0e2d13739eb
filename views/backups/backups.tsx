/**
 * Settings → Backups: the last and the next one, the latest runs, and the plan; the questions
 * before a download and before sending is resumed.
 */
import type { PlanInput } from '../../src/backups/plan.ts'
import type { BackupRun } from '../../src/backups/run-queries.ts'
import { BACKUPS_PATH, OUTBOX_PATH, RESUME_PATH } from '../../src/core/page-paths.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { SendingPause } from '../../src/settings/sending-pause.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input, Select } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice, OneTimeSecret } from '../parts/notice.tsx'
import { useClock, usePageTexts } from '../parts/page-texts.ts'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'

export type BackupRunRow = BackupRun & { isDownloadable: boolean }

export type BackupValues = Omit<PlanInput, 's3' | 'newPassphrase'>

interface BackupsProps {
  context: PageContext
  notice: string | undefined
  values: BackupValues
  /** Shown once. */
  passphrase: string | undefined
  hasPlan: boolean
  /** In production, while administrators are reminded. */
  isMissed: boolean
  isPaused: boolean
  isOnSameDisk: boolean
  hasS3: boolean
  hasPassphrase: boolean
  /** The master key is in the data folder, and so in each backup. */
  isKeyIncluded: boolean
  /** Backups lack the key, and nobody has tested a copy of it. */
  isKeyCopyMissing: boolean
  frequencies: readonly string[]
  next: Date | undefined
  lastVerified: Date | undefined
  runs: BackupRunRow[]
}

export function BackupsPage(props: BackupsProps) {
  const { context, notice, passphrase, hasPlan } = props
  const { backups: t, frame } = context.texts
  const { frequency, time, keep, place, folder, s3, encryption, recipients } = t
  const plan = { frequency, time, keep, place, folder, s3, encryption, recipients }
  const labels = { ...plan, copy: t.key.copy }
  return (
    <SettingsLayout context={context} here={BACKUPS_PATH}>
      <PageHead title={t.title} actions={hasPlan && <ActionForm action={`${BACKUPS_PATH}/run`} text={t.runNow} />}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      {passphrase && <OneTimeSecret title={t.passphraseTitle} secret={passphrase} hint={t.passphraseHint} texts={frame} />}
      <ErrorSummary labels={labels} />
      <State {...props} />
      {props.isKeyCopyMissing && <KeyCopy />}
      {hasPlan && <Runs {...props} />}
      <h2>{t.settings}</h2>
      <PlanForm {...props} />
    </SettingsLayout>
  )
}

/** Where the engines make their own backups. */
export function EngineBackupsPage({ context }: Pick<BackupsProps, 'context'>) {
  const t = context.texts.backups
  return (
    <SettingsLayout context={context} here={BACKUPS_PATH}>
      <PageHead title={t.title} />
      <p>{t.engines}</p>
    </SettingsLayout>
  )
}

/** Asked until somebody has shown a copy of the present key. */
function KeyCopy() {
  const { backups } = usePageTexts()
  const t = backups.key
  return (
    <Callout tone="warn" title={t.question}>
      <p>{t.why}</p>
      <p>
        <CodeText text={t.print} />
      </p>
      <form method="post" action={`${BACKUPS_PATH}/key-copy`}>
        <Csrf />
        <Input name="copy" label={t.copy} hint={t.copyHint} autoComplete="off" spellcheck={false} />
        <PasswordAgain reason={backups.reason} />
        <div class="form-actions">
          <Button>{t.test}</Button>
        </div>
      </form>
    </Callout>
  )
}

function State({ hasPlan, isKeyIncluded, isMissed, isPaused, isOnSameDisk, next, lastVerified, runs, values }: BackupsProps) {
  const t = usePageTexts().backups
  if (!hasPlan) {
    const later = isMissed && <ActionForm action={`${BACKUPS_PATH}/later`} text={t.later} kind="plain" />
    return (
      <Callout tone="warn" title={t.none} actions={later}>
        <p>{t.noneText}</p>
      </Callout>
    )
  }
  const [newest] = runs
  const facts: Fact[] = [
    [t.last, lastVerified ? <Moment at={lastVerified} /> : t.never],
    [t.key.title, isKeyIncluded ? t.key.isIncluded : t.key.isElsewhere],
    [t.next, isPaused ? t.paused : next ? <Moment at={next} exact /> : t.onRequest],
  ]
  return (
    <>
      {newest && newest.verdict === undefined && (
        <Callout tone="info" title={t.running} actions={<LinkButton href={BACKUPS_PATH}>{t.reload}</LinkButton>}>
          <p>{t.runningText}</p>
        </Callout>
      )}
      {isOnSameDisk && values.place === 'folder' && (
        <Callout tone="warn" title={t.sameDisk}>
          <p>{t.sameDiskText}</p>
        </Callout>
      )}
      <Facts facts={facts} />
    </>
  )
}

export function megabytes(bytes: number, language: string): string {
  const format = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(bytes / 1e6).replace(' ', '\u00a0')
}

const TONES: Record<NonNullable<BackupRun['verdict']> | 'running', Tone> = {
  verified: 'good',
  incomplete: 'warn',
  failed: 'bad',
  running: 'info',
}

function Run({ run }: { run: BackupRunRow }) {
  const clock = useClock()
  const { backups: t, storedText } = usePageTexts()
  const { columns } = t
  const { startedAt, endedAt, verdict = 'running', problem, bytes, documents, removedAt } = run
  return (
    <tr>
      <Cell label={columns.started}>
        <Moment at={startedAt} exact />
      </Cell>
      <Cell label={columns.verdict}>
        <Badge tone={TONES[verdict]}>{t.verdicts[verdict]}</Badge>
        {problem && <div class="small quiet">{storedText(problem)}</div>}
        {removedAt && <div class="small quiet">{t.removed}</div>}
      </Cell>
      <Cell label={columns.size}>{bytes === undefined ? '–' : megabytes(bytes, clock.language)}</Cell>
      <Cell label={columns.documents}>{documents?.toLocaleString(clock.language) ?? '–'}</Cell>
      <Cell label={columns.duration}>{endedAt ? t.minutes((endedAt.getTime() - startedAt.getTime()) / 1000) : '–'}</Cell>
      <td>
        {run.isDownloadable && (
          <LinkButton small href={`${BACKUPS_PATH}/${run.id}/file`}>
            {t.download}
          </LinkButton>
        )}
      </td>
    </tr>
  )
}

function Runs({ runs }: Pick<BackupsProps, 'runs'>) {
  const t = usePageTexts().backups
  const { started, verdict, size, documents, duration } = t.columns
  return (
    <>
      <h2>{t.runs}</h2>
      {runs.length === 0 ? (
        <EmptyState inTable icon="circle-dashed" title={t.noRuns}>
          {t.noRunsText}
        </EmptyState>
      ) : (
        <Table label={t.runs}>
          <TableHead columns={[started, verdict, size, documents, duration]} actions={t.download} />
          <tbody>
            {runs.map(run => (
              <Run key={run.id} run={run} />
            ))}
          </tbody>
        </Table>
      )}
    </>
  )
}

/** The field of each place and of each way to encrypt. */
function planFields(t: AppTexts['backups'], { values, hasS3, hasPassphrase }: BackupsProps) {
  return {
    folder: (
      <Input
        name="folder"
        label={t.folder}
        hint={t.folderHint}
        value={values.folder}
        note=""
        required={false}
        spellcheck={false}
      />
    ),
    s3: (
      <Input
        name="s3"
        label={t.s3}
        hint={hasS3 ? t.s3Stored : t.s3Hint}
        type="password"
        autoComplete="off"
        note=""
        required={false}
      />
    ),
    passphrase: hasPassphrase && (
      <label class="tick">
        <input type="checkbox" name="newPassphrase" />
        <span>{t.newPassphrase}</span>
      </label>
    ),
    recipients: (
      <Input
        name="recipients"
        label={t.recipients}
        hint={t.recipientsHint}
        value={values.recipients}
        note=""
        required={false}
        rows={2}
        spellcheck={false}
      />
    ),
  }
}

function PlanForm(props: BackupsProps) {
  const clock = useClock()
  const { values, frequencies, hasPlan } = props
  const t = usePageTexts().backups
  const names = t.frequencies as Record<string, string>
  const fields = planFields(t, props)
  return (
    <ConfirmedForm action={BACKUPS_PATH} reason={t.reason} submit={t.save} kind={hasPlan ? 'plain' : 'primary'}>
      <Select
        name="frequency"
        label={t.frequency}
        value={values.frequency}
        options={frequencies.map(value => ({ value, text: names[value] ?? value }))}
      />
      <Input name="time" label={t.time} hint={t.timeHint(clock.timeZone)} type="time" value={values.time} />
      <Input name="keep" label={t.keep} hint={t.keepHint} value={values.keep} inputMode="numeric" maxLength={3} />
      <Choices
        name="place"
        legend={t.place}
        value={values.place}
        choices={(['folder', 's3'] as const).map(value => ({
          value,
          text: t.places[value],
          hint: t.placeHints[value],
          more: fields[value],
        }))}
      />
      <Choices
        name="encryption"
        legend={t.encryption}
        value={values.encryption}
        choices={(['passphrase', 'recipients'] as const).map(value => ({
          value,
          text: t.encryptions[value],
          hint: t.encryptionHints[value],
          more: fields[value],
        }))}
      />
    </ConfirmedForm>
  )
}

// The question before a backup is downloaded, and how it is restored.

interface BackupDownloadProps {
  context: PageContext
  isKeyIncluded: boolean
  backup: {
    id: string
    startedAt: Date
    fileName: string
    place: string
    bytes: number
    documents: number
    isVerified: boolean
  }
}

export function BackupDownloadPage({ context, isKeyIncluded, backup }: BackupDownloadProps) {
  const { clock } = context
  const { backups: t } = context.texts
  const { columns, downloading, verdicts } = t
  const facts: Fact[] = [
    [columns.started, <Moment key="started" at={backup.startedAt} exact />],
    [columns.verdict, backup.isVerified ? verdicts.verified : verdicts.incomplete],
    [columns.size, megabytes(backup.bytes, clock.language)],
    [columns.documents, backup.documents.toLocaleString(clock.language)],
    [t.key.title, isKeyIncluded ? t.key.isIncluded : t.key.isElsewhere],
    [downloading.file, <span key="file" class="break">{`${backup.place.replace(/\/$/, '')}/${backup.fileName}`}</span>],
  ]
  return (
    <SettingsLayout context={context} here={BACKUPS_PATH}>
      <PageHead title={downloading.title}>
        <p class="quiet">{downloading.lead}</p>
      </PageHead>
      <ErrorSummary />
      <Facts facts={facts} />
      <form method="post" action={`${BACKUPS_PATH}/${backup.id}/file`} class="sheet">
        <Csrf />
        <p>
          <CodeText text={downloading.restore(backup.fileName)} />
        </p>
        <PasswordAgain reason={t.reason} />
        <div class="form-actions">
          <Button kind="primary">{downloading.button}</Button>
          <LinkButton href={BACKUPS_PATH}>{downloading.back}</LinkButton>
        </div>
      </form>
    </SettingsLayout>
  )
}

// The question before sending is resumed after a restore, with what waits.

interface SendingPauseProps {
  context: PageContext
  /** Undefined if sending is not paused. */
  pause: SendingPause | undefined
  /** Of the links in mails. */
  baseUrl: string
  waiting: { mails: number; webhooks: number; reminders: number; expiring: number }
}

export function SendingPausePage({ context, pause, baseUrl, waiting }: SendingPauseProps) {
  const { clock } = context
  const t = context.texts.backups.pause
  const at = (moment: Date) => pageTime(moment, clock)
  if (!pause) {
    return (
      <SettingsLayout context={context} here={BACKUPS_PATH}>
        <PageHead title={t.notPaused} />
        <p>{t.notPausedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} here={BACKUPS_PATH}>
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
      <ConfirmedForm action={RESUME_PATH} reason={t.reason} submit={t.resume} kind="danger">
        <p>{t.irreversible}</p>
      </ConfirmedForm>
    </SettingsLayout>
  )
}

function Waiting({
  texts: t,
  waiting,
}: {
  texts: PageContext['texts']['backups']['pause']
  waiting: SendingPauseProps['waiting']
}) {
  const names = (['mails', 'webhooks', 'reminders', 'expiring'] as const).filter(name => waiting[name] > 0)
  if (names.length === 0) return <Callout tone="info">{<p>{t.nothing}</p>}</Callout>
  return (
    <Callout
      tone="warn"
      title={t.waits}
      actions={
        waiting.mails > 0 && (
          <a class="button plain" href={OUTBOX_PATH}>
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
