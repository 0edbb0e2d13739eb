/** Settings → Webhooks → Allowed networks. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { ariaOf, Csrf, ErrorSummary, FieldError, type ValidationErrors } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

interface Props {
  context: PageContext
  user: SettingsUser
  notice: string | undefined
  /** One network on each line. */
  value: string
  /** Set by the environment: it cannot be changed here. */
  isFixed: boolean
  errors: ValidationErrors
  asksForPassword: boolean
}

export function WebhookNetworksPage({ context, user, notice, value, isFixed, errors, asksForPassword }: Props) {
  const { webhooks, frame, settings } = context.texts
  const t = webhooks.networks
  return (
    <SettingsLayout context={context} user={user} here="/settings/webhooks">
      <PageHead title={t.title} back={{ href: '/settings/webhooks', text: webhooks.all }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary errors={errors} labels={{ networks: t.field, password: settings.password.label }} />
      <form method="post" action="/settings/webhooks/networks" class="sheet">
        <Csrf token={user.csrf} />
        <label for="networks">{t.field}</label>
        <div class="hint" id="networks-hint">
          <CodeText text={isFixed ? t.fixed : t.hint} />
        </div>
        <FieldError name="networks" errors={errors} />
        <textarea
          id="networks"
          name="networks"
          rows={5}
          disabled={isFixed}
          value={value}
          {...ariaOf('networks', errors, t.hint)}
        />
        {!isFixed && (
          <>
            <p class="hint">{t.effect}</p>
            <PasswordAgain asked={asksForPassword} reason={t.reason} errors={errors} />
            <div class="form-actions">
              <Button kind="primary">{frame.save}</Button>
            </div>
          </>
        )}
      </form>
    </SettingsLayout>
  )
}
