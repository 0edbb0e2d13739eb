/** Bulk sending from a template: the list to fill in, and the file that was filled in. */
import type { Clock } from '../../src/lib/relative-time.ts'
import { Layout, type PageContext, PageHead, type PageUser } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { BatchList, type BatchListProps } from './batch-list.tsx'

interface Props {
  context: PageContext
  user: PageUser
  template: { id: string; title: string }
  columns: readonly { title: string; isRequired: boolean }[]
  /** The column that gives each document its title. */
  titleColumn: string
  /** For the title of the template; none if it has one. */
  placeholders: readonly string[]
  maxRows: number
  maxBytes: number
  notice: string | undefined
  errors: ValidationErrors
  list: BatchListProps['batches']
  clock: Clock
  older: string | undefined
}

export function BulkPage(props: Props) {
  const { context, user, template, notice, errors } = props
  const { batches } = context.texts
  const t = batches.upload
  const base = `/templates/${template.id}`
  return (
    <Layout context={context} user={user}>
      <PageHead title={<span dir="auto">{t.title(template.title)}</span>} back={{ href: base, text: template.title }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary errors={errors} labels={{ file: batches.file }} />
      <Steps {...props} />
      {props.list.length > 0 && (
        <section aria-labelledby="batches-title">
          <h2 id="batches-title">{batches.list.title}</h2>
          <BatchList context={context} clock={props.clock} batches={props.list} />
          {props.older && (
            <p>
              <a href={props.older}>{batches.list.more}</a>
            </p>
          )}
        </section>
      )}
    </Layout>
  )
}

function Steps({ context, user, template, columns, titleColumn, placeholders, maxRows, maxBytes, errors }: Props) {
  const { batches } = context.texts
  const t = batches.upload
  const base = `/templates/${template.id}/bulk`
  return (
    <ol class="bulk-steps">
      <li>
        <h2>{t.getTitle}</h2>
        <p>{t.getText}</p>
        <p>
          <LinkButton href={`${base}/list.csv`} icon="download" download>
            {t.get}
          </LinkButton>
        </p>
        <details class="bulk-columns">
          <summary>
            {t.columns} ({columns.length})
          </summary>
          <ul>
            {columns.map(({ title, isRequired }) => (
              <li key={title}>
                <span dir="auto">{title}</span> {isRequired && <span class="quiet">({t.required})</span>}
              </li>
            ))}
          </ul>
        </details>
        <p class="hint break">
          {t.titleColumn(titleColumn)} {placeholders.length > 0 && t.sameTitle(template.title, placeholders)}
        </p>
      </li>
      <li>
        <h2>{t.chooseTitle}</h2>
        <form method="post" action={base} enctype="multipart/form-data">
          <Csrf token={user.csrf} />
          <FileDrop
            label={t.drop}
            hint={t.hint(maxRows, maxBytes / 1e6)}
            choose={t.choose}
            drop=""
            accept=".csv,.txt,.tsv,text/csv,text/tab-separated-values,text/plain"
            subject={batches.file}
            errors={errors}
            isWholePage
          />
          <p>
            <Button kind="primary">{t.submit}</Button>
          </p>
          <p class="small quiet">{t.nothingYet}</p>
        </form>
      </li>
    </ol>
  )
}
