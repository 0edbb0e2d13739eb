/** The API reference. Loads nothing from another host; only the copy buttons need the script. */
import type { ComponentChildren } from 'preact'
import { Layout, type PageContext } from '../layout.tsx'
import { anchorOf, headingsOf, InlineMarkdown, Markdown } from '../parts/markdown.tsx'

export interface Member {
  path: string
  type: string
  isRequired: boolean
  /** CommonMark, one line. */
  meaning: string
}

export interface OperationProps {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string | undefined
  scope: string | undefined
  parameters: { name: string; location: string; meaning: string }[]
  body: Member[]
  samples: { label: string; source: string }[]
  responses: { status: string; description: string; members: Member[]; example: string | undefined }[]
}

interface ReferenceProps {
  context: PageContext
  /** Addresses of the page's own files. */
  style: string
  script: string
  base: string
  guide: string
  tags: { name: string; description: string }[]
  operations: OperationProps[]
  events: { type: string; summary: string; example: string }[]
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
        {members.map(({ path, type, isRequired, meaning }) => (
          <tr key={path}>
            <td class="path">
              <code>{path}</code>
            </td>
            <td class="small">
              {type}
              {isRequired ? '' : ', optional'}
            </td>
            <td class="small">
              <InlineMarkdown source={meaning} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DetailsProps {
  title: ComponentChildren
  name?: string
  open?: boolean
  children: ComponentChildren
}

function Details({ title, children, ...rest }: DetailsProps) {
  return (
    <details {...rest}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

function Code({ text }: { text: string }) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  )
}

/** All failures share one body, so they are only listed. */
function Responses({ responses }: Pick<OperationProps, 'responses'>) {
  const isFailure = ({ status }: { status: string }) => Number(status) >= 400
  return (
    <>
      <h4>Responses</h4>
      {responses
        .filter(response => !isFailure(response))
        .map(({ status, description, members, example }) => (
          <div key={status}>
            <p>
              <strong>{status}</strong> <InlineMarkdown source={description} />
            </p>
            {example && (
              <Details title="Example response">
                <Code text={example} />
              </Details>
            )}
            {members.length > 0 && (
              <Details title="Members of the response">
                <Members members={members} />
              </Details>
            )}
          </div>
        ))}
      <ul class="small failures" aria-label="Failures">
        {responses.filter(isFailure).map(({ status, description }) => (
          <li key={status}>
            <strong>{status}</strong> <InlineMarkdown source={description} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Operation(operation: OperationProps) {
  const { id, method, path, summary, description, scope, parameters, body, samples } = operation
  return (
    <section class="sheet" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{summary}</h3>
      <p>
        <code>
          <span class="method">{method}</span> {path}
        </code>
      </p>
      {description && <Markdown source={description} />}
      <p class="quiet small">
        {scope ? (
          <>
            Scope: <code>{scope}</code>
          </>
        ) : (
          'Any key may call it.'
        )}
      </p>
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <ul>
            {parameters.map(({ name, location, meaning }) => (
              <li key={name}>
                <code>{name}</code> <span class="quiet">({location})</span> <InlineMarkdown source={meaning} />
              </li>
            ))}
          </ul>
        </>
      )}
      {body.length > 0 && (
        <>
          <h4>Request body</h4>
          <Details title="Members of the request">
            <Members members={body} />
          </Details>
        </>
      )}
      <h4>Example request</h4>
      {samples.map(({ label, source }, i) => (
        <Details key={label} title={label} name={`${id}-sample`} open={i === 0}>
          <Code text={source} />
        </Details>
      ))}
      <Responses {...operation} />
    </section>
  )
}

function Contents({ guide, tags, operations }: Pick<ReferenceProps, 'guide' | 'tags' | 'operations'>) {
  return (
    <nav aria-label="Contents" class="sheet">
      <strong>Guide</strong>
      <ul class="operations">
        {headingsOf(guide).map(heading => (
          <li key={heading}>
            <a href={`#${anchorOf(heading)}`}>{heading}</a>
          </li>
        ))}
      </ul>
      {tags.map(({ name }) => (
        <div key={name}>
          <strong>{name}</strong>
          <ul class="operations">
            {operations
              .filter(({ tag }) => tag === name)
              .map(({ id, method, path, summary }) => (
                <li key={id}>
                  <a href={`#${id}`}>{summary}</a>{' '}
                  <code>
                    {method} {path}
                  </code>
                </li>
              ))}
          </ul>
        </div>
      ))}
      <strong>
        <a href="#events">Events</a>
      </strong>
    </nav>
  )
}

export function ReferencePage({ context, style, script, base, guide, tags, operations, events }: ReferenceProps) {
  return (
    <Layout context={context} head={<link rel="stylesheet" href={style} nonce={context.nonce} />}>
      <h1>API reference</h1>
      <p>
        Base address <code>{base}</code>. Send your API token, made in the web app under Settings, as{' '}
        <code>Authorization: Bearer …</code>. For client generators: <a href="/api/v1/openapi.json">openapi.json</a>.
      </p>
      <Contents guide={guide} tags={tags} operations={operations} />
      <section class="sheet">
        <Markdown source={guide} />
      </section>
      {tags.map(({ name, description }) => (
        <div key={name}>
          <h2>{name}</h2>
          <Markdown source={description} />
          {operations
            .filter(({ tag }) => tag === name)
            .map(operation => (
              <Operation key={operation.id} {...operation} />
            ))}
        </div>
      ))}
      <section class="sheet" aria-labelledby="events">
        <h2 id="events">Events</h2>
        {events.map(({ type, summary, example }) => (
          <Details
            key={type}
            title={
              <>
                <code>{type}</code> {summary}
              </>
            }
          >
            <Code text={example} />
          </Details>
        ))}
      </section>
      <script type="module" src={script} nonce={context.nonce} />
    </Layout>
  )
}
