/** The question before a backup is downloaded, and how it is restored. */
import type { Clock } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { type Fact, Facts } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'
import { megabytes } from './backups.tsx'

interface Props {
  context: PageContext
  clock: Clock
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

const PATH = '/settings/backups'

export function BackupDownloadPage({ context, clock, isKeyIncluded, backup }: Props) {
  const { backups: t } = context.texts
  const { columns, downloading, verdicts } = t
  const facts: Fact[] = [
    [columns.started, <Moment key="started" at={backup.startedAt} clock={clock} exact />],
    [columns.verdict, backup.isVerified ? verdicts.verified : verdicts.incomplete],
    [columns.size, megabytes(backup.bytes, clock.language)],
    [columns.documents, backup.documents.toLocaleString(clock.language)],
    [t.key.title, isKeyIncluded ? t.key.isIncluded : t.key.isElsewhere],
    [downloading.file, <span key="file" class="break">{`${backup.place.replace(/\/$/, '')}/${backup.fileName}`}</span>],
  ]
  return (
    <SettingsLayout context={context} here={PATH}>
      <PageHead title={downloading.title}>
        <p class="quiet">{downloading.lead}</p>
      </PageHead>
      <ErrorSummary />
      <Facts facts={facts} />
      <form method="post" action={`${PATH}/${backup.id}/file`} class="sheet">
        <Csrf />
        <p>
          <CodeText text={downloading.restore(backup.fileName)} />
        </p>
        <PasswordAgain reason={t.reason} />
        <div class="form-actions">
          <Button kind="primary">{downloading.button}</Button>
          <LinkButton href={PATH}>{downloading.back}</LinkButton>
        </div>
      </form>
    </SettingsLayout>
  )
}
