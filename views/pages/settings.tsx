/** Settings → API tokens: the list, the form, and a new key shown once. */
import { Csrf, ErrorSummary, type Frame, Input, Layout } from '../layout.tsx'

type User = { name: string; csrf: string; room: string }

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
  frame: Frame
  user: User
  rows: TokenRow[]
  scopes: readonly string[]
  faults: { path: string; message: string }[]
  values: { name: string }
  /** The key just made, the only time it is known. */
  made: { name: string; key: string } | undefined
}

export function TokensPage({ frame, user, rows, scopes, faults, values, made }: Props) {
  return (
    <Layout frame={frame} user={user}>
      <h1>API tokens</h1>
      <p>
        A key lets a program act for you. The <a href="/api/v1/docs">API reference</a> is served here too.
      </p>
      {made && (
        <div class="note" role="status">
          <strong>The key “{made.name}” was made. Copy it now: it is not shown again.</strong>
          <pre class="key">{made.key}</pre>
        </div>
      )}
      <ErrorSummary faults={faults} />
      <div class="sheet scroll">
        {rows.length === 0 ? (
          <p class="quiet">No key yet.</p>
        ) : (
          <table class="stack">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Key</th>
                <th scope="col">Scopes</th>
                <th scope="col">Created</th>
                <th scope="col">Expires</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="quiet">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.id}>
                  <td>{row.name}</td>
                  <td>
                    <code>{row.shown}</code>
                  </td>
                  <td class="small">{row.scopes}</td>
                  <td class="small quiet">{row.created}</td>
                  <td class="small quiet">{row.expires}</td>
                  <td class="small quiet">{row.lastUsed}</td>
                  <td>
                    {row.live ? (
                      <form method="post" action={`/settings/tokens/${row.id}/revoke`}>
                        <Csrf token={user.csrf} />
                        <button type="submit" class="danger" aria-label={`Revoke ${row.name}`}>
                          Revoke
                        </button>
                      </form>
                    ) : (
                      <span class="quiet">revoked</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <h2>New key</h2>
      <form method="post" action="/settings/tokens" class="sheet">
        <Csrf token={user.csrf} />
        <Input
          name="name"
          label="Name"
          hint="What uses it, such as “HR system”."
          value={values.name}
          maxLength={100}
          faults={faults}
        />
        <fieldset>
          <legend>Scopes</legend>
          <div class="hint">None ticked: all.</div>
          {scopes.map(scope => (
            <label key={scope} class="tick">
              <input type="checkbox" name={`scope:${scope}`} />
              <code>{scope}</code>
            </label>
          ))}
        </fieldset>
        <Input
          name="expiresInDays"
          label="Expires after days"
          hint="Empty: never."
          inputMode="decimal"
          required={false}
          faults={faults}
        />
        <button type="submit" class="wide">
          Create key
        </button>
      </form>
    </Layout>
  )
}
