/** One attempt: what was sent, and what came back, as plain text. */
import { usePageTexts } from '../parts/page-texts.ts'
import { type AttemptView, isRedirect } from './webhook-parts.tsx'

interface Props {
  attempt: AttemptView
  /** Shown with the request; absent where the page shows it once for all attempts. */
  body?: string
}

export function Exchange({ attempt, body }: Props) {
  const t = usePageTexts().webhooks
  const { requestHeaders, answerHeaders, status, answer } = attempt
  return (
    <>
      {isRedirect(attempt) && <p>{t.redirected}</p>}
      <details>
        <summary>{t.request}</summary>
        {requestHeaders ? <HeaderLines label={t.requestHeaders} headers={requestHeaders} /> : <p class="quiet">{t.notKept}</p>}
        {body !== undefined && <BodyText label={t.requestBody} text={body} />}
      </details>
      {status !== undefined && (
        <details open>
          <summary>{t.answer}</summary>
          {answerHeaders ? <HeaderLines label={t.answerHeaders} headers={answerHeaders} /> : <p class="quiet">{t.notKept}</p>}
          {answer === '' ? (
            <p class="quiet">{t.emptyBody}</p>
          ) : (
            <>
              <BodyText label={t.answerBody} text={answer} />
              <p class="small quiet">{t.answerCut}</p>
            </>
          )}
        </details>
      )}
    </>
  )
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
