/** Settings → API tokens: the list, a new token, and the question before revoking. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf, ErrorSummary, Input, type ValidationErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

const SCOPE_MEANINGS: Record<string, string> = {
  'documents:read': 'Read documents and download files',
  'documents:write': 'Create, send, void and delete documents',
  'webhooks:read': 'Read webhooks and their deliveries',
  'webhooks:write': 'Create, change and delete webhooks',
}

const LABELS = { name: 'Name', expiresInDays: 'Expires after (days)', password: 'Your password' }

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
  return (
    <SettingsLayout context={context} user={user} here="/settings/tokens">
      <PageHead
        title="API tokens"
        actions={
          <LinkButton href="/api/v1/docs" icon="external-link">
            API reference
          </LinkButton>
        }
      >
        <p class="quiet">With an API token, your programs can create and send documents.</p>
      </PageHead>
      {created && (
        <Callout
          tone="good"
          role="status"
          title={`The API token “${created.name}” was created. Copy it now: it will not be shown again.`}
        >
          <pre class="key">{created.key}</pre>
          <p class="small">Click or tap it to select all of it.</p>
        </Callout>
      )}
      <ErrorSummary errors={errors} labels={LABELS} />
      {rows.length === 0 ? (
        <div class="table">
          <EmptyState icon="key-round" title="No API tokens yet.">
            A program needs one to send documents for you.
          </EmptyState>
        </div>
      ) : (
        <TokenTable rows={rows} />
      )}
      <h2>New API token</h2>
      <TokenForm csrf={user.csrf} scopes={scopes} errors={errors} values={values} asksForPassword={asksForPassword} />
    </SettingsLayout>
  )
}

function TokenTable({ rows }: { rows: TokenRow[] }) {
  return (
    <Table>
      <TableHead columns={['Name', 'API token', 'Scopes', 'Created', 'Expires', 'Last used']} actions="Revoke" />
      <tbody>
        {rows.map(row => (
          <TokenTableRow key={row.id} row={row} />
        ))}
      </tbody>
    </Table>
  )
}

function TokenTableRow({ row }: { row: TokenRow }) {
  return (
    <tr>
      <td class="title">{row.name}</td>
      <td>
        <code>{row.shown}</code>
      </td>
      <Cell label="Scopes" class="small">
        {row.scopes}
      </Cell>
      <Cell label="Created" class="small quiet">
        {row.created}
      </Cell>
      <Cell label="Expires" class="small quiet">
        {row.expires}
      </Cell>
      <Cell label="Last used" class="small quiet">
        {row.lastUsed}
      </Cell>
      <td>
        {row.live ? (
          <LinkButton kind="quiet" small href={`/settings/tokens/${row.id}/revoke`} aria-label={`Revoke ${row.name}`}>
            Revoke…
          </LinkButton>
        ) : (
          <Badge tone="neutral" icon="ban">
            revoked
          </Badge>
        )}
      </td>
    </tr>
  )
}

type FormProps = Pick<Props, 'scopes' | 'errors' | 'values' | 'asksForPassword'> & { csrf: string }

function TokenForm({ csrf, scopes, errors, values, asksForPassword }: FormProps) {
  return (
    <form method="post" action="/settings/tokens" class="sheet">
      <Csrf token={csrf} />
      <Input
        name="name"
        label={LABELS.name}
        hint="The program that will use it, for example “HR system”."
        value={values.name}
        maxLength={100}
        errors={errors}
      />
      <fieldset>
        <legend>Scopes</legend>
        <div class="hint">What the program may do. If you tick nothing, it may do everything.</div>
        {scopes.map(scope => (
          <label key={scope} class="tick">
            <input type="checkbox" name={`scope:${scope}`} checked={values.scopes.includes(scope)} />
            <span>
              {SCOPE_MEANINGS[scope] ?? scope} <code class="quiet">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Input
        name="expiresInDays"
        label={LABELS.expiresInDays}
        hint="Leave it empty for an API token that does not expire."
        value={values.expiresInDays}
        inputMode="decimal"
        required={false}
        errors={errors}
      />
      <PasswordAgain asked={asksForPassword} reason="An API token gives a program access to your documents." errors={errors} />
      <div class="form-actions">
        <Button kind="primary">Create API token</Button>
      </div>
    </form>
  )
}

type RevokeProps = Pick<Props, 'context' | 'user' | 'errors' | 'asksForPassword'> & { row: TokenRow }

export function RevokeTokenPage({ context, user, row, errors, asksForPassword }: RevokeProps) {
  return (
    <SettingsLayout context={context} user={user} here="/settings/tokens">
      <h1>Revoke the API token “{row.name}”?</h1>
      <p>
        Programs that use <code>{row.shown}</code> will lose access immediately. This cannot be undone. Last used: {row.lastUsed}.
      </p>
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action={`/settings/tokens/${row.id}/revoke`} class="sheet">
        <Csrf token={user.csrf} />
        <PasswordAgain asked={asksForPassword} reason="Revoking an API token cannot be undone." errors={errors} />
        <div class="form-actions">
          <Button kind="danger">Revoke</Button>
          <a href="/settings/tokens">Cancel</a>
        </div>
      </form>
    </SettingsLayout>
  )
}
