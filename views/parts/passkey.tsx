/** The button that asks the browser for a passkey. Hidden until the script shows it. */
import { Button, type ButtonKind } from './button.tsx'
import { usePageTexts } from './page-texts.ts'

interface Props {
  /** Answers with what the browser is to be asked. */
  optionsFrom: string
  text: string
  /** It makes a new passkey, and is the form's own button. */
  isNew?: boolean
  /** The browser also offers it in the page's field for the account. */
  isAutofilled?: boolean
  kind?: ButtonKind | undefined
}

/** In a form, which the script sends with the browser's response in `passkey`. */
export function PasskeyButton({ optionsFrom, text, isNew = false, isAutofilled = false, kind }: Props) {
  const { failures, accepted, noScript } = usePageTexts().passkeys
  return (
    <>
      <div
        class="passkey"
        data-passkey-options={optionsFrom}
        data-passkey-failures={JSON.stringify(failures)}
        {...(isAutofilled ? { 'data-passkey-autofill': '' } : {})}
        hidden
      >
        <input type="hidden" name="passkey" />
        <p class="field-error" role="alert" data-passkey-failure hidden />
        <p role="status" data-passkey-accepted hidden>
          {accepted}
        </p>
        <Button type={isNew ? 'submit' : 'button'} kind={kind}>
          {text}
        </Button>
      </div>
      <noscript>
        <p class="quiet small">{noScript}</p>
      </noscript>
    </>
  )
}
