/** In whose language a recipient's page speaks, and what it says where it cannot be shown. */
import { MessagePage, type PageContext } from '../../../views/layout.tsx'
import { chooseLanguage, directionOf, type Language } from '../../core/language.ts'
import { translate } from '../../core/message.ts'
import { type Reason, Refusal, type ValidationError } from '../../core/refusal.ts'
import type { SigningContext } from '../../documents/link.ts'
import type { Catalogue, SignerTexts } from '../../locales/catalogue.ts'
import { catalogueOf } from '../../locales/index.ts'
import { organisation } from '../../settings/organisation.ts'
import { ERROR_CODES } from '../error-codes.ts'
import { errorHeaders, toProblem } from '../errors.ts'
import type { PageResponse, Visit } from '../page.tsx'

export interface SignerVisit {
  visit: Visit
  language: Language
  texts: Catalogue
  /** From now on in the recipient's language, where they or their document have one. */
  speakTo(found: SigningContext): void
  context(title: string): SignerContext
}

export interface SignerContext {
  context: PageContext
  lang: Language
  dir: 'ltr' | 'rtl'
  texts: SignerTexts
}

function signerVisit(visit: Visit): SignerVisit {
  const choose = (tags: (string | undefined)[]) => chooseLanguage(tags, visit.request.headers.get('accept-language'))
  const language = choose([])
  const signer: SignerVisit = {
    visit,
    language,
    texts: catalogueOf(language),
    speakTo({ document, recipient }) {
      signer.language = choose([recipient.locale, document.locale])
      signer.texts = catalogueOf(signer.language)
    },
    context: title => ({
      context: visit.context(title),
      lang: signer.language,
      dir: directionOf(signer.language),
      texts: signer.texts.signer,
    }),
  }
  return signer
}

/** ValidationErrors as sentences in the page's language. */
export function translatedErrors({ texts }: SignerVisit, errors: ValidationError[]): { path: string; message: string }[] {
  return errors.map(({ path, message, messageRef }) => ({
    path,
    message: messageRef ? translate(texts.messages, messageRef) : message,
  }))
}

/** A link or pass that leads nowhere. */
export function deadLink(error: unknown): boolean {
  return error instanceof Refusal && error.messageRef?.key === 'linkUnknown'
}

const TITLES: Partial<Record<Reason, keyof Omit<SignerTexts['failure'], 'ask'>>> = {
  not_found: 'notFound',
  invalid_state: 'over',
  rate_limited: 'wait',
  overloaded: 'wait',
}

/** Runs a recipient's page; what the rules refuse is said in its language. */
export async function signerPage(visit: Visit, run: (signer: SignerVisit) => Promise<PageResponse>): Promise<PageResponse> {
  const signer = signerVisit(visit)
  try {
    return await run(signer)
  } catch (error) {
    if (!(error instanceof Refusal && error.messageRef)) throw error
    return refusalPage(signer, error)
  }
}

/** What is refused before anybody's link was looked at is said in the browser's language. */
export function refusedPage(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  return refusalPage(signerVisit(visit), refusal)
}

async function refusalPage({ visit, texts, language }: SignerVisit, refusal: Refusal): Promise<PageResponse> {
  const { failure } = texts.signer
  const title = failure[TITLES[refusal.reason] ?? 'notPossible']
  const { contact } = await organisation(visit.app.db)
  const headers = errorHeaders(toProblem(refusal, visit.app, ''))
  return {
    status: ERROR_CODES[refusal.reason].status,
    headers,
    html: (
      <MessagePage
        context={visit.context(title)}
        lang={language}
        dir={directionOf(language)}
        title={title}
        message={refusal.messageRef ? translate(texts.messages, refusal.messageRef) : refusal.message}
        hint={contact ? failure.ask(contact) : undefined}
      />
    ),
  }
}
