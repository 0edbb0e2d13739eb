/** One attempt: what was sent, and what came back, as plain text. */
import { usePageTexts } from '../parts/page-texts.ts'
import { type AttemptView, isRedirect } from './webhook-parts.tsx'

interface Props {
  attempt: AttemptView
  /** Shown with the request; absent where the page shows it once for all attempts. */
  body?: string
  /** Shows the answer without being asked. */
  isOpen?: boolean
}

const MAX_KEPT_BYTES = 2048

export function Exchange({ attempt, body, isOpen = false }: Props) {
  const t = usePageTexts().webhooks
  const { requestHeaders, answerHeaders, status, answer } = attempt
  return (
    <>
      {isRedirect(attempt) && <p>{t.redirected}</p>}
      <details class="exchange">
        <summary>{t.request}</summary>
        {requestHeaders ? <HeaderLines label={t.requestHeaders} headers={requestHeaders} /> : <p class="quiet">{t.notKept}</p>}
        {body !== undefined && <BodyText label={t.requestBody} text={formatted(body)} />}
      </details>
      {status !== undefined && (
        <details class="exchange" open={isOpen}>
          <summary>{t.answer}</summary>
          {answerHeaders ? <HeaderLines label={t.answerHeaders} headers={answerHeaders} /> : <p class="quiet">{t.notKept}</p>}
          {answer === '' ? (
            <p class="quiet">{t.emptyBody}</p>
          ) : (
            <>
              <BodyText label={t.answerBody} text={answer} />
              {isCut(answer) && <p class="small quiet">{t.answerCut}</p>}
            </>
          )}
        </details>
      )}
    </>
  )
}

/** A cut character was replaced by three bytes: a cut text is not shorter than the limit. */
function isCut(answer: string): boolean {
  return new TextEncoder().encode(answer).length >= MAX_KEPT_BYTES
}

/** Our own JSON, on lines. */
export function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), undefined, 2)
}

function HeaderLines({ label, headers }: { label: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0 ? null : <BodyText label={label} text={lines.join('\n')} />
}

/** Scrolls by the keyboard too. */
export function BodyText({ label, text }: { label: string; text: string }) {
  return (
    <figure class="raw">
      <figcaption class="small quiet">{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  )
}
