/** The frame of every page: title, skip link, header and main part. */
import type { ComponentChildren } from 'preact'
import { Csrf } from './parts/form.tsx'

export interface PageContext {
  title: string
  /** Address of the style sheet, with its hash. */
  css: string
  nonce: string
  /** Shown large unless it is production. */
  environment: string
  isProduction: boolean
  /** Open alerts, for a signed-in administrator. */
  alerts?: readonly string[]
}

/** The signed-in person, with the token of their forms. */
export interface PageUser {
  name: string
  csrf: string
  /** Address of the section in the header that the page belongs to. */
  section: string
}

const SECTIONS = [
  { href: '/documents', name: 'Documents' },
  { href: '/outbox', name: 'E-mail' },
  { href: '/settings/tokens', name: 'Settings' },
]

interface Props {
  context: PageContext
  user?: PageUser | undefined
  narrow?: boolean
  /** BCP 47. */
  lang?: string
  dir?: 'ltr' | 'rtl'
  /** Text of the link that skips the header. */
  skip?: string
  /** What a page adds to its head. */
  head?: ComponentChildren
  children: ComponentChildren
}

export function Layout(props: Props) {
  const { context, user, narrow = false, lang = 'en', dir = 'ltr', skip = 'Skip to content', head, children } = props
  return (
    <html lang={lang} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{context.title} · Signet</title>
        <link rel="stylesheet" href={context.css} nonce={context.nonce} />
        <link rel="icon" href="data:," />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          {skip}
        </a>
        <header class="bar">
          <div class={narrow && !user ? 'narrow' : ''}>
            {user ? (
              <a class="brand" href="/documents">
                Signet
              </a>
            ) : (
              <span class="brand">Signet</span>
            )}
            {!context.isProduction && <span class="env">{context.environment.toUpperCase()}</span>}
            {user && <UserMenu {...user} />}
          </div>
        </header>
        <main id="main" class={narrow ? 'narrow' : ''}>
          <Alerts messages={context.alerts ?? []} />
          {children}
        </main>
      </body>
    </html>
  )
}

function UserMenu({ name, csrf, section }: PageUser) {
  return (
    <>
      <span class="who quiet small">{name}</span>
      <nav aria-label="Main">
        <SectionLinks sections={SECTIONS} current={section} />
      </nav>
      <form method="post" action="/sign-out">
        <Csrf token={csrf} />
        <button type="submit" class="link">
          Sign out
        </button>
      </form>
    </>
  )
}

export function SectionLinks({ sections, current }: { sections: { href: string; name: string }[]; current: string }) {
  return (
    <>
      {sections.map(({ href, name }) => (
        <a key={href} href={href} {...(href === current ? { 'aria-current': 'page' as const } : {})}>
          {name}
        </a>
      ))}
    </>
  )
}

function Alerts({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <section class="error" aria-labelledby="alerts">
      <strong id="alerts">An administrator needs to act:</strong>
      <List items={messages} />
    </section>
  )
}

export function List({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map(item => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}

/** Confirms what the person has just done. */
export function Notice({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div class="note" role="status">
      {text}
    </div>
  )
}

/** `actions` names the last column for screen readers only. */
export function TableHead({ columns, actions }: { columns: string[]; actions?: string }) {
  return (
    <thead>
      <tr>
        {columns.map(column => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        {actions && (
          <th scope="col">
            <span class="unseen">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface CellProps {
  /** The column: shown before the content where a narrow window stacks the cells. */
  label: string
  class?: string
  children: ComponentChildren
}

export function Cell({ label, class: className, children }: CellProps) {
  return (
    <td class={className} data-label={label}>
      {children}
    </td>
  )
}

export type Fact = [label: string, value: string]

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}

/** `state` is the value in the data and gives the colour. */
export function Status({ state, text }: { state: string; text: string }) {
  return <span class={`status ${state}`}>{text}</span>
}

interface MessageProps extends Pick<Props, 'context' | 'lang' | 'dir' | 'skip'> {
  title: string
  message: string
  hint?: string | undefined
  /** Where to continue. */
  link?: { href: string; text: string } | undefined
}

/** A page with one message. */
export function MessagePage({ title, message, hint, link, ...layout }: MessageProps) {
  return (
    <Layout {...layout} narrow>
      <h1>{title}</h1>
      <div class="sheet">
        <p>{message}</p>
        {link && (
          <p>
            <a class="break" href={link.href}>
              {link.text}
            </a>
          </p>
        )}
        {hint && <p class="quiet">{hint}</p>}
      </div>
    </Layout>
  )
}
