/** Alternatives to signing: decline with a reason, or hand over to a colleague. */
import type { ComponentChildren } from 'preact'
import { Csrf, Input } from '../parts/form.tsx'
import type { SigningProps } from './signing.tsx'

type Props = Pick<SigningProps, 'base' | 'csrf' | 'texts' | 'errors'>

interface AlternativeProps {
  heading: string
  meaning: string
  action: string
  csrf: string
  button: { class: string; text: string }
  /** Open when the form was sent with errors. */
  isOpen: boolean
  children: ComponentChildren
}

function Alternative({ heading, meaning, action, csrf, button, isOpen, children }: AlternativeProps) {
  return (
    <details class="refusal" {...(isOpen ? { open: true } : {})}>
      <summary>{heading}</summary>
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <p>{meaning}</p>
        {children}
        <p>
          <button type="submit" class={`button ${button.class}`}>
            {button.text}
          </button>
        </p>
      </form>
    </details>
  )
}

type DeclineProps = Props & Pick<SigningProps, 'role'> & { reason: string }

export function DeclineForm({ base, csrf, texts: { form, required }, role, reason, errors }: DeclineProps) {
  return (
    <Alternative
      heading={form.declineHeading[role]}
      meaning={form.declineMeaning}
      action={`${base}/decline`}
      csrf={csrf}
      button={{ class: 'danger', text: form.decline }}
      isOpen={errors.length > 0}
    >
      <Input
        name="reason"
        label={form.reason}
        note={required}
        hint={form.reasonHint}
        value={reason}
        rows={3}
        errors={errors}
        maxLength={1000}
        dir="auto"
      />
    </Alternative>
  )
}

export function DelegationForm({
  base,
  csrf,
  texts: { form, required },
  delegate,
  errors,
}: Props & Pick<SigningProps, 'delegate'>) {
  return (
    <Alternative
      heading={form.delegate}
      meaning={form.delegationMeaning}
      action={`${base}/delegate`}
      csrf={csrf}
      button={{ class: 'plain', text: form.delegateNow }}
      isOpen={errors.length > 0}
    >
      <Input
        name="name"
        label={form.colleague}
        note={required}
        value={delegate.name}
        errors={errors}
        maxLength={100}
        dir="auto"
        autoComplete="off"
        autoCapitalize="words"
      />
      <Input
        name="email"
        label={form.colleagueEmail}
        note={required}
        value={delegate.email}
        errors={errors}
        type="email"
        inputMode="email"
        autoComplete="off"
      />
    </Alternative>
  )
}
