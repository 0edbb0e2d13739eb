/** In the profile: the person's account at the identity provider, and the question to unlink it. */
import type { PageContext } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { ErrorSummary } from '../parts/form.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

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
  provider: string
  email: string
}

export function UnlinkIdentityPage({ context, provider, email }: UnlinkProps) {
  const { openIdConnect } = context.texts
  const t = openIdConnect.profile
  return (
    <SettingsLayout context={context} here="/profile">
      <h1 class="break">{t.unlinkTitle(provider)}</h1>
      <p class="break">{t.unlinkText(email)}</p>
      <ErrorSummary />
      <ConfirmedForm
        action="/profile/identity/unlink"
        reason={t.unlinkReason}
        submit={t.unlinkSubmit}
        kind="danger"
        cancel="/profile"
      />
    </SettingsLayout>
  )
}
