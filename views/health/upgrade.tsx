/** Health → Upgrade: what is new waits until no node of the release before is left. */
import { type PageContext, PageHead } from '../layout.tsx'
import { ErrorSummary } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

interface Props {
  context: PageContext
  isFinished: boolean
  /** Names and versions of nodes that would ignore what is new. */
  older: { name: string; version: string }[]
  /** What cannot be used yet, in words. */
  waiting: string[]
  leftHours: number
}

export function UpgradePage({ context, isFinished, older, waiting, leftHours }: Props) {
  const t = context.texts.upgrade
  if (isFinished) {
    return (
      <SettingsLayout context={context} here="/settings/health">
        <PageHead title={t.finished} />
        <p>{t.finishedText}</p>
      </SettingsLayout>
    )
  }
  return (
    <SettingsLayout context={context} here="/settings/health">
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
        <ConfirmedForm action="/settings/health/upgrade" reason={t.reason} submit={t.finish} kind="danger">
          <p>{t.byItself(leftHours)}</p>
          <p>{t.irreversible}</p>
        </ConfirmedForm>
      )}
    </SettingsLayout>
  )
}
