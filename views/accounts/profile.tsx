/**
 * The person's own account: name and language, password, second factor, sessions, account at the
 * identity provider.
 */
import type { ListedSession } from '../../src/accounts/queries.ts'
import { PROFILE_PATH, SECOND_FACTOR_PATH } from '../../src/core/page-paths.ts'
import { MAX_ACCOUNT_NAME } from '../../src/core/service-limits.ts'
import { deviceOfUserAgent } from '../../src/lib/user-agent.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, Input, Select } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'
import { ProfileAddress } from './email-change.tsx'
import { type PasskeyState, Passkeys } from './passkeys.tsx'

/** Undefined: there is none. */
export type FactorState = { since: string; recoveryCodesLeft: number } | undefined

interface ProfileProps {
  context: PageContext
  notice: string | undefined
  /** Recovery codes left, after a sign-in with one. */
  codesLeft: number | undefined
  /** `warningMails` only for administrators. */
  values: { name: string; language: string; warningMails: boolean | undefined }
  languages: readonly { value: string; text: string }[]
  factor: FactorState
  sessions: readonly ListedSession[]
  /** The hash of the token of the session that asks. */
  present: string
  /** Minutes that a session may rest. */
  idleMinutes: number
  passkeys: PasskeyState
  /** Recovery codes of a person whose second factor is a passkey alone, and required. */
  passkeyCodesLeft: number | undefined
  /** A new address that has to confirm. */
  waiting: { email: string; until: string } | undefined
  hasPassword: boolean
  /** Undefined while there is no identity provider. */
  identity: IdentityState | undefined
}

export function ProfilePage({
  context,
  notice,
  codesLeft,
  values,
  languages,
  factor,
  sessions,
  present,
  idleMinutes,
  passkeys,
  passkeyCodesLeft,
  waiting,
  hasPassword,
  identity,
}: ProfileProps) {
  const { signIn, frame } = context.texts
  const t = signIn.profile
  const email = context.user?.email ?? ''
  const labels = { name: t.name, language: t.language, current: t.current, password: t.new }
  return (
    <SettingsLayout context={context} here={PROFILE_PATH}>
      <PageHead title={t.title}>
        <p class="quiet break">{t.lead(email)}</p>
      </PageHead>
      <Notice text={notice} />
      {codesLeft !== undefined && (
        <Callout tone="warn" role="status" title={signIn.code.used(codesLeft)}>
          <p>{signIn.factor.fewLeft}</p>
        </Callout>
      )}
      <ErrorSummary labels={labels} />
      <h2>{t.you}</h2>
      <form method="post" action={PROFILE_PATH} class="sheet">
        <Csrf />
        <Input
          name="name"
          label={t.name}
          hint={t.nameHint}
          value={values.name}
          autoComplete="name"
          maxLength={MAX_ACCOUNT_NAME}
        />
        <Select name="language" label={t.language} hint={t.languageHint} value={values.language} options={languages} />
        {values.warningMails !== undefined && (
          <label class="tick">
            <input type="checkbox" name="warningMails" checked={values.warningMails} />
            <span>
              {t.warningMails}
              <span class="hint choice-hint">{t.warningMailsHint}</span>
            </span>
          </label>
        )}
        <div class="form-actions">
          <Button>{frame.save}</Button>
        </div>
      </form>
      <h2 id="email">{context.texts.emailChange.label}</h2>
      <ProfileAddress email={email} waiting={waiting} />
      <h2 id="second-factor">{signIn.factor.app}</h2>
      <FactorSheet factor={factor} />
      <h2 id="passkeys">{context.texts.passkeys.title}</h2>
      <Passkeys passkeys={passkeys} />
      {passkeyCodesLeft !== undefined && <PasskeyCodes left={passkeyCodesLeft} />}
      {identity && (
        <>
          <h2 id="identity">{context.texts.openIdConnect.section.title}</h2>
          <IdentitySheet {...identity} />
        </>
      )}
      <h2>{t.password}</h2>
      {hasPassword ? <PasswordForm email={email} /> : <p class="quiet">{context.texts.openIdConnect.noPassword}</p>}
      <h2>{t.sessions}</h2>
      <Sessions sessions={sessions} present={present} idleMinutes={idleMinutes} />
    </SettingsLayout>
  )
}

const FEW_CODES = 3

function FactorSheet({ factor }: { factor: FactorState }) {
  const t = usePageTexts().signIn.factor
  return (
    <div class="sheet">
      {factor ? (
        <>
          <p>
            <Badge tone="good">{t.on}</Badge>
          </p>
          <p>{t.onText(factor.since)}</p>
          <p class={factor.recoveryCodesLeft > FEW_CODES ? 'quiet' : undefined}>
            {t.left(factor.recoveryCodesLeft)} {factor.recoveryCodesLeft <= FEW_CODES && t.fewLeft}
          </p>
        </>
      ) : (
        <>
          <p>
            <Badge tone="neutral">{t.none}</Badge>
          </p>
          <p>{t.noneText}</p>
        </>
      )}
      <div class="row">
        <LinkButton href={SECOND_FACTOR_PATH}>{factor ? t.setUpAgain : t.setUp}</LinkButton>
        {factor && (
          <>
            <LinkButton href={`${SECOND_FACTOR_PATH}/codes`}>{t.renew}</LinkButton>
            <LinkButton kind="quiet" href={`${SECOND_FACTOR_PATH}/remove`}>
              {t.remove}
            </LinkButton>
          </>
        )}
      </div>
    </div>
  )
}

function PasskeyCodes({ left }: { left: number }) {
  const t = usePageTexts().signIn.factor
  return (
    <div class="sheet">
      <p>
        {t.passkeyNoCodes} {t.left(left)} {left <= FEW_CODES && t.fewLeft}
      </p>
      <div class="row">
        <LinkButton href={`${SECOND_FACTOR_PATH}/codes`}>{t.renew}</LinkButton>
      </div>
    </div>
  )
}

function PasswordForm({ email }: { email: string }) {
  const { signIn, account } = usePageTexts()
  const t = signIn.profile
  return (
    <form method="post" action={`${PROFILE_PATH}/password`} class="sheet">
      <Csrf />
      <p class="quiet">{t.passwordText}</p>
      {/* Password managers read it: they store the new password for this account. */}
      <input type="hidden" name="email" value={email} autoComplete="username" />
      <Input name="current" label={t.current} type="password" autoComplete="current-password" />
      <Input name="password" label={t.new} hint={account.passwordHint} type="password" autoComplete="new-password" />
      <div class="form-actions">
        <Button>{t.change}</Button>
      </div>
    </form>
  )
}

function Session({ session, isThis }: { session: ListedSession; isThis: boolean }) {
  const { profile: t } = usePageTexts().signIn
  const { address, lastUsed, signedIn } = t.sessionColumns
  const { browser, system } = deviceOfUserAgent(session.userAgent)
  const device = t.device(browser, system)
  return (
    <tr>
      <td class="title">
        {device} {isThis && <Badge tone="info">{t.thisSession}</Badge>}
      </td>
      <Cell label={address} class="small">
        {session.ip ?? t.unknownAddress}
      </Cell>
      <Cell label={lastUsed} class="small quiet">
        <Moment at={session.lastSeenAt} exact />
      </Cell>
      <Cell label={signedIn} class="small quiet">
        <span>
          <Moment at={session.createdAt} exact /> ({session.methods.map(method => t.methods[method]).join(' + ')})
        </span>
      </Cell>
      <td>
        {!isThis && (
          <form method="post" action={`${PROFILE_PATH}/sessions/end`}>
            <Csrf />
            <input type="hidden" name="session" value={session.tokenSha256} />
            <Button kind="quiet" small aria-label={t.endNamed(device)}>
              {t.end}
            </Button>
          </form>
        )}
      </td>
    </tr>
  )
}

function Sessions({ sessions, present, idleMinutes }: Pick<ProfileProps, 'sessions' | 'present' | 'idleMinutes'>) {
  const { profile: t, settings } = usePageTexts().signIn
  const { device, address, lastUsed, signedIn } = t.sessionColumns
  return (
    <>
      <p class="quiet">{t.sessionsText(settings.duration(idleMinutes))}</p>
      <Table label={t.sessions}>
        <TableHead columns={[device, address, lastUsed, signedIn]} actions={t.end} />
        <tbody>
          {sessions.map(session => (
            <Session key={session.tokenSha256} session={session} isThis={session.tokenSha256 === present} />
          ))}
        </tbody>
      </Table>
      {sessions.length > 1 ? (
        <form method="post" action={`${PROFILE_PATH}/sessions/end-others`} class="form-actions">
          <Csrf />
          <Button>{t.endOthers}</Button>
        </form>
      ) : (
        <p class="quiet small">{t.onlyThis}</p>
      )}
    </>
  )
}

// In the profile: the person's account at the identity provider, and the question to unlink it.

export interface IdentityState {
  provider: string
  /** Undefined: not linked. */
  linked: { email: string; since: string } | undefined
  /** Address that begins the link: it holds a token of the session. */
  linkFrom: string
}

function IdentitySheet({ provider, linked, linkFrom }: IdentityState) {
  const t = usePageTexts().openIdConnect.profile
  return (
    <div class="sheet">
      <p>
        <Badge tone={linked ? 'good' : 'neutral'}>{linked ? t.linked : t.none}</Badge>
      </p>
      <p class="break">{linked ? t.linkedText(provider, linked.email, linked.since) : t.noneText(provider)}</p>
      <div class="row">
        {linked ? (
          <LinkButton href={`${PROFILE_PATH}/identity/unlink`}>{t.unlink}</LinkButton>
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
    <SettingsLayout context={context} here={PROFILE_PATH}>
      <h1 class="break">{t.unlinkTitle(provider)}</h1>
      <p class="break">{t.unlinkText(email)}</p>
      <ErrorSummary />
      <ConfirmedForm
        action={`${PROFILE_PATH}/identity/unlink`}
        reason={t.unlinkReason}
        submit={t.unlinkSubmit}
        kind="danger"
        cancel={PROFILE_PATH}
      />
    </SettingsLayout>
  )
}
