/** Settings → Webhooks → Allowed networks. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { ariaOf, Csrf, ErrorSummary, FieldError } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'

interface Props {
  context: PageContext
  notice: string | undefined
  /** One network on each line. */
  value: string
  /** Set by the environment: it cannot be changed here. */
  isFixed: boolean
}

export function WebhookNetworksPage({ context, notice, value, isFixed }: Props) {
  const { webhooks, frame } = context.texts
  const t = webhooks.networks
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <PageHead title={t.title} back={{ href: '/settings/webhooks', text: webhooks.all }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={{ networks: t.field }} />
      <form method="post" action="/settings/webhooks/networks" class="sheet">
        <Csrf />
        <label for="networks">{t.field}</label>
        <div class="hint" id="networks-hint">
          <CodeText text={isFixed ? t.fixed : t.hint} />
        </div>
        <FieldError name="networks" />
        <textarea
          id="networks"
          name="networks"
          rows={5}
          disabled={isFixed}
          value={value}
          {...ariaOf('networks', context.errors, t.hint)}
        />
        {!isFixed && (
          <>
            <p class="hint">{t.effect}</p>
            <PasswordAgain reason={t.reason} />
            <div class="form-actions">
              <Button kind="primary">{frame.save}</Button>
            </div>
          </>
        )}
      </form>
    </SettingsLayout>
  )
}
