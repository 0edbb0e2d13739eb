/** The API reference, from the OpenAPI document alone. No script, nothing from another host. */
import { Layout, type PageContext } from '../layout.tsx'

export interface Operation {
  method: string
  path: string
  summary: string
  description: string | undefined
  scope: string
  parameters: { name: string; where: string; what: string }[]
  body: Member[]
  answers: { status: string; description: string; members: Member[] }[]
}

export interface Member {
  path: string
  type: string
  required: boolean
  what: string
}

function Members({ members }: { members: Member[] }) {
  return (
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {members.map(member => (
          <tr key={member.path}>
            <td class="path">
              <code>{member.path}</code>
            </td>
            <td class="small">
              {member.type}
              {member.required ? '' : ', optional'}
            </td>
            <td class="small">{member.what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What succeeds in full, what can fail in one line: all failures look alike. */
function Answers({ answers }: Pick<Operation, 'answers'>) {
  const failures = answers.filter(a => Number(a.status) >= 400)
  return (
    <>
      <h3>Answers</h3>
      {answers
        .filter(a => !failures.includes(a))
        .map(a =>
          a.members.length > 0 ? (
            <details key={a.status}>
              <summary>
                {a.status} {a.description}
              </summary>
              <Members members={a.members} />
            </details>
          ) : (
            <p key={a.status}>
              <strong>
                {a.status} {a.description}
              </strong>
            </p>
          ),
        )}
      {failures.length > 0 && (
        <ul class="small failures" aria-label="Failures">
          {failures.map(a => (
            <li key={a.status}>
              <strong>{a.status}</strong> {a.description}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function ReferencePage({ context, base, operations }: { context: PageContext; base: string; operations: Operation[] }) {
  return (
    <Layout context={context}>
      <h1>API reference</h1>
      <p>
        Base address <code>{base}</code>. Send your API key, made in the web app under Settings as an API token, as{' '}
        <code>Authorization: Bearer …</code>. Machine-readable: <a href="/api/v1/openapi.json">openapi.json</a>.
      </p>
      <p>
        Every POST takes an <code>Idempotency-Key</code>: repeating it within 24 hours gives the first answer again. A failure is{' '}
        <code>{'{"error":{"code","message","requestId","details"?}}'}</code>.
      </p>
      <nav aria-label="Operations" class="sheet">
        <ul>
          {operations.map(o => (
            <li key={o.method + o.path}>
              <a href={`#${o.method}${o.path}`}>
                <code>
                  {o.method} {o.path}
                </code>
              </a>{' '}
              {o.summary}
            </li>
          ))}
        </ul>
      </nav>
      {operations.map(o => (
        <section key={o.method + o.path} class="sheet" id={`${o.method}${o.path}`}>
          <h2>
            <code>
              {o.method} {o.path}
            </code>
          </h2>
          <p>
            {o.summary}. {o.description}
          </p>
          <p class="quiet small">
            Scope: <code>{o.scope}</code>
          </p>
          {o.parameters.length > 0 && (
            <ul>
              {o.parameters.map(p => (
                <li key={p.name}>
                  <code>{p.name}</code> <span class="quiet">({p.where})</span> {p.what}
                </li>
              ))}
            </ul>
          )}
          {o.body.length > 0 && (
            <>
              <h3>Request</h3>
              <Members members={o.body} />
            </>
          )}
          <Answers answers={o.answers} />
        </section>
      ))}
    </Layout>
  )
}
