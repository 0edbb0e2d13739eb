/** Contacts: the list with search, the form for one, and the question before deleting. */
import { MAX_PERSON_NAME } from '../../src/core/document/document-limits.ts'
import { CONTACTS_PATH } from '../../src/core/page-paths.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { AddressQuestion } from '../parts/address-question.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf, ErrorSummary, Input, Select } from '../parts/form.tsx'
import { ListSearch, Pager } from '../parts/list.tsx'
import { Notice } from '../parts/notice.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'

export interface ContactRow {
  id: string
  name: string
  email: string
  /** The name of the language in itself; a dash if none is known. */
  language: string
}

interface ContactsProps {
  context: PageContext
  rows: readonly ContactRow[]
  q: string
  next: string | undefined
  notice: string | undefined
}

export function ContactsPage({ context, rows, q, next, notice }: ContactsProps) {
  const t = context.texts.sending.contacts
  const isEmpty = rows.length === 0
  return (
    <Layout context={context} section={CONTACTS_PATH}>
      <PageHead
        title={t.title}
        actions={
          <LinkButton href={`${CONTACTS_PATH}/new`} icon="plus">
            {t.add}
          </LinkButton>
        }
      />
      <Notice text={notice} />
      {(q !== '' || !isEmpty) && <ListSearch action={CONTACTS_PATH} label={t.search} button={t.searchButton} value={q} />}
      {isEmpty && q === '' && (
        <EmptyState icon="users" title={t.empty}>
          {t.emptyText}
        </EmptyState>
      )}
      {isEmpty && q !== '' && <p role="status">{t.noneFound}</p>}
      {!isEmpty && <ContactTable context={context} rows={rows} />}
      <Pager next={{ href: next, text: t.more }} />
    </Layout>
  )
}

function ContactTable({ context, rows }: Pick<ContactsProps, 'context' | 'rows'>) {
  const t = context.texts.sending.contacts
  return (
    <Table label={t.title}>
      <TableHead columns={[t.name, t.email, t.language]} actions={t.edit} />
      <tbody>
        {rows.map(({ id, name, email, language }, i) => (
          <tr key={id} data-row>
            <td class="title">
              <span class="contact-name">
                <Avatar name={name} index={i} />
                <span dir="auto">{name}</span>
              </span>
            </td>
            <Cell label={t.email} class="break">
              {email}
            </Cell>
            <Cell label={t.language} class="quiet">
              {language}
            </Cell>
            <td class="contact-actions">
              <LinkButton href={`${CONTACTS_PATH}/${id}`} kind="quiet" small icon="pencil" iconOnly>
                {t.editWho(name)}
              </LinkButton>
              <LinkButton href={`${CONTACTS_PATH}/${id}/forget`} kind="quiet" small icon="trash-2" iconOnly>
                {t.forgetWho(name)}
              </LinkButton>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface ContactFormProps {
  context: PageContext
  title: string
  /** Where the form goes. */
  action: string
  values: { name: string; email: string; locale: string }
  languages: readonly { value: string; text: string }[]
}

export function ContactFormPage({ context, title, action, values, languages }: ContactFormProps) {
  const { contacts: t, errors: heading } = context.texts.sending
  return (
    <Layout context={context} section={CONTACTS_PATH}>
      <PageHead title={title} back={{ href: CONTACTS_PATH, text: t.title }} />
      <ErrorSummary labels={{ name: t.name, email: t.email }} heading={heading} />
      <form method="post" action={action} class="sheet" novalidate>
        <Csrf />
        <Input name="name" label={t.name} value={values.name} maxLength={MAX_PERSON_NAME} autoComplete="off" />
        <Input
          name="email"
          label={t.email}
          value={values.email}
          maxLength={MAX_EMAIL_LENGTH}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
        />
        <AddressQuestion value={values.email} />
        <Select
          name="locale"
          label={t.language}
          value={values.locale}
          options={[{ value: '', text: t.languageNone }, ...languages]}
        />
        <div class="form-actions">
          <Button kind="primary">{t.save}</Button>
          <LinkButton href={CONTACTS_PATH} kind="quiet">
            {t.cancel}
          </LinkButton>
        </div>
      </form>
    </Layout>
  )
}

interface ForgetContactProps {
  context: PageContext
  id: string
  name: string
  email: string
}

export function ForgetContactPage({ context, id, name, email }: ForgetContactProps) {
  const t = context.texts.sending.contacts
  return (
    <Layout context={context} section={CONTACTS_PATH}>
      <PageHead title={t.forgetTitle(name)} back={{ href: CONTACTS_PATH, text: t.title }} />
      <form method="post" action={`${CONTACTS_PATH}/${id}/forget`} class="sheet">
        <Csrf />
        <p class="break">{email}</p>
        <p>{t.forgetText}</p>
        <div class="form-actions">
          <Button kind="danger">{t.forget}</Button>
          <LinkButton href={CONTACTS_PATH} kind="quiet">
            {t.cancel}
          </LinkButton>
        </div>
      </form>
    </Layout>
  )
}
