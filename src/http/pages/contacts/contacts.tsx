/** Contacts of the signed-in person: list, add, correct, delete. */
import { ContactFormPage, ContactsPage, ForgetContactPage } from '../../../../views/contacts/contacts.tsx'
import { listAddress } from '../../../../views/parts/list.tsx'
import { type Contact, listContacts } from '../../../accounts/contact-queries.ts'
import { type ContactInput, contactOf, forgetContact, putContact } from '../../../accounts/contacts.ts'
import { LANGUAGES, languageOf } from '../../../core/language.ts'
import { CONTACTS_PATH } from '../../../core/page-paths.ts'
import { PAGE_SIZE } from '../../../core/service-limits.ts'
import type { ShownError } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import { type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { searchIn } from '../../frame/query.ts'
import { actorOf, idOf } from '../documents/sender-visit.ts'

const textsOf = (visit: Visit) => visit.texts.sending.contacts
const languageName = (locale: string | undefined) => (locale === undefined ? '–' : LANGUAGE_NAMES[languageOf(locale)])
const languages = LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] }))

export async function list(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const t = textsOf(visit)
  const q = searchIn(visit)
  const after = visit.query.after
  const page = await listContacts(app.db, actorOf(visit).userId ?? '', { q, after, limit: PAGE_SIZE })
  const notices: Record<string, string> = { saved: t.saved, forgotten: t.forgotten }
  return {
    html: (
      <ContactsPage
        context={visit.context(t.title)}
        rows={page.contacts.map(({ id, name, email, locale }) => ({ id, name, email, language: languageName(locale) }))}
        q={q}
        next={page.next && listAddress(CONTACTS_PATH, { q }, page.next)}
        notice={visit.noticeIn(notices)}
      />
    ),
  }
}

interface FormState {
  values: ContactInput
  errors?: ShownError[]
  status?: number
}

function formPage(visit: Visit, contact: Contact | undefined, { values, errors = [], status = 200 }: FormState): PageResponse {
  const t = textsOf(visit)
  const title = contact ? t.editWho(contact.name) : t.addTitle
  return {
    html: (
      <ContactFormPage
        context={visit.context(title, { errors: errors.map(error => inWords(error, t)) })}
        title={title}
        action={contact ? `${CONTACTS_PATH}/${contact.id}` : `${CONTACTS_PATH}/new`}
        values={values}
        languages={languages}
      />
    ),
    status,
  }
}

/** The usual errors of this page have texts of their own. */
function inWords(error: ShownError, t: ReturnType<typeof textsOf>): ShownError {
  const { path, code } = error
  if (path === 'email') return { path, message: code === 'not_an_email' ? t.emailWrong : t.emailTaken }
  return path === 'name' && code === 'empty' ? { path, message: t.nameMissing } : error
}

async function save(visit: Visit, contact: Contact | undefined): Promise<PageResponse> {
  const { name = '', email = '', locale = '' } = visit.form
  const values = { name, email, locale }
  const result = await runFormAction(() => putContact(visit.app, actorOf(visit), contact?.id, values))
  return 'errors' in result ? formPage(visit, contact, { values, ...result }) : { redirect: `${CONTACTS_PATH}?notice=saved` }
}

export async function getNew(visit: Visit): Promise<PageResponse> {
  return formPage(visit, undefined, { values: { name: '', email: '', locale: '' } })
}

export const postNew = (visit: Visit): Promise<PageResponse> => save(visit, undefined)

const loadContact = (visit: Visit) => contactOf(visit.app, actorOf(visit), idOf(visit))

export async function getContact(visit: Visit): Promise<PageResponse> {
  const contact = await loadContact(visit)
  const { name, email, locale = '' } = contact
  return formPage(visit, contact, { values: { name, email, locale } })
}

export async function postContact(visit: Visit): Promise<PageResponse> {
  return save(visit, await loadContact(visit))
}

export async function getForget(visit: Visit): Promise<PageResponse> {
  const { id, name, email } = await loadContact(visit)
  const context = visit.context(textsOf(visit).forgetTitle(name))
  return { html: <ForgetContactPage context={context} id={id} name={name} email={email} /> }
}

export async function postForget(visit: Visit): Promise<PageResponse> {
  const { id } = await loadContact(visit)
  await forgetContact(visit.app, actorOf(visit), id)
  return { redirect: `${CONTACTS_PATH}?notice=forgotten` }
}
