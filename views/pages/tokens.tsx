/** Settings → API tokens: the list, the form, and a new token shown once. The API calls them keys. */
import { Csrf, ErrorSummary, Input, type PageContext } from '../layout.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

/** What a program with this scope may do. */
const SCOPE_WORDS: Record<string, string> = {
  'documents:read': 'See documents and fetch files',
  'documents:write': 'Create, send, void and delete documents',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Set up webhooks',
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
  errors: { path: string; message: string }[]
  values: { name: string; expiresInDays: string; scopes: readonly string[] }
  /** Who entered it a while ago enters it again. */
  asksPassword: boolean
  /** The token just made, the only time it is known. */
  made: { name: string; key: string } | undefined
}

export function TokensPage({ context, user, rows, scopes, errors, values, asksPassword, made }: Props) {
  return (
    <SettingsLayout context={context} user={user} here="/settings/tokens">
      <h1>API tokens</h1>
      <p>
        An API token lets a program of yours create and send documents. The <a href="/api/v1/docs">API reference</a> tells how.
      </p>
      {made && (
        <div class="note" role="status">
          <strong>The API token “{made.name}” is ready. Copy it now: it is not shown again.</strong>
          <pre class="key">{made.key}</pre>
          <p class="small">One click or tap selects all of it.</p>
        </div>
      )}
      <ErrorSummary errors={errors} labels={LABELS} />
      <div class="sheet">{rows.length === 0 ? <p class="quiet">No API token yet.</p> : <TokenTable rows={rows} />}</div>
      <h2>New API token</h2>
      <TokenForm csrf={user.csrf} scopes={scopes} errors={errors} values={values} asksPassword={asksPassword} />
    </SettingsLayout>
  )
}

function TokenTable({ rows }: { rows: TokenRow[] }) {
  return (
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">API token</th>
          <th scope="col">Scopes</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="unseen">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <TokenLine key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function TokenLine({ row }: { row: TokenRow }) {
  return (
    <tr>
      <td class="title">{row.name}</td>
      <td>
        <code>{row.shown}</code>
      </td>
      <td class="small" data-label="Scopes">
        {row.scopes}
      </td>
      <td class="small quiet" data-label="Created">
        {row.created}
      </td>
      <td class="small quiet" data-label="Expires">
        {row.expires}
      </td>
      <td class="small quiet" data-label="Last used">
        {row.lastUsed}
      </td>
      <td>
        {row.live ? (
          <a href={`/settings/tokens/${row.id}/revoke`} aria-label={`Revoke ${row.name}`}>
            Revoke…
          </a>
        ) : (
          <span class="quiet">revoked</span>
        )}
      </td>
    </tr>
  )
}

type FormProps = Pick<Props, 'scopes' | 'errors' | 'values' | 'asksPassword'> & { csrf: string }

function TokenForm({ csrf, scopes, errors, values, asksPassword }: FormProps) {
  return (
    <form method="post" action="/settings/tokens" class="sheet">
      <Csrf token={csrf} />
      <Input
        name="name"
        label={LABELS.name}
        hint="The program that uses it, such as “HR system”."
        value={values.name}
        maxLength={100}
        errors={errors}
      />
      <fieldset>
        <legend>Scopes</legend>
        <div class="hint">What the program may do. Nothing ticked means everything.</div>
        {scopes.map(scope => (
          <label key={scope} class="tick">
            <input type="checkbox" name={`scope:${scope}`} checked={values.scopes.includes(scope)} />
            <span>
              {SCOPE_WORDS[scope] ?? scope} <code class="quiet">{scope}</code>
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
      <PasswordAgain asked={asksPassword} why="An API token opens your documents to a program." errors={errors} />
      <button type="submit" class="wide">
        Create API token
      </button>
    </form>
  )
}

type RevokeProps = Pick<Props, 'context' | 'user' | 'errors' | 'asksPassword'> & { row: TokenRow }

/** Asks before a token is revoked: it cannot be taken back. */
export function RevokeTokenPage({ context, user, row, errors, asksPassword }: RevokeProps) {
  return (
    <SettingsLayout context={context} user={user} here="/settings/tokens">
      <h1>Revoke the API token “{row.name}”?</h1>
      <p>
        A program that uses <code>{row.shown}</code> is refused from then on. This cannot be undone: it would need a new API
        token. Last used: {row.lastUsed}.
      </p>
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action={`/settings/tokens/${row.id}/revoke`} class="sheet">
        <Csrf token={user.csrf} />
        <PasswordAgain asked={asksPassword} why="A revoked API token stays revoked." errors={errors} />
        <button type="submit" class="danger">
          Revoke for good
        </button>
      </form>
      <p>
        <a href="/settings/tokens">Keep it</a>
      </p>
    </SettingsLayout>
  )
}
