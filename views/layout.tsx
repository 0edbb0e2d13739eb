/** The frame of every page: title, skip link, header, main. Views get what they show, nothing else. */
import type { ComponentChildren, JSX } from 'preact'

export interface Frame {
  title: string
  /** Address of the style sheet, with its hash. */
  css: string
  nonce: string
  /** Shown large where it is not production. */
  environment: string
  isProduction: boolean
}

interface Room {
  href: string
  name: string
}

const ROOMS: Room[] = [
  { href: '/documents', name: 'Documents' },
  { href: '/outbox', name: 'Mail' },
  { href: '/settings/tokens', name: 'Settings' },
]

interface Props {
  frame: Frame
  /** The signed-in person with the token their forms carry. */
  user?: { name: string; csrf: string; room: string } | undefined
  narrow?: boolean
  children: ComponentChildren
}

export function Layout({ frame, user, narrow = false, children }: Props) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{frame.title} · Signet</title>
        <link rel="stylesheet" href={frame.css} nonce={frame.nonce} />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="bar">
          <div>
            {user ? (
              <a class="brand" href="/documents">
                Signet
              </a>
            ) : (
              <span class="brand">Signet</span>
            )}
            {!frame.isProduction && <span class="env">{frame.environment.toUpperCase()}</span>}
            {user && (
              <>
                <nav aria-label="Rooms">
                  {ROOMS.map(room => (
                    <a key={room.href} href={room.href} {...(room.href === user.room ? { 'aria-current': 'page' as const } : {})}>
                      {room.name}
                    </a>
                  ))}
                </nav>
                <span class="quiet small">{user.name}</span>
                <form method="post" action="/sign-out">
                  <Csrf token={user.csrf} />
                  <button type="submit" class="plain">
                    Sign out
                  </button>
                </form>
              </>
            )}
          </div>
        </header>
        <main id="main" class={narrow ? 'narrow' : ''}>
          {children}
        </main>
      </body>
    </html>
  )
}

export function Csrf({ token }: { token: string }) {
  return <input type="hidden" name="csrf" value={token} />
}

/** What is wrong, before the form it is about; takes the focus when the page opens. */
export function ErrorSummary({ faults }: { faults: { path: string; message: string }[] }) {
  if (faults.length === 0) return null
  return (
    <div class="error" role="alert" tabIndex={-1}>
      <strong>Please check:</strong>
      <ul>
        {faults.map(fault => (
          <li key={fault.path}>
            <a href={`#${fault.path}`}>{fault.message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface InputProps {
  name: string
  label: string
  hint?: string
  value?: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: string
  required?: boolean
  class?: string
  maxLength?: number
  inputMode?: 'decimal' | 'text'
  faults: { path: string; message: string }[]
}

/** A labelled input with its hint and its fault told to every reader. */
export function Input({ name, label, hint, faults, required = true, ...rest }: InputProps) {
  const fault = faults.find(f => f.path === name)
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return (
    <>
      <label for={name}>
        {label}
        {!required && <span class="quiet"> (optional)</span>}
      </label>
      {hint && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      {fault && (
        <div class="fault" id={`${name}-fault`}>
          {fault.message}
        </div>
      )}
      <input
        {...({
          id: name,
          name,
          required,
          ...rest,
          ...(described ? { 'aria-describedby': described } : {}),
          ...(fault ? { 'aria-invalid': 'true' } : {}),
        } as JSX.IntrinsicElements['input'])}
      />
    </>
  )
}

export function Status({ word }: { word: string }) {
  return <span class={`status ${word}`}>{word}</span>
}

/** One sentence where a page would have been. */
export function MessagePage({
  frame,
  title,
  message,
  hint,
}: {
  frame: Frame
  title: string
  message: string
  hint?: string | undefined
}) {
  return (
    <Layout frame={frame} narrow>
      <div class="sheet">
        <h1>{title}</h1>
        <p>{message}</p>
        {hint && <p class="quiet">{hint}</p>}
      </div>
    </Layout>
  )
}
