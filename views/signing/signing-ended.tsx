/** In place of a document whose link opens nothing more: what became of it, and whom to ask. */
import { Csrf } from '../parts/form.tsx'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

export interface EndedProps extends SignerContext {
  csrf: string
  heading: string
  /** Undefined where the link alone does not show it. */
  title: string | undefined
  /** As in the invitation. */
  sender: string | undefined
  message: string
  /** Asks for a new link. */
  request: { action: string; effect: keyof SignerContext['texts']['ended'] } | undefined
  /** Who answers questions. */
  ask: string | undefined
}

export function EndedPage(props: EndedProps) {
  const { texts, csrf, heading, title, sender, message, request, ask } = props
  const { ended, failure } = texts
  return (
    <SignerLayout signer={props} event="closed">
      <h1>{heading}</h1>
      <div class="sheet break">
        {title !== undefined && (
          <p class="done-title">
            <strong dir="auto">{title}</strong>
            {sender !== undefined && <span class="quiet"> · {texts.from(sender)}</span>}
          </p>
        )}
        <p>{message}</p>
        {request && (
          <form method="post" action={request.action}>
            <Csrf token={csrf} />
            <p>{ended[request.effect]}</p>
            <button type="submit" class="button wide">
              {ended.ask}
            </button>
          </form>
        )}
        {ask !== undefined && <p class="quiet">{failure.ask(ask)}</p>}
      </div>
    </SignerLayout>
  )
}
