/** A secret that is shown only once. The script adds the button that copies it. */
import type { ComponentChildren } from 'preact'
import type { AppTexts } from '../../src/locales/app.ts'
import { Callout } from './notice.tsx'

interface Props {
  title: string
  secret: string
  hint: string
  texts: AppTexts['frame']
  /** What to do with it. */
  children?: ComponentChildren
}

export function OneTimeSecret({ title, secret, hint, texts, children }: Props) {
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
