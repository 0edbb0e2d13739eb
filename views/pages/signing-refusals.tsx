/** The ways out for somebody who will not sign: decline with a reason, or name a colleague. Plain forms below the one that counts. */
import type { ComponentChildren } from 'preact'
import { Csrf } from '../layout.tsx'
import type { SigningProps } from './signing.tsx'
import { TextEntry } from './signing-frame.tsx'

type Props = Pick<SigningProps, 'base' | 'csrf' | 'words' | 'role' | 'faults'>

interface WayOutProps {
  summary: string
  means: string
  action: string
  csrf: string
  button: { class: string; text: string }
  /** It was tried, and something was wrong. */
  isOpen: boolean
  children: ComponentChildren
}

function WayOut({ summary, means, action, csrf, button, isOpen, children }: WayOutProps) {
  return (
    <details class="refusal" {...(isOpen ? { open: true } : {})}>
      <summary>{summary}</summary>
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <p>{means}</p>
        {children}
        <p>
          <button type="submit" class={button.class}>
            {button.text}
          </button>
        </p>
      </form>
    </details>
  )
}

export function DeclineForm({ base, csrf, words, role, reason, faults }: Props & { reason: string }) {
  const { form } = words
  return (
    <WayOut
      summary={form.refuse[role]}
      means={form.refuseMeans}
      action={`${base}/decline`}
      csrf={csrf}
      button={{ class: 'danger', text: form.decline }}
      isOpen={faults.length > 0}
    >
      <TextEntry
        name="reason"
        label={form.reason}
        need={words.required}
        hint={form.reasonHint}
        value={reason}
        rows={3}
        faults={faults}
        attributes={{ maxLength: 1000, dir: 'auto' }}
      />
    </WayOut>
  )
}

export function HandOverForm({ base, csrf, words, handOver, faults }: Props & Pick<SigningProps, 'handOver'>) {
  const { form } = words
  return (
    <WayOut
      summary={form.handOver}
      means={form.handOverMeans}
      action={`${base}/hand-over`}
      csrf={csrf}
      button={{ class: 'plain', text: form.handOverNow }}
      isOpen={faults.length > 0}
    >
      <TextEntry
        name="name"
        label={form.colleague}
        need={words.required}
        value={handOver.name}
        faults={faults}
        attributes={{ maxLength: 100, dir: 'auto', autoComplete: 'off', autoCapitalize: 'words' }}
      />
      <TextEntry
        name="email"
        label={form.colleagueEmail}
        need={words.required}
        value={handOver.email}
        faults={faults}
        attributes={{ type: 'email', inputMode: 'email', autoComplete: 'off' }}
      />
    </WayOut>
  )
}
