/** The ways out for somebody who will not sign: decline with a reason, or name a colleague. Plain forms below the one that counts. */
import { Csrf } from '../layout.tsx'
import type { SigningProps } from './signing.tsx'
import { TextEntry } from './signing-frame.tsx'

type Props = Pick<SigningProps, 'base' | 'csrf' | 'words' | 'role'>

export function DeclineForm({
  base,
  csrf,
  words,
  role,
  reason,
  faults,
}: Props & { reason: string; faults: SigningProps['faults'] }) {
  const { form } = words
  return (
    <details class="refusal" {...(faults.length > 0 ? { open: true } : {})}>
      <summary>{form.refuse[role]}</summary>
      <form method="post" action={`${base}/decline`} class="sheet">
        <Csrf token={csrf} />
        <p>{form.refuseMeans}</p>
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
        <p>
          <button type="submit" class="danger">
            {form.decline}
          </button>
        </p>
      </form>
    </details>
  )
}

type HandOverProps = Props & Pick<SigningProps, 'handOver'> & { faults: SigningProps['faults'] }

export function HandOverForm({ base, csrf, words, handOver, faults }: HandOverProps) {
  const { form } = words
  return (
    <details class="refusal" {...(faults.length > 0 ? { open: true } : {})}>
      <summary>{form.handOver}</summary>
      <form method="post" action={`${base}/hand-over`} class="sheet">
        <Csrf token={csrf} />
        <p>{form.handOverMeans}</p>
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
        <p>
          <button type="submit" class="plain">
            {form.handOverNow}
          </button>
        </p>
      </form>
    </details>
  )
}
