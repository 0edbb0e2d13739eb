/** The page before a document that the link alone does not open. It shows no title or names. */
import { Csrf, ErrorSummary, Input, useErrors } from '../parts/form.tsx'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

export interface GateProps extends SignerContext {
  action: string
  organisation: string
  /** Undefined for an access code, which the sender has given. */
  oneTimeCode:
    | {
        /** Masked; undefined if the sender's own service passes the code on. */
        address: string | undefined
        /** False: a code by e-mail is in the outbox of the service. */
        isMailed: boolean
        /** A code can be entered in this browser. */
        isSent: boolean
        /** Until another code may be asked for. */
        waitS: number
      }
    | undefined
  isLocked: boolean
  /** Before the next try at an access code. */
  accessCodeWaitS: number | undefined
}

export function GatePage(props: GateProps) {
  const { texts, organisation, oneTimeCode, isLocked } = props
  const hasEntry = !isLocked && (oneTimeCode?.isSent ?? true)
  return (
    <SignerLayout signer={props}>
      <h1>{texts.gate.heading}</h1>
      <ErrorSummary heading={texts.check} />
      {/* Without an entry the errors lead here. */}
      <div class="sheet break" id={hasEntry ? undefined : 'code'}>
        <p class="lead">{texts.gate.why(organisation)}</p>
        {!isLocked && (oneTimeCode ? <OneTimeCode {...props} oneTimeCode={oneTimeCode} /> : <AccessCode {...props} />)}
      </div>
    </SignerLayout>
  )
}

function AccessCode({ texts, action, accessCodeWaitS }: GateProps) {
  const { landing } = texts
  // The error of the field names the pause itself.
  const hasError = useErrors().some(({ path }) => path === 'accessCode')
  return (
    <form method="post" action={action}>
      <Csrf />
      <Input
        name="accessCode"
        label={landing.code}
        hint={landing.codeHint}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellcheck={false}
        dir="auto"
      />
      {accessCodeWaitS !== undefined && !hasError && <p class="note">{landing.codeWait(accessCodeWaitS)}</p>}
      <button type="submit" class="button wide">
        {landing.open}
      </button>
    </form>
  )
}

type OneTimeCodeProps = GateProps & { oneTimeCode: NonNullable<GateProps['oneTimeCode']> }

function OneTimeCode(props: OneTimeCodeProps) {
  const { texts, action, oneTimeCode } = props
  const { gate } = texts
  const { address, isMailed, isSent } = oneTimeCode
  if (!isSent) {
    return (
      <>
        <p>{address === undefined ? gate.sendOther : isMailed ? gate.sendTo(address) : gate.bySender(address)}</p>
        <Ask {...props} />
      </>
    )
  }
  return (
    <>
      <p>{address === undefined ? gate.sentOther : isMailed ? gate.sentTo(address) : gate.bySender(address)}</p>
      <form method="post" action={action}>
        <Csrf />
        <Input
          name="code"
          label={gate.code}
          hint={gate.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          spellcheck={false}
          dir="ltr"
        />
        <button type="submit" class="button wide">
          {gate.open}
        </button>
      </form>
      {(address === undefined || isMailed) && (
        <>
          <h2>{gate.missing}</h2>
          <p>{address === undefined ? gate.missingOther : gate.missingEmail}</p>
        </>
      )}
      <Ask {...props} />
    </>
  )
}

/** By POST: a mail scanner that follows the link causes no mail. */
function Ask({ texts: { gate }, action, oneTimeCode: { isSent, waitS } }: OneTimeCodeProps) {
  const hasErrors = useErrors().length > 0
  return (
    <form method="post" action={`${action}/code`}>
      <Csrf />
      {waitS > 0 && !hasErrors && <p class="quiet">{gate.again(waitS)}</p>}
      <button type="submit" class={isSent ? 'button plain wide' : 'button wide'}>
        {isSent ? gate.askAgain : gate.ask}
      </button>
    </form>
  )
}
