/** Messages: what has just been done, what needs attention, and a secret that is shown once. */
import type { ComponentChildren } from 'preact'
import type { AppTexts } from '../../src/locales/app.ts'
import { TONE_ICONS, type Tone } from './badge.tsx'
import { Icon } from './icon.tsx'

/** Confirms what the person has just done; the script shows it as a toast that a press closes. */
export function Notice({ text, tone = 'good' }: { text: string | undefined; tone?: Tone }) {
  if (text === undefined) return null
  return (
    <div class={`callout toast ${tone}`} role="status" data-toast>
      <Icon name={TONE_ICONS[tone]} />
      <p>{text}</p>
    </div>
  )
}

interface CalloutProps {
  tone: Tone
  title?: string | undefined
  role?: 'status' | 'alert'
  children?: ComponentChildren
  /** Buttons or links below the words. */
  actions?: ComponentChildren
}

/** A message in the page, with what to do. */
export function Callout({ tone, title, role, children, actions }: CalloutProps) {
  return (
    <div class={`callout ${tone}`} {...(role ? { role } : {})}>
      <Icon name={TONE_ICONS[tone]} />
      <div class="callout-words">
        {title !== undefined && <p class="callout-title">{title}</p>}
        {children}
        {actions && <div class="row">{actions}</div>}
      </div>
    </div>
  )
}

// A secret that is shown only once. The script adds the button that copies it.

interface OneTimeSecretProps {
  title: string
  secret: string
  hint: string
  texts: AppTexts['frame']
  /** What to do with it. */
  children?: ComponentChildren
}

export function OneTimeSecret({ title, secret, hint, texts, children }: OneTimeSecretProps) {
  return (
    <Callout tone="good" role="status" title={title}>
      <pre class="key" data-copy={texts.copy} data-copied={texts.copied} data-not-copied={texts.notCopied}>
        {secret}
      </pre>
      <p class="small">{hint}</p>
      {children}
    </Callout>
  )
}
