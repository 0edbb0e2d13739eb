/** The question before a backup is downloaded, and how it is restored. */
import type { Clock } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { type Fact, Facts } from '../parts/table.tsx'
import { megabytes } from './backups.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

interface Props {
  context: PageContext
  user: SettingsUser
  clock: Clock
  errors: ValidationErrors
  asksForPassword: boolean
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

export function BackupDownloadPage({ context, user, clock, errors, asksForPassword, isKeyIncluded, backup }: Props) {
  const { backups: t, settings } = context.texts
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
    <SettingsLayout context={context} user={user} here={PATH}>
      <PageHead title={downloading.title}>
        <p class="quiet">{downloading.lead}</p>
      </PageHead>
      <ErrorSummary errors={errors} labels={{ password: settings.password.label }} />
      <Facts facts={facts} />
      <form method="post" action={`${PATH}/${backup.id}/file`} class="sheet">
        <Csrf token={user.csrf} />
        <p>
          <CodeText text={downloading.restore(backup.fileName)} />
        </p>
        <PasswordAgain asked={asksForPassword} reason={t.reason} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">{downloading.button}</Button>
          <LinkButton href={PATH}>{downloading.back}</LinkButton>
        </div>
      </form>
    </SettingsLayout>
  )
}
