/** In the profile: the person's account at the identity provider, and the question to unlink it. */
import type { PageContext } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

export interface IdentityState {
  provider: string
  /** Undefined: not linked. */
  linked: { email: string; since: string } | undefined
  /** Address that begins the link: it holds a token of the session. */
  linkFrom: string
}

export function IdentitySheet({ provider, linked, linkFrom }: IdentityState) {
  const t = usePageTexts().openIdConnect.profile
  return (
    <div class="sheet">
      <p>
        <Badge tone={linked ? 'good' : 'neutral'}>{linked ? t.linked : t.none}</Badge>
      </p>
      <p class="break">{linked ? t.linkedText(provider, linked.email, linked.since) : t.noneText(provider)}</p>
      <div class="row">
        {linked ? (
          <LinkButton href="/profile/identity/unlink">{t.unlink}</LinkButton>
        ) : (
          <LinkButton href={linkFrom}>{t.link(provider)}</LinkButton>
        )}
      </div>
    </div>
  )
}

interface UnlinkProps {
  context: PageContext
  user: SettingsUser
  errors: ValidationErrors
  asksForPassword: boolean
  provider: string
  email: string
}

export function UnlinkIdentityPage({ context, user, errors, asksForPassword, provider, email }: UnlinkProps) {
  const { openIdConnect, settings, frame } = context.texts
  const t = openIdConnect.profile
  return (
    <SettingsLayout context={context} user={user} here="/profile">
      <h1 class="break">{t.unlinkTitle(provider)}</h1>
      <p class="break">{t.unlinkText(email)}</p>
      <ErrorSummary errors={errors} labels={{ password: settings.password.label }} />
      <form method="post" action="/profile/identity/unlink" class="sheet">
        <Csrf token={user.csrf} />
        <PasswordAgain asked={asksForPassword} reason={t.unlinkReason} errors={errors} />
        <div class="form-actions">
          <Button kind="danger">{t.unlinkSubmit}</Button>
          <a href="/profile">{frame.cancel}</a>
        </div>
      </form>
    </SettingsLayout>
  )
}
