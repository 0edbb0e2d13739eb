/** The person's own passkeys: the list in the profile, adding, renaming, removing. */
import type { Passkey } from '../../src/accounts/passkey-queries.ts'
import { PASSKEYS_PATH, PROFILE_PATH, SECOND_FACTOR_PATH } from '../../src/core/page-paths.ts'
import { MAX_ACCOUNT_NAME } from '../../src/core/service-limits.ts'
import type { PageContext } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { PasskeyButton } from '../parts/passkey.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'
import { FactorFrame } from './second-factor.tsx'

/** The host, where browsers make no passkeys. */
export type PasskeyState = Passkey[] | { impossibleAt: string }

export function Passkeys({ passkeys }: { passkeys: PasskeyState }) {
  const t = usePageTexts().passkeys
  if ('impossibleAt' in passkeys) {
    return (
      <div class="sheet">
        <p>{t.impossible(passkeys.impossibleAt)}</p>
      </div>
    )
  }
  return (
    <>
      <p class="quiet">{t.lead}</p>
      {passkeys.length > 0 ? <PasskeyTable passkeys={passkeys} /> : <p>{t.none}</p>}
      <div class="form-actions">
        <LinkButton href={`${PASSKEYS_PATH}/add`}>{t.add}</LinkButton>
      </div>
    </>
  )
}

function PasskeyTable({ passkeys }: { passkeys: Passkey[] }) {
  const t = usePageTexts().passkeys
  const { name, created, lastUsed } = t.columns
  return (
    <Table label={t.title}>
      <TableHead columns={[name, created, lastUsed]} actions={t.rename} />
      <tbody>
        {passkeys.map(passkey => (
          <tr key={passkey.id}>
            <td class="title">
              {passkey.name} {passkey.isBackedUp && <Badge tone="neutral">{t.synced}</Badge>}
            </td>
            <Cell label={created} class="small quiet">
              <Moment at={passkey.createdAt} />
            </Cell>
            <Cell label={lastUsed} class="small quiet">
              {passkey.lastUsedAt ? <Moment at={passkey.lastUsedAt} /> : t.neverUsed}
            </Cell>
            <td>
              <div class="row">
                <LinkButton
                  kind="quiet"
                  small
                  href={`${PASSKEYS_PATH}/${passkey.id}/rename`}
                  aria-label={t.renameNamed(passkey.name)}
                >
                  {t.rename}
                </LinkButton>
                <LinkButton
                  kind="quiet"
                  small
                  href={`${PASSKEYS_PATH}/${passkey.id}/remove`}
                  aria-label={t.removeNamed(passkey.name)}
                >
                  {t.remove}
                </LinkButton>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface Props {
  context: PageContext
}

interface NameProps extends Props {
  name: string
  /** The organisation requires a second factor, and the person has none yet. */
  isRequired: boolean
  /** Undefined: a new passkey. */
  id?: string
}

/** Adds a passkey, or gives one another name. */
export function NamePasskeyPage({ name, id, ...props }: NameProps) {
  const { context, isRequired } = props
  const { passkeys: t, frame } = context.texts
  const action = id === undefined ? `${PASSKEYS_PATH}/add` : `${PASSKEYS_PATH}/${id}/rename`
  return (
    <FactorFrame {...props}>
      <h1>{id === undefined ? t.addTitle : t.renameTitle}</h1>
      {id === undefined && <p>{t.addLead}</p>}
      <ErrorSummary labels={{ name: t.name }} />
      <form method="post" action={action} class={isRequired ? undefined : 'sheet'}>
        <Csrf />
        <Input name="name" label={t.name} hint={t.nameHint} value={name} maxLength={MAX_ACCOUNT_NAME} autoComplete="off" />
        <div class="form-actions">
          {id === undefined ? (
            <PasskeyButton optionsFrom={`${PASSKEYS_PATH}/options`} text={t.create} isNew kind="primary" />
          ) : (
            <Button kind="primary">{frame.save}</Button>
          )}
          <a href={isRequired ? SECOND_FACTOR_PATH : PROFILE_PATH}>{frame.cancel}</a>
        </div>
      </form>
    </FactorFrame>
  )
}

interface RemoveProps extends Props {
  passkey: { id: string; name: string }
  /** The organisation requires a second factor, and the person has no other. */
  isNeeded: boolean
}

export function RemovePasskeyPage({ context, passkey, isNeeded }: RemoveProps) {
  const { passkeys: t } = context.texts
  return (
    <SettingsLayout context={context} here={PROFILE_PATH}>
      <h1 class="break">{t.removeTitle(passkey.name)}</h1>
      <p>{t.removeText}</p>
      {isNeeded && <Callout tone="warn" title={t.removeRequired} />}
      <ErrorSummary />
      <ConfirmedForm
        action={`${PASSKEYS_PATH}/${passkey.id}/remove`}
        reason={t.removeReason}
        submit={t.removeSubmit}
        kind="danger"
        cancel={PROFILE_PATH}
      />
    </SettingsLayout>
  )
}
