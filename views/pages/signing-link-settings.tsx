/** Settings → Organisation → Signing links: who may hand them out, which sites may show them. */
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
  isAllowed: boolean
  /** One on each line. */
  origins: string
  errors: ValidationErrors
  asksForPassword: boolean
}

export function SigningLinkSettingsPage({ context, user, notice, isAllowed, origins, errors, asksForPassword }: Props) {
  const { frame, settings } = context.texts
  const t = settings.signingLinks
  return (
    <SettingsLayout context={context} user={user} here="/settings/organisation">
      <PageHead title={t.title} back={{ href: '/settings/organisation', text: settings.organisation.title }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary errors={errors} labels={{ embedOrigins: t.origins, password: settings.password.label }} />
      <form method="post" action="/settings/organisation/signing-links" class="sheet">
        <Csrf token={user.csrf} />
        <label class="tick">
          <input type="checkbox" name="signingLinks" checked={isAllowed} aria-describedby="signingLinks-hint" />
          <span>{t.allow}</span>
        </label>
        <div class="hint" id="signingLinks-hint">
          <CodeText text={t.allowHint} />
        </div>
        <label for="embedOrigins">
          {t.origins} <span class="quiet">({frame.optional})</span>
        </label>
        <div class="hint" id="embedOrigins-hint">
          <CodeText text={t.originsHint} />
        </div>
        <FieldError name="embedOrigins" label={t.origins} errors={errors} />
        <textarea
          id="embedOrigins"
          name="embedOrigins"
          rows={4}
          value={origins}
          spellcheck={false}
          {...ariaOf('embedOrigins', errors, t.originsHint)}
        />
        <PasswordAgain asked={asksForPassword} reason={t.reason} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">{frame.save}</Button>
        </div>
      </form>
    </SettingsLayout>
  )
}
