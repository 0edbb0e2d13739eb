/** The page on which a template is made: from a PDF, or from a document. */
import type { Document } from '../../src/core/document/document.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import { nameOf, statusBadge, titleOf } from '../documents/document-words.ts'
import { UploadForm } from '../drafting/upload-form.tsx'
import { Layout, type PageContext, PageHead, type PageUser } from '../layout.tsx'
import { AvatarStack } from '../parts/avatar.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { ListSearch } from '../parts/search.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'

interface Props {
  context: PageContext
  user: PageUser
  clock: Clock
  errors: ValidationErrors
  maxBytes: number
  maxFiles: number
  /** The newest that match. */
  documents: readonly Document[]
  q: string
}

export function NewTemplatePage(props: Props) {
  const { context, user, errors, maxBytes, maxFiles, documents, q } = props
  const { templates, sending } = context.texts
  const { make: t, page } = templates
  return (
    <Layout context={context} user={user} bundle="sending">
      <PageHead title={t.title} back={{ href: '/templates', text: page.back }} />
      <ErrorSummary errors={errors} labels={{ file: sending.newDocument.choose }} heading={sending.errors} />
      <UploadForm
        context={context}
        csrf={user.csrf}
        action="/templates/new"
        drop={t.drop}
        isLarge={false}
        errors={errors}
        maxBytes={maxBytes}
        maxFiles={maxFiles}
      />
      <section class="from-document" aria-labelledby="from-document">
        <h2 id="from-document">{t.fromDocument}</h2>
        {documents.length === 0 && q === '' ? (
          <p class="quiet">{t.noDocuments}</p>
        ) : (
          <>
            <p class="quiet">{t.fromHint}</p>
            <ListSearch action="/templates/new" label={t.searchDocuments} button={t.searchButton} value={q} />
            {documents.length === 0 ? <p role="status">{t.noneFound}</p> : <Documents {...props} />}
          </>
        )}
      </section>
    </Layout>
  )
}

function Documents({ context, user, clock, documents }: Props) {
  const { documents: texts, templates } = context.texts
  const { make: t } = templates
  const { columns } = texts.list
  return (
    <Table label={t.fromDocument}>
      <TableHead columns={[columns.title, columns.people, columns.status]} actions={t.choose} />
      <tbody>
        {documents.map(document => {
          const title = titleOf(document, texts)
          const badge = statusBadge(document, texts)
          return (
            <tr key={document.id}>
              <td class="break">
                <a href={`/documents/${document.id}`} dir="auto">
                  {title}
                </a>{' '}
                <span class="quiet small nowrap">
                  <Moment at={document.createdAt} clock={clock} />
                </span>
              </td>
              <Cell label={columns.people}>
                {document.recipients.length === 0 ? (
                  '–'
                ) : (
                  <AvatarStack people={document.recipients.map(r => ({ name: nameOf(r, texts) }))} />
                )}
              </Cell>
              <Cell label={columns.status}>
                <Badge tone={badge.tone} icon={badge.icon}>
                  {badge.text}
                </Badge>
              </Cell>
              <td>
                <form method="post" action={`/documents/${document.id}/template`} class="from-document-act">
                  <Csrf token={user.csrf} />
                  <Button small>
                    {t.choose}
                    <span class="unseen"> {title}</span>
                  </Button>
                </form>
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
