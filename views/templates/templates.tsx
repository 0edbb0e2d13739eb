/**
 * The list of templates: search, rows with what each is, and what can be done with it; and the page
 * on which one is made.
 */
import type { Document } from '../../src/core/document/document.ts'
import { DOCUMENTS_PATH, TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import { showPlaceholders } from '../../src/core/template/template-texts.ts'
import { nameOf, statusBadge, titleOf } from '../documents/document-words.ts'
import { UploadForm } from '../drafting/upload-form.tsx'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { AvatarStack } from '../parts/avatar.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { ListSearch, Pager } from '../parts/list.tsx'
import { Menu, MenuItem, MenuRule } from '../parts/menu.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { useOpens } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'

/** What the visitor may do with a template. */
export interface TemplateActs {
  use: boolean
  change: boolean
}

export interface TemplateRow {
  template: Document
  may: TemplateActs
  isOwn: boolean
  /** Empty if nobody owns it. */
  ownerName: string
  usedAt: Date | undefined
}

interface TemplatesProps {
  context: PageContext
  rows: readonly TemplateRow[]
  q: string
  next: string | undefined
  notice: string | undefined
}

export function TemplatesPage(props: TemplatesProps) {
  const { context, rows, q, next, notice } = props
  const t = context.texts.templates
  const isEmpty = rows.length === 0
  const maySend = context.user?.opens.includes('sender') ?? false
  return (
    <Layout context={context} section={TEMPLATES_PATH}>
      <PageHead
        title={t.title}
        actions={
          maySend &&
          !(isEmpty && q === '') && (
            <LinkButton href={`${TEMPLATES_PATH}/new`} icon="plus">
              {t.new}
            </LinkButton>
          )
        }
      />
      <Notice text={notice} />
      {(q !== '' || !isEmpty) && (
        <ListSearch action={TEMPLATES_PATH} label={t.list.search} button={t.list.searchButton} value={q} />
      )}
      {isEmpty && q === '' && <FirstUse context={context} maySend={maySend} />}
      {isEmpty && q !== '' && (
        <EmptyState
          icon="search"
          title={t.list.noneFound}
          action={<LinkButton href={TEMPLATES_PATH}>{t.list.showAll}</LinkButton>}
        />
      )}
      {!isEmpty && <Rows {...props} />}
      <Pager next={{ href: next, text: t.list.more }} />
    </Layout>
  )
}

function FirstUse({ context, maySend }: Pick<TemplatesProps, 'context'> & { maySend: boolean }) {
  const t = context.texts.templates
  const action = (
    <LinkButton href={`${TEMPLATES_PATH}/new`} kind="primary" icon="plus">
      {t.new}
    </LinkButton>
  )
  return (
    <EmptyState icon="layout-template" title={t.empty.title} action={maySend ? action : undefined}>
      {maySend ? t.empty.text : t.empty.toRead}
    </EmptyState>
  )
}

function Rows(props: TemplatesProps) {
  const { list, title } = props.context.texts.templates
  const { name, roles, pages, used, owner } = list.columns
  return (
    <Table label={title} class="stack templates">
      <TableHead columns={[name, roles, pages, used, owner]} actions={list.rowActions} />
      <tbody>
        {props.rows.map(row => (
          <Row key={row.template.id} row={row} {...props} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ row, context }: TemplatesProps & { row: TemplateRow }) {
  const { template, may, isOwn, ownerName, usedAt } = row
  const { list } = context.texts.templates
  const { id } = template
  const title = showPlaceholders(template.title)
  const base = `${TEMPLATES_PATH}/${id}`
  return (
    <tr>
      <td class="title break">
        <a href={base} dir="auto">
          {title}
        </a>
        {template.isShared && (
          <>
            {' '}
            <Badge tone="neutral" icon="users">
              {list.shared}
            </Badge>
          </>
        )}
      </td>
      <Cell label={list.columns.roles}>
        {template.recipients.length === 0 ? '–' : <AvatarStack people={template.recipients.map(({ name }) => ({ name }))} />}
      </Cell>
      <Cell label={list.columns.pages} class="quiet">
        {template.pageCount}
      </Cell>
      <Cell label={list.columns.used} class="quiet">
        {usedAt ? <Moment at={usedAt} /> : list.never}
      </Cell>
      <Cell label={list.columns.owner} class="quiet break">
        {isOwn ? list.mine : ownerName || list.gone}
      </Cell>
      <td>
        <div class="template-acts">
          {may.use && (
            <LinkButton href={`${base}/use`} small>
              {list.use}
              <span class="unseen"> {title}</span>
            </LinkButton>
          )}
          <Menu id={`menu-${id}`} label={list.actionsFor(title)} small>
            <TemplateActsMenu template={template} may={may} context={context} from="list" />
          </Menu>
        </div>
      </td>
    </tr>
  )
}

interface MenuProps {
  template: Document
  may: TemplateActs
  context: PageContext
  /** The page of the template has buttons for its main acts, and dialogs for its questions. */
  from: 'list' | 'page'
}

export function TemplateActsMenu({ template, may, context, from }: MenuProps) {
  const { act } = context.texts.templates
  const base = `${TEMPLATES_PATH}/${template.id}`
  const isList = from === 'list'
  const question = (id: string) => (isList ? { href: `${base}?open=${id}` } : { dialog: id })
  return (
    <>
      {isList && may.use && (
        <>
          <MenuItem icon="send" href={`${base}/use`}>
            {act.use}
          </MenuItem>
          <MenuItem icon="users" href={`${base}/bulk`}>
            {act.bulk}
          </MenuItem>
        </>
      )}
      {may.change && (
        <MenuItem icon="pencil" href={`${base}/people`}>
          {isList ? act.edit : act.editRoles}
        </MenuItem>
      )}
      {may.change && !isList && (
        <>
          <MenuItem icon="file-pen" href={`${base}/fields`}>
            {act.editFields}
          </MenuItem>
          <MenuItem icon="message-square" href={`${base}/settings`}>
            {act.editSettings}
          </MenuItem>
          <MenuItem icon="refresh-cw" dialog="replace">
            {act.replace}
          </MenuItem>
        </>
      )}
      {useOpens().includes('sender') && (
        <MenuItem icon="copy" action={`${base}/duplicate`}>
          {act.duplicate}
        </MenuItem>
      )}
      <MenuItem icon="download" href={`${base}/file?version=original`} download>
        {act.download}
      </MenuItem>
      {may.change && (
        <>
          <MenuRule />
          <MenuItem icon="trash-2" danger {...question('delete')}>
            {act.delete}
          </MenuItem>
        </>
      )}
    </>
  )
}

// The page on which a template is made: from a PDF, or from a document.

interface NewTemplateProps {
  context: PageContext
  maxBytes: number
  maxFiles: number
  /** The newest that match. */
  documents: readonly Document[]
  q: string
}

export function NewTemplatePage(props: NewTemplateProps) {
  const { context, maxBytes, maxFiles, documents, q } = props
  const { templates, sending } = context.texts
  const { make: t, page } = templates
  return (
    <Layout context={context} section={TEMPLATES_PATH} bundle="sending">
      <PageHead title={t.title} back={{ href: TEMPLATES_PATH, text: page.back }} />
      <ErrorSummary labels={{ file: sending.newDocument.choose }} heading={sending.errors} />
      <UploadForm
        context={context}
        action={`${TEMPLATES_PATH}/new`}
        drop={t.drop}
        isLarge={false}
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
            <ListSearch action={`${TEMPLATES_PATH}/new`} label={t.searchDocuments} button={t.searchButton} value={q} />
            {documents.length === 0 ? <p role="status">{t.noneFound}</p> : <Documents {...props} />}
          </>
        )}
      </section>
    </Layout>
  )
}

function Documents({ context, documents }: NewTemplateProps) {
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
                <a href={`${DOCUMENTS_PATH}/${document.id}`} dir="auto">
                  {title}
                </a>{' '}
                <span class="quiet small nowrap">
                  <Moment at={document.createdAt} />
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
                <form method="post" action={`${DOCUMENTS_PATH}/${document.id}/template`} class="from-document-act">
                  <Csrf />
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
