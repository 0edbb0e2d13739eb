/** What waits for the signed-in person: on the list of documents, and on a document's page. */
import type { Document, Recipient } from '../../src/core/document/document.ts'
import { DOCUMENTS_PATH } from '../../src/core/page-paths.ts'
import { maySign } from '../../src/core/signing/routing.ts'
import { dayOf } from '../../src/lib/relative-time.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { titleOf } from '../documents/document-words.ts'
import { Button } from '../parts/button.tsx'
import { Csrf } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout } from '../parts/notice.tsx'
import { useClock } from '../parts/page-texts.ts'

export interface ToSignRow {
  document: Document
  /** Whose place the person has. */
  recipient: Recipient
  sender: string | undefined
  /** The person may see the page of the document, too. */
  hasPage: boolean
}

interface ListProps {
  rows: readonly ToSignRow[]
  texts: AppTexts['documents']
}

export function ToSignList({ rows, texts }: ListProps) {
  const clock = useClock()
  if (rows.length === 0) return null
  return (
    <section class="to-sign" aria-labelledby="to-sign-title">
      <h2 id="to-sign-title">{texts.toSign.title}</h2>
      <ul>
        {rows.map(({ document, recipient, sender, hasPage }) => {
          const title = titleOf(document, texts)
          return (
            <li key={recipient.id}>
              <div class="to-sign-what">
                {hasPage ? (
                  <a class="title" href={`${DOCUMENTS_PATH}/${document.id}`} dir="auto">
                    {title}
                  </a>
                ) : (
                  <span class="title" dir="auto">
                    {title}
                  </span>
                )}
                <p class="quiet small">
                  {sender !== undefined && <>{texts.toSign.from(sender)} · </>}
                  {recipient.sentAt && <Moment at={recipient.sentAt} />}
                  {document.expiresAt && <> · {texts.page.state.expires(dayOf(document.expiresAt, clock))}</>}
                </p>
              </div>
              <SignNow recipient={recipient} texts={texts} about={title} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** `about`: the title, for screen readers, where several buttons read alike. */
function SignNow({ recipient, texts, about }: Pick<ListProps, 'texts'> & { recipient: Recipient; about?: string }) {
  return (
    <form method="post" action={`/sign-now/${recipient.id}`}>
      <Csrf />
      <Button kind="primary" icon="signature">
        {maySign(recipient.role) ? texts.toSign.sign : texts.toSign.approve}
        {about !== undefined && <span class="unseen"> {about}</span>}
      </Button>
    </form>
  )
}

/** On the page of a document. */
export function OwnTurn({ recipient, texts }: Pick<ListProps, 'texts'> & { recipient: Recipient | undefined }) {
  if (!recipient) return null
  const { toSign } = texts
  return (
    <Callout
      tone="info"
      title={maySign(recipient.role) ? toSign.yourTurn : toSign.yourTurnToApprove}
      actions={<SignNow recipient={recipient} texts={texts} />}
    >
      <p>{toSign.how}</p>
    </Callout>
  )
}
