/** Settings → Webhooks: the questions before a new secret and before the deletion. */
import type { PageContext } from '../layout.tsx'
import { ErrorSummary } from '../parts/form.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

interface Props {
  context: PageContext
  id: string
  host: string
  question: 'rotate' | 'delete'
}

export function WebhookQuestionPage({ context, id, host, question }: Props) {
  const { webhooks: t } = context.texts
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <h1>{t[`${question}Title`](host)}</h1>
      <p>{t[`${question}Text`]}</p>
      <ErrorSummary />
      <ConfirmedForm
        action={`/settings/webhooks/${id}/${question}`}
        reason={t[`${question}Reason`]}
        submit={t[`${question}Do`]}
        kind={question === 'delete' ? 'danger' : 'primary'}
        cancel={`/settings/webhooks/${id}`}
      />
    </SettingsLayout>
  )
}
