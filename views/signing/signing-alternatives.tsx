/** Alternatives to signing: decline with a reason, hand over to a colleague, read it elsewhere. */
import type { ComponentChildren } from 'preact'
import { MAX_REASON } from '../../src/core/document/document-limits.ts'
import { Csrf, Input } from '../parts/form.tsx'
import type { SigningProps } from './signing.tsx'

type Props = Pick<SigningProps, 'base' | 'csrf' | 'texts' | 'errors'>

interface AlternativeProps {
  id: string
  heading: string
  meaning: string
  action: string
  csrf: string
  button: { class: string; text: string }
  /** Open when the form was sent with errors. */
  isOpen: boolean
  children: ComponentChildren
}

function Alternative({ id, heading, meaning, action, csrf, button, isOpen, children }: AlternativeProps) {
  return (
    <details id={id} class="refusal" {...(isOpen ? { open: true } : {})}>
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

/** In the header, where they are found on a phone too. Works without a script. */
export function AlternativesMenu({ base, texts: { form }, role, pageCount, mayDelegate }: MenuProps) {
  return (
    <details id="more">
      <summary>{form.more}</summary>
      <div>
        <a href={`${base}/file`}>{form.download(pageCount)}</a>
        {mayDelegate && <a href="#delegate">{form.delegate}</a>}
        <a href="#decline">{form.declineHeading[role]}</a>
      </div>
    </details>
  )
}

type MenuProps = Pick<SigningProps, 'base' | 'texts' | 'role' | 'pageCount' | 'mayDelegate'>

type DeclineProps = Props & Pick<SigningProps, 'role'> & { reason: string }

export function DeclineForm({ base, csrf, texts: { form, required }, role, reason, errors }: DeclineProps) {
  return (
    <Alternative
      id="decline"
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
        maxLength={MAX_REASON}
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
      id="delegate"
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
