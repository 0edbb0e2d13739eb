/**
 * Below the input of an e-mail address: asks about a domain that is probably mistyped. The script
 * of the web app shows it while a person types; nobody has to answer.
 */
import { suggestDomain } from '../../src/core/draft/mailbox.ts'
import { usePageTexts } from './page-texts.ts'

/** Directly after the input. `value`: what the input has when the page opens. */
export function AddressQuestion({ value }: { value: string }) {
  const { ask, use } = usePageTexts().frame.addressQuestion
  const domain = suggestDomain(value)
  const filled = (text: string) => (domain === undefined ? '' : text.replace('{domain}', domain))
  return (
    <p class="address-question small" role="status" data-address-question data-ask={ask} data-use={use}>
      <span>{filled(ask)}</span>{' '}
      <button type="button" class="button link compact" hidden={domain === undefined}>
        <span>{filled(use)}</span>
      </button>
    </p>
  )
}
