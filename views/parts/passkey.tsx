/** The button that asks the browser for a passkey. Hidden until the script shows it. */
import { Button, type ButtonKind } from './button.tsx'
import { usePageTexts } from './page-texts.ts'

interface Props {
  /** Answers with what the browser is to be asked. */
  optionsFrom: string
  text: string
  /** It makes a new passkey, and is the form's own button. */
  isNew?: boolean
  kind?: ButtonKind
}

/** In a form, which the script sends with the browser's response in `passkey`. */
export function PasskeyButton({ optionsFrom, text, isNew = false, kind }: Props) {
  const { failures, noScript } = usePageTexts().passkeys
  return (
    <>
      <div class="passkey" data-passkey-options={optionsFrom} data-passkey-failures={JSON.stringify(failures)} hidden>
        <input type="hidden" name="passkey" />
        <p class="field-error" role="alert" data-passkey-failure hidden />
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
