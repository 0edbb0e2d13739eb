/** The review of a draft, and sending it. The version goes along, so the shown state is sent. */
import type { DraftHead } from '../../../../views/drafting/draft-frame.tsx'
import { DraftReviewPage, type ReviewValues } from '../../../../views/drafting/draft-review.tsx'
import type { SettingsValues } from '../../../../views/drafting/review-settings.tsx'
import type { PageContext } from '../../../../views/layout.tsx'
import { mailParts } from '../../../../views/mail/mail.tsx'
import { type Document, daysAfter, fileNamesOf, type Recipient } from '../../../core/document/document.ts'
import { checkDraft, type Finding } from '../../../core/draft/draft-check.ts'
import { SENDER } from '../../../core/field/visibility.ts'
import { LANGUAGES } from '../../../core/language.ts'
import { DOCUMENTS_PATH, TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { isMailed } from '../../../core/signing/routing.ts'
import { DraftChangedError } from '../../../documents/draft/draft-version.ts'
import { deliveryFindings, type EditedDocument } from '../../../documents/draft/edit-draft.ts'
import { leftoverTagsOf } from '../../../documents/draft/propose-fields.ts'
import { unfittingTextsOf } from '../../../documents/draft/text-fit.ts'
import { sendDocument } from '../../../documents/lifecycle/lifecycle.ts'
import { documentFacts, fromMailbox } from '../../../documents/lifecycle/mail-facts.ts'
import { loadCached } from '../../../documents/record.ts'
import { dateLanguageOf } from '../../../documents/signing/marks.ts'
import type { ShownError } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import type { Mailbox } from '../../../mailer/message.ts'
import { folderInUse } from '../../../outbox/configured-mailer.ts'
import type { App } from '../../../ports.ts'
import type { Organisation } from '../../../settings/organisation.ts'
import { brandCssAddress, logoAddress } from '../../frame/brand.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { idIn } from '../../frame/query.ts'
import { fixedValues } from '../documents/field-values.ts'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'
import { changesInWords, draftPath, saveDraft } from './draft-access.ts'
import { headOf } from './draft-kind.ts'
import { settingsEdit, settingsOf, typedSettings } from './draft-settings.ts'
import { findingsInWords, groupsOf } from './review-words.ts'

interface ReviewState {
  title?: string | undefined
  settings?: SettingsValues
  errors?: ShownError[]
  changes?: string[]
  isConfirmed?: boolean
  status?: number
}

export async function show(visit: Visit, { document, version }: EditedDocument, state: ReviewState = {}): Promise<PageResponse> {
  const { app } = visit
  const organisation = visit.organisation
  const context = visit.context(document.title, state)
  const t = context.texts.sending.review
  const { blocking, warnings } = await checkAll(app, document)
  return {
    html: (
      <DraftReviewPage
        context={context}
        draft={{ ...headOf({ document, version }, state.title), use: useOf(visit, document) }}
        file={t.file(fileNamesOf(document), document.pageCount)}
        groups={groupsOf(document, context.texts.sending)}
        values={await valuesOf(visit, document, context)}
        mail={await mailOf(visit, document, organisation)}
        hasMailServer={(await folderInUse(app)) === undefined}
        settings={state.settings ?? settingsOf(document, visit.clock)}
        languages={LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] }))}
        languageDefault={LANGUAGE_NAMES[organisation.language]}
        blocking={findingsInWords(document, blocking, context.texts.sending)}
        warnings={findingsInWords(document, warnings, context.texts.sending)}
        isConfirmed={state.isConfirmed ?? false}
        changes={state.changes}
      />
    ),
    status: state.status ?? 200,
  }
}

/** The sender's own first. */
async function valuesOf({ app }: Visit, document: Document, { language, texts }: PageContext): Promise<ReviewValues[]> {
  const dates = await dateLanguageOf(app.db, document)
  const values = fixedValues(document, { texts, language, dates, activeContent: new Set() })
  const owners = [
    { id: SENDER, name: texts.sending.review.own },
    ...document.recipients.map(({ id, name, email }, i) => ({ id, name: name || email || texts.sending.people.someone(i + 1) })),
  ]
  return owners.flatMap(({ id, name }) => {
    const own = values.get(id)
    return own ? [{ id, name, values: own }] : []
  })
}

/** The page before, if the document was just made from a template. */
function useOf({ query }: Visit, { id }: Document): DraftHead['use'] {
  const from = idIn(query, 'from', 'tpl')
  return from === undefined
    ? undefined
    : { templateId: from, query: `?from=${from}`, href: `${TEMPLATES_PATH}/${from}/use?document=${id}` }
}

/** With what only the file and the settings tell. */
async function checkAll(app: App, document: Document): Promise<Record<'blocking' | 'warnings', Finding<string>[]>> {
  const { blocking, warnings } = checkDraft(document, app.now())
  return {
    blocking: [...blocking, ...(await deliveryFindings(app, document)), ...(await unfittingTextsOf(app, document))],
    warnings: [...warnings, ...(await leftoverTagsOf(app, document))],
  }
}

/** To the person chosen in the address, else to the first who gets one. Without anybody's link. */
async function mailOf({ app, query }: Visit, document: Document, organisation: Organisation) {
  const mailed = document.recipients.filter(isMailed)
  const recipient = mailed.find(({ id }) => id === query.mail) ?? mailed[0]
  if (!recipient) return undefined
  const expiresAt = document.expiresAt ?? daysAfter(app.now(), document.expiresInDays)
  const facts = await documentFacts(app, recipient, { ...document, expiresAt }, recipient)
  const nobody = { by: undefined, to: undefined, reason: undefined, attached: false }
  const { replyTo } = facts
  return {
    parts: mailParts('invitation', { ...facts, ...nobody, link: app.config.baseUrl }),
    recipientId: recipient.id,
    name: nameOf(recipient),
    from: shownMailbox(await fromMailbox(app, organisation.name)),
    to: shownMailbox({ name: recipient.name, address: recipient.email }),
    replyTo: replyTo && shownMailbox(replyTo),
    logo: logoAddress(organisation),
    css: brandCssAddress(organisation),
  }
}

const shownMailbox = ({ name, address }: Mailbox) => (name ? `${name} <${address}>` : address)
const nameOf = ({ name, email }: Recipient) => name || email

export async function post(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { form } = visit
  const t = visit.context('').texts.sending.review
  const settings = typedSettings(form)
  const state: ReviewState = { title: form.title, settings, isConfirmed: form.confirm === 'on' }
  const deps = { ...visit.clock, t }
  const { edit, errors } = settingsEdit(settings, settingsOf(draft.document, deps), deps)
  if (errors.length > 0) return show(visit, draft, { ...state, errors, status: 422 })
  const result = await saveDraft(visit, draft, { ...(form.title === undefined ? {} : { title: form.title }), ...edit })
  if ('errors' in result) return show(visit, draft, { ...state, ...result })
  if ('changes' in result) return lookAgain(visit, result.changes, state)
  if (form.do !== 'send')
    return { redirect: `${draftPath(draft.document, 'review')}${useOf(visit, draft.document)?.query ?? ''}` }
  return send(visit, result.saved, state)
}

async function lookAgain(visit: Visit, changed: DraftChangedError['changes'], state: ReviewState): Promise<PageResponse> {
  const now = await loadCached(visit.app.db, actorOf(visit), idOf(visit))
  const changes = changesInWords(visit, now.document, changed)
  return show(visit, now, { ...state, changes, isConfirmed: false, status: 412 })
}

/** Points that were not on the page need a tick of their own. */
async function send(visit: Visit, saved: EditedDocument, state: ReviewState): Promise<PageResponse> {
  const { app, form } = visit
  const texts = visit.context('').texts.sending
  const { blocking, warnings } = await checkAll(app, saved.document)
  if (blocking.length > 0) return show(visit, saved, { ...state, status: 422 })
  const shown = new Set((form.shown ?? '').replace(/\r/g, '').split('\n'))
  const isSeen = findingsInWords(saved.document, warnings, texts).every(({ text }) => shown.has(text))
  if (warnings.length > 0 && !(state.isConfirmed && isSeen)) {
    const errors = [{ path: 'confirm', message: texts.review.confirmMissing }]
    return show(visit, saved, { ...state, isConfirmed: state.isConfirmed === true && isSeen, errors, status: 422 })
  }
  try {
    await sendDocument(app, idOf(visit), originOf(visit), saved.version)
  } catch (error) {
    if (error instanceof DraftChangedError) return lookAgain(visit, error.changes, state)
    throw error
  }
  return { redirect: `${DOCUMENTS_PATH}/${idOf(visit)}?notice=sent` }
}
