/** Settings → API tokens: the list, a new token, and the question before revoking. */
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf, ErrorSummary, Input, type ValidationErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

type Texts = AppTexts['settings']

function labelsOf({ tokens, password }: Texts): Record<string, string> {
  return { name: tokens.columns.name, expiresInDays: tokens.expiresInDays, password: password.label }
}

export interface TokenRow {
  id: string
  name: string
  shown: string
  scopes: string
  created: string
  expires: string
  lastUsed: string
  live: boolean
}

interface Props {
  context: PageContext
  user: SettingsUser
  rows: TokenRow[]
  scopes: readonly string[]
  errors: ValidationErrors
  values: { name: string; expiresInDays: string; scopes: readonly string[] }
  asksForPassword: boolean
  /** The new token; it is shown only once. */
  created: { name: string; key: string } | undefined
}

export function TokensPage({ context, user, rows, scopes, errors, values, asksForPassword, created }: Props) {
  const { settings } = context.texts
  const t = settings.tokens
  return (
    <SettingsLayout context={context} user={user} here="/settings/tokens">
      <PageHead
        title={t.title}
        actions={
          <LinkButton href="/api/v1/docs" icon="external-link">
            {t.reference}
          </LinkButton>
        }
      >
        <p class="quiet">{t.lead}</p>
      </PageHead>
      {created && (
        <Callout tone="good" role="status" title={t.created(created.name)}>
          <pre class="key">{created.key}</pre>
          <p class="small">{t.selectAll}</p>
        </Callout>
      )}
      <ErrorSummary errors={errors} labels={labelsOf(settings)} />
      {rows.length === 0 ? (
        <div class="table">
          <EmptyState icon="key-round" title={t.empty}>
            {t.emptyText}
          </EmptyState>
        </div>
      ) : (
        <TokenTable rows={rows} />
      )}
      <h2>{t.new}</h2>
      <TokenForm csrf={user.csrf} scopes={scopes} errors={errors} values={values} asksForPassword={asksForPassword} />
    </SettingsLayout>
  )
}

function TokenTable({ rows }: { rows: TokenRow[] }) {
  const { columns, revoke } = usePageTexts().settings.tokens
  const { name, token, scopes, created, expires, lastUsed } = columns
  return (
    <Table>
      <TableHead columns={[name, token, scopes, created, expires, lastUsed]} actions={revoke} />
      <tbody>
        {rows.map(row => (
          <TokenTableRow key={row.id} row={row} />
        ))}
      </tbody>
    </Table>
  )
}

function TokenTableRow({ row }: { row: TokenRow }) {
  const t = usePageTexts().settings.tokens
  return (
    <tr>
      <td class="title">{row.name}</td>
      <td>
        <code>{row.shown}</code>
      </td>
      <Cell label={t.columns.scopes} class="small">
        {row.scopes}
      </Cell>
      <Cell label={t.columns.created} class="small quiet">
        {row.created}
      </Cell>
      <Cell label={t.columns.expires} class="small quiet">
        {row.expires}
      </Cell>
      <Cell label={t.columns.lastUsed} class="small quiet">
        {row.lastUsed}
      </Cell>
      <td>
        {row.live ? (
          <LinkButton kind="quiet" small href={`/settings/tokens/${row.id}/revoke`} aria-label={t.revokeNamed(row.name)}>
            {t.revokeMore}
          </LinkButton>
        ) : (
          <Badge tone="neutral" icon="ban">
            {t.revoked}
          </Badge>
        )}
      </td>
    </tr>
  )
}

type FormProps = Pick<Props, 'scopes' | 'errors' | 'values' | 'asksForPassword'> & { csrf: string }

function TokenForm({ csrf, scopes, errors, values, asksForPassword }: FormProps) {
  const t = usePageTexts().settings.tokens
  return (
    <form method="post" action="/settings/tokens" class="sheet">
      <Csrf token={csrf} />
      <Input name="name" label={t.columns.name} hint={t.nameHint} value={values.name} maxLength={100} errors={errors} />
      <fieldset>
        <legend>{t.columns.scopes}</legend>
        <div class="hint">{t.scopesHint}</div>
        {scopes.map(scope => (
          <label key={scope} class="tick">
            <input type="checkbox" name={`scope:${scope}`} checked={values.scopes.includes(scope)} />
            <span>
              {t.scopes[scope] ?? scope} <code class="quiet">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Input
        name="expiresInDays"
        label={t.expiresInDays}
        hint={t.expiresHint}
        value={values.expiresInDays}
        inputMode="decimal"
        required={false}
        errors={errors}
      />
      <PasswordAgain asked={asksForPassword} reason={t.createReason} errors={errors} />
      <div class="form-actions">
        <Button kind="primary">{t.create}</Button>
      </div>
    </form>
  )
}

type RevokeProps = Pick<Props, 'context' | 'user' | 'errors' | 'asksForPassword'> & { row: TokenRow }

export function RevokeTokenPage({ context, user, row, errors, asksForPassword }: RevokeProps) {
  const { settings, frame } = context.texts
  const t = settings.tokens
  return (
    <SettingsLayout context={context} user={user} here="/settings/tokens">
      <h1>{t.revokeQuestion(row.name)}</h1>
      <p>
        <CodeText text={t.revokeText(row.shown, row.lastUsed)} />
      </p>
      <ErrorSummary errors={errors} labels={labelsOf(settings)} />
      <form method="post" action={`/settings/tokens/${row.id}/revoke`} class="sheet">
        <Csrf token={user.csrf} />
        <PasswordAgain asked={asksForPassword} reason={t.revokeReason} errors={errors} />
        <div class="form-actions">
          <Button kind="danger">{t.revoke}</Button>
          <a href="/settings/tokens">{frame.cancel}</a>
        </div>
      </form>
    </SettingsLayout>
  )
}
