/** Settings → Webhooks: the questions before a new secret and before the deletion. */
import type { PageContext } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

interface Props {
  context: PageContext
  user: SettingsUser
  id: string
  host: string
  question: 'rotate' | 'delete'
  errors: ValidationErrors
  asksForPassword: boolean
}

export function WebhookQuestionPage({ context, user, id, host, question, errors, asksForPassword }: Props) {
  const { webhooks: t, frame, settings } = context.texts
  return (
    <SettingsLayout context={context} user={user} here="/settings/webhooks">
      <h1>{t[`${question}Title`](host)}</h1>
      <p>{t[`${question}Text`]}</p>
      <ErrorSummary errors={errors} labels={{ password: settings.password.label }} />
      <form method="post" action={`/settings/webhooks/${id}/${question}`} class="sheet">
        <Csrf token={user.csrf} />
        <PasswordAgain asked={asksForPassword} reason={t[`${question}Reason`]} errors={errors} />
        <div class="form-actions">
          <Button kind={question === 'delete' ? 'danger' : 'primary'}>{t[`${question}Do`]}</Button>
          <a href={`/settings/webhooks/${id}`}>{frame.cancel}</a>
        </div>
      </form>
    </SettingsLayout>
  )
}
