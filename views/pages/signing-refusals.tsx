/** The ways out for somebody who will not sign: decline with a reason, or name a colleague. Plain forms below the one that counts. */
import type { ComponentChildren } from 'preact'
import { Csrf } from '../layout.tsx'
import type { SigningProps } from './signing.tsx'
import { TextEntry } from './signing-layout.tsx'

type Props = Pick<SigningProps, 'base' | 'csrf' | 'texts' | 'role' | 'errors'>

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

export function DeclineForm({ base, csrf, texts, role, reason, errors }: Props & { reason: string }) {
  const { form } = texts
  return (
    <WayOut
      summary={form.declineHeading[role]}
      means={form.declineMeaning}
      action={`${base}/decline`}
      csrf={csrf}
      button={{ class: 'danger', text: form.decline }}
      isOpen={errors.length > 0}
    >
      <TextEntry
        name="reason"
        label={form.reason}
        need={texts.required}
        hint={form.reasonHint}
        value={reason}
        rows={3}
        errors={errors}
        attributes={{ maxLength: 1000, dir: 'auto' }}
      />
    </WayOut>
  )
}

export function DelegationForm({ base, csrf, texts, delegate, errors }: Props & Pick<SigningProps, 'delegate'>) {
  const { form } = texts
  return (
    <WayOut
      summary={form.delegate}
      means={form.delegationMeaning}
      action={`${base}/delegate`}
      csrf={csrf}
      button={{ class: 'plain', text: form.delegateNow }}
      isOpen={errors.length > 0}
    >
      <TextEntry
        name="name"
        label={form.colleague}
        need={texts.required}
        value={delegate.name}
        errors={errors}
        attributes={{ maxLength: 100, dir: 'auto', autoComplete: 'off', autoCapitalize: 'words' }}
      />
      <TextEntry
        name="email"
        label={form.colleagueEmail}
        need={texts.required}
        value={delegate.email}
        errors={errors}
        attributes={{ type: 'email', inputMode: 'email', autoComplete: 'off' }}
      />
    </WayOut>
  )
}
