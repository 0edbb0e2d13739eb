/** A request to a page for people without an account, with the language of its response. */
import type { VNode } from 'preact'
import { MessagePage } from '../../../../views/layout.tsx'
import { EndedPage, type EndedProps } from '../../../../views/signing/signing-landing.tsx'
import type { SignerContext } from '../../../../views/signing/signing-layout.tsx'
import { chooseLanguage, directionOf, type Language } from '../../../core/language.ts'
import { type Reason, Refusal } from '../../../core/refusal.ts'
import { translate } from '../../../core/signing/message.ts'
import type { SigningContext } from '../../../documents/signing/link.ts'
import { errorMessage } from '../../../lib/log.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { Catalogue, SignerTexts } from '../../../locales/catalogue.ts'
import { catalogueOf } from '../../../locales/index.ts'
import { englishOf, englishOfRefusal } from '../../../locales/violations.ts'
import { errorHeaders, refusalOf, toProblem } from '../../errors.ts'
import { contactOf, type PageResponse, type Visit } from '../../frame/page.tsx'

const TITLES: Partial<Record<Reason, keyof Omit<SignerTexts['failure'], 'ask'>>> = {
  not_found: 'notFound',
  invalid_state: 'over',
  rate_limited: 'wait',
  overloaded: 'wait',
  storage_unavailable: 'wait',
}

/** Messages that only the owner of a genuine link reads. */
const FOR_OWNERS: ReadonlySet<string> = new Set([
  'sessionOver',
  'linkUsed',
  'linkTooOld',
  'withdrawn',
  'expired',
  'declined',
  'copyExpired',
  'linkReplaced',
  'linkReaddressed',
  'linkHandedOver',
  'linkAsked',
  'senderAsked',
])

/** What a link that opens nothing more tells of its document. */
export type Ended = Pick<EndedProps, 'title' | 'sender' | 'request' | 'ask'>

export class SignerVisit {
  language: Language
  /** Shown with a refusal: of a document that the link has led to. */
  ended: Ended | undefined
  #isFound = false

  /**
   * The language of the first tag that is supported, else the browser's, until the link has shown
   * who the recipient is.
   */
  constructor(
    readonly visit: Visit,
    tags: (string | undefined)[] = [],
  ) {
    this.language = this.#choose(tags)
  }

  #choose(tags: (string | undefined)[]): Language {
    return chooseLanguage(tags, this.visit.request.headers.get('accept-language'))
  }

  get catalogue(): Catalogue {
    return catalogueOf(this.language)
  }

  useLanguageOf({ document, recipient }: SigningContext): void {
    this.language = this.#choose([recipient.locale, document.locale])
    this.#isFound = true
  }

  /** `errors`: of the form that the page answers. */
  context(title: string, errors: ShownError[] = []): SignerContext {
    const { language } = this
    const context = this.visit.context(title, { errors: this.translate(errors) })
    return { context, lang: language, dir: directionOf(language), texts: this.catalogue.signer }
  }

  translate(errors: ShownError[]): { path: string; message: string }[] {
    return errors.map(error => ({ path: error.path, message: this.#messageOf(error) }))
  }

  #messageOf(error: ShownError | Refusal): string {
    if (!(error instanceof Refusal) && error.code !== undefined) return englishOf(error)
    const { messageRef } = error
    if (messageRef) return translate(this.catalogue.messages, messageRef)
    return error instanceof Refusal ? englishOfRefusal(error) : error.message
  }

  endedPage(heading: string, message: string, ended: Ended): { html: VNode } {
    const title = ended.title ?? heading
    return { html: <EndedPage {...this.context(title)} {...ended} heading={heading} message={message} /> }
  }

  async refusalPage(refusal: Refusal): Promise<PageResponse> {
    const { visit, language } = this
    if (!this.#isFound && !FOR_OWNERS.has(refusal.messageRef?.key ?? '')) visit.hideFramers()
    const { failure } = this.catalogue.signer
    const title = failure[TITLES[refusal.reason] ?? 'notPossible']
    const contact = await contactOf(visit.app)
    const problem = toProblem(refusal, visit.app, '')
    if (this.ended) {
      const page = this.endedPage(refusal.reason === 'not_found' ? failure.over : title, this.#messageOf(refusal), this.ended)
      return { ...page, status: problem.status, headers: errorHeaders(problem) }
    }
    return {
      status: problem.status,
      headers: errorHeaders(problem),
      html: (
        <MessagePage
          context={visit.context(title)}
          lang={language}
          dir={directionOf(language)}
          title={title}
          message={this.#messageOf(refusal)}
          hint={contact ? failure.ask(contact) : undefined}
        />
      ),
    }
  }
}

/** Runs a recipient's page. A refusal becomes a page in the recipient's language. */
export async function runSignerPage(visit: Visit, run: (signer: SignerVisit) => Promise<PageResponse>): Promise<PageResponse> {
  const signer = new SignerVisit(visit)
  try {
    return await run(signer)
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal?.messageRef) throw error
    if (refusal !== error) visit.app.log('error', 'request failed', { error: errorMessage(error) })
    return signer.refusalPage(refusal)
  }
}
