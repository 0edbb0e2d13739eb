/** Health → Upgrade: what is new waits until no node of the release before is left. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

interface Props {
  context: PageContext
  user: SettingsUser
  errors: ValidationErrors
  asksForPassword: boolean
  isFinished: boolean
  /** Names and versions of nodes that would ignore what is new. */
  older: { name: string; version: string }[]
  /** What cannot be used yet, in words. */
  waiting: string[]
  leftHours: number
}

export function UpgradePage({ context, user, errors, asksForPassword, isFinished, older, waiting, leftHours }: Props) {
  const t = context.texts.upgrade
  if (isFinished) {
    return (
      <SettingsLayout context={context} user={user} here="/settings/health">
        <PageHead title={t.finished} />
        <p>{t.finishedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} user={user} here="/settings/health">
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
      <ErrorSummary errors={errors} labels={{ password: context.texts.settings.password.label }} />
      {older.length > 0 ? (
        <Callout tone="warn" title={t.older}>
          <ul>
            {older.map(({ name, version }) => (
              <li key={name}>{t.node(name, version)}</li>
            ))}
          </ul>
        </Callout>
      ) : (
        <form method="post" action="/settings/health/upgrade" class="sheet">
          <Csrf token={user.csrf} />
          <p>{t.byItself(leftHours)}</p>
          <p>{t.irreversible}</p>
          <PasswordAgain asked={asksForPassword} reason={t.reason} errors={errors} />
          <div class="form-actions">
            <Button kind="danger">{t.finish}</Button>
          </div>
        </form>
      )}
    </SettingsLayout>
  )
}
