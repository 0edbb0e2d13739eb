/** The list of documents: views with counts, search, filters, rows, actions on several. */
import { Fragment } from 'preact'
import type { Attention } from '../../src/core/document/attention.ts'
import type { Document, Recipient } from '../../src/core/document/document.ts'
import { MAX_LABEL_LENGTH, MAX_QUERY_LENGTH, MAX_REASON } from '../../src/core/document/document-limits.ts'
import type { EventType } from '../../src/core/document/event.ts'
import { BACKUPS_PATH, DOCUMENTS_PATH, MAIL_PATH, PEOPLE_PATH } from '../../src/core/page-paths.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { AvatarStack } from '../parts/avatar.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListFilters, listAddress, Pager } from '../parts/list.tsx'
import { Menu, MenuItem, MenuRule } from '../parts/menu.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { useClock, useOpens } from '../parts/page-texts.ts'
import { Tabs } from '../parts/tabs.tsx'
import { ToSignList, type ToSignRow } from '../signing/to-sign.tsx'
import { actsOn, actWords, attentionWords, nameOf, progressOf, statusBadge, titleOf } from './document-words.ts'

const LIST_VIEWS = ['attention', 'waiting', 'drafts', 'completed', 'all'] as const
export type ListView = (typeof LIST_VIEWS)[number]

export interface ListRow {
  document: Document
  attention: Attention[]
  latest: { type: EventType; at: Date; recipient: Recipient | undefined } | undefined
}

export interface BulkOutcome {
  text: string
  /** Documents that were left as they are, and why. */
  others: { id: string; title: string; why: string }[]
}

export interface ListProps {
  context: PageContext
  /** Position of the feed of changes before the page was read. */
  position: string
  view: ListView
  counts: Record<ListView, number>
  filters: Filters
  labels: readonly string[]
  rows: ListRow[]
  /** What waits for the person's own signature; empty in other views. */
  toSign: ToSignRow[]
  /** Addresses of the next and the first page. */
  older: string | undefined
  newest: string | undefined
  notice: string | undefined
  outcome: BulkOutcome | undefined
  newDocument: string | undefined
}

export function DocumentListPage(props: ListProps) {
  const { context, position, counts, notice, outcome, toSign, rows, older } = props
  const { documents: texts } = context.texts
  const isFirstUse = counts.all === 0 && toSign.length === 0
  // Nothing more needs the person than what is above.
  const isAllAbove = toSign.length > 0 && rows.length === 0 && older === undefined
  return (
    <Layout context={context} section={DOCUMENTS_PATH} bundle="sending">
      <div class="document-list" data-live={`${DOCUMENTS_PATH}/live`} data-live-after={position} data-live-note={texts.live}>
        <PageHead title={texts.title} />
        <Notice text={notice} />
        {outcome && <Outcome {...outcome} />}
        <div id="list-views" data-live-part>
          {!isFirstUse && <ViewTabs {...props} />}
        </div>
        {!isFirstUse && <DocumentFilterForm {...props} texts={texts} />}
        <div id="list-rows" data-live-part>
          <ToSignList rows={toSign} texts={texts} />
          {isFirstUse ? <FirstUse {...props} /> : isAllAbove ? null : <Rows {...props} />}
        </div>
        {!isFirstUse && (
          <BulkBar
            texts={texts}
            frame={context.texts.frame}
            labels={props.labels}
            list={documentsAddress(props.view, props.filters)}
          />
        )}
      </div>
    </Layout>
  )
}

function Outcome({ text, others }: BulkOutcome) {
  return (
    <Callout tone={others.length > 0 ? 'info' : 'good'} role="status" title={text}>
      {others.length > 0 && (
        <ul class="outcomes">
          {others.map(({ id, title, why }) => (
            <li key={id}>
              <a href={`${DOCUMENTS_PATH}/${id}`} dir="auto">
                {title}
              </a>
              <span class="quiet"> {why}</span>
            </li>
          ))}
        </ul>
      )}
    </Callout>
  )
}

function ViewTabs({ context, view, counts }: ListProps) {
  const { documents: texts } = context.texts
  const tabs = LIST_VIEWS.map(each => ({
    href: `${DOCUMENTS_PATH}?view=${each}`,
    text: texts.views[each],
    count: counts[each],
    isCurrent: each === view,
  }))
  return <Tabs label={texts.viewsLabel} tabs={tabs} />
}

function FirstUse({ context, newDocument }: ListProps) {
  const opens = useOpens()
  const { empty } = context.texts.documents
  const { sections } = context.texts.settings
  if (!opens.includes('sender')) {
    return (
      <EmptyState icon="files" title={empty.all}>
        {empty.toRead}
      </EmptyState>
    )
  }
  return (
    <div class="first-use">
      <EmptyState
        icon="signature"
        title={empty.first}
        action={
          newDocument !== undefined && (
            <LinkButton href={newDocument} kind="primary" icon="plus" class="large">
              {empty.send}
            </LinkButton>
          )
        }
      >
        {empty.firstText}
      </EmptyState>
      {opens.includes('admin') && (
        <p class="quiet set-up-next">
          {empty.setUp} <a href={MAIL_PATH}>{sections.email}</a> · <a href={PEOPLE_PATH}>{sections.people}</a> ·{' '}
          <a href={BACKUPS_PATH}>{sections.backups}</a>
        </p>
      )}
    </div>
  )
}

const VIEW_ICONS = {
  attention: 'circle-check',
  waiting: 'clock',
  drafts: 'file-pen',
  completed: 'shield-check',
  all: 'files',
} as const

function Rows(props: ListProps) {
  const { context, rows, view, filters, older, newest } = props
  const { documents: texts } = context.texts
  if (rows.length === 0 && older === undefined) {
    const isFiltered = Object.values(filters).some(value => value !== '')
    return isFiltered ? (
      <EmptyState icon="search" title={texts.empty.noMatch}>
        {texts.empty.noMatchText}
      </EmptyState>
    ) : (
      <EmptyState icon={VIEW_ICONS[view]} title={texts.empty[view]}>
        {texts.empty[`${view}Text`]}
      </EmptyState>
    )
  }
  return (
    <>
      {rows.length === 0 ? <p class="quiet">{texts.list.noNewer}</p> : <RowTable {...props} />}
      <Pager first={{ href: newest, text: texts.list.newest }} next={{ href: older, text: texts.list.older }} />
    </>
  )
}

function RowTable(props: ListProps) {
  const { list } = props.context.texts.documents
  return (
    <div class="table">
      <table class="documents" aria-label={list.heading}>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{list.chooseAll}</span>
            </th>
            <th scope="col">{list.columns.title}</th>
            <th scope="col">{list.columns.people}</th>
            <th scope="col">{list.columns.status}</th>
            <th scope="col">
              <span class="unseen">{list.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(row => (
            <Row key={row.document.id} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, ...props }: ListProps & { row: ListRow }) {
  const { document } = row
  const { documents: texts } = props.context.texts
  const badge = statusBadge(document, texts)
  const title = titleOf(document, texts)
  return (
    <tr id={`row-${document.id}`}>
      <td class="pick">
        <label>
          <input type="checkbox" form="bulk" name={`pick.${document.id}`} />
          <span class="unseen">{texts.list.choose(title)}</span>
        </label>
      </td>
      <td class="what">
        <a class="title" href={`${DOCUMENTS_PATH}/${document.id}`} dir="auto">
          {title}
        </a>
        <Labels labels={document.labels} />
        <Names document={document} texts={texts} />
        <Last row={row} texts={texts} />
      </td>
      <td class="who">
        <People document={document} texts={texts} />
      </td>
      <td class="state">
        <Badge tone={badge.tone} icon={badge.icon}>
          {badge.text}
        </Badge>
      </td>
      <td class="more">
        <RowMenu document={document} title={title} {...props} />
      </td>
    </tr>
  )
}

export function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null
  return (
    <span class="labels">
      {labels.map(label => (
        <a key={label} class="label" href={`${DOCUMENTS_PATH}?${new URLSearchParams({ view: 'all', label })}`} dir="auto">
          {label}
        </a>
      ))}
    </span>
  )
}

type Texts = PageContext['texts']['documents']

/** What needs the sender, or what happened last. */
function Last({ row: { document, attention, latest }, texts }: { row: ListRow; texts: Texts }) {
  const clock = useClock()
  const [cause] = attention
  return (
    <p class="last small">
      {cause && (
        <span class={cause.cause === 'expires_soon' ? 'cause warn' : 'cause bad'}>
          <Icon name="triangle-alert" />
          <span>{attentionWords(cause, document, clock, texts)}</span>
        </span>
      )}
      {latest && (
        <span class="quiet">
          {!cause && <>{actWords(latest.type, latest.recipient, texts)} · </>}
          <Moment at={latest.at} />
        </span>
      )}
    </p>
  )
}

const MAX_NAMES = 3

/** They tell documents of one title from another. */
function Names({ document, texts }: { document: Document; texts: Texts }) {
  const names = document.recipients.map(recipient => nameOf(recipient, texts))
  if (names.length === 0) return null
  const rest = names.length - MAX_NAMES
  return (
    <p class="names small">
      {names.slice(0, MAX_NAMES).map((name, i) => (
        <Fragment key={`${i}-${name}`}>
          {i > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {rest > 0 && ` +${rest}`}
    </p>
  )
}

function People({ document, texts }: { document: Document; texts: Texts }) {
  const { done, all } = progressOf(document)
  if (document.recipients.length === 0) return <span class="quiet small">{texts.list.noPeople}</span>
  const people = document.recipients.map((r, index) => ({
    name: nameOf(r, texts),
    index,
    ...(r.status === 'signed' ? { icon: 'check' as const } : {}),
    ...(r.status === 'declined' ? { icon: 'x' as const, tone: 'bad' as const } : {}),
  }))
  return (
    <span class="people">
      <AvatarStack people={people} />
      {all > 0 && document.status !== 'draft' && (
        <span class="quiet small nowrap" title={texts.list.progressLabel(done, all)}>
          {texts.list.progress(done, all)}
        </span>
      )}
    </span>
  )
}

function RowMenu({ document, title, context }: ListProps & { document: Document; title: string }) {
  const { documents: texts } = context.texts
  const base = `${DOCUMENTS_PATH}/${document.id}`
  const may = actsOn(document, useOpens())
  return (
    <Menu id={`menu-${document.id}`} label={texts.list.menu(title)} small>
      {may.send && (
        <MenuItem icon="pencil" href={base}>
          {texts.page.continue}
        </MenuItem>
      )}
      {may.remind && (
        <MenuItem icon="bell" action={`${base}/remind`}>
          {texts.page.remind}
        </MenuItem>
      )}
      <MenuItem icon="download" href={`${base}/file?version=${document.sha256Sealed ? 'sealed' : 'original'}`} download>
        {document.sha256Sealed ? texts.page.downloadSealed : texts.page.downloadOriginal}
      </MenuItem>
      {may.edit && (
        <MenuItem icon="copy" action={`${base}/duplicate`}>
          {texts.page.duplicate}
        </MenuItem>
      )}
      {(may.void || may.delete) && <MenuRule />}
      {may.void && document.status !== 'draft' && (
        <MenuItem icon="ban" danger href={`${base}?open=void`}>
          {texts.page.void}
        </MenuItem>
      )}
      {may.delete && (
        <MenuItem icon="trash-2" danger href={`${base}?open=delete`}>
          {texts.page.delete}
        </MenuItem>
      )}
    </Menu>
  )
}

// Search and filters of the list of documents.

/** As in the address; empty: not set. `hold` is `1`: only documents under legal hold. */
export type Filters = Record<'q' | 'email' | 'label' | 'from' | 'to' | 'hold', string>

export const documentsAddress = (view: string, filters: Partial<Filters>, after?: string): string =>
  listAddress(DOCUMENTS_PATH, { view, ...filters }, after)

interface DocumentFiltersProps {
  view: string
  filters: Filters
  labels: readonly string[]
  texts: AppTexts['documents']
}

function DocumentFilterForm({ view, filters, labels, texts: { list } }: DocumentFiltersProps) {
  const known = filters.label === '' || labels.includes(filters.label) ? labels : [filters.label, ...labels]
  const own = <Name extends keyof Filters>(name: Name, label: string) => ({
    name,
    value: filters[name],
    label,
    chip: list.chips[name](filters[name]),
  })
  return (
    <ListFilters
      path={DOCUMENTS_PATH}
      fixed={{ view }}
      filters={[
        { ...own('q', list.search), as: 'search', hint: list.searchHint, maxLength: MAX_QUERY_LENGTH },
        { ...own('email', list.person), as: 'text', maxLength: MAX_EMAIL_LENGTH, isEmail: true },
        {
          ...own('label', list.label),
          as: 'choice',
          any: list.anyLabel,
          options: known.map(label => ({ value: label, text: label })),
        },
        { ...own('from', list.from), as: 'day' },
        { ...own('to', list.to), as: 'day' },
        { ...own('hold', list.hold), as: 'tick' },
      ]}
    />
  )
}

// Actions for the ticked rows. Shown by CSS while a row is ticked, so it needs no script.

interface BulkBarProps {
  texts: AppTexts['documents']
  frame: AppTexts['frame']
  labels: readonly string[]
  /** The address of the list as it is. */
  list: string
}

/** The rows' boxes belong to this form by its id. */
function BulkBar({ texts, frame, labels, list }: BulkBarProps) {
  const { bulk, page } = texts
  const maySend = useOpens().includes('sender')
  return (
    <form
      id="bulk"
      class="bulk-bar"
      method="post"
      action={`${DOCUMENTS_PATH}/bulk/${maySend ? 'label' : 'download'}`}
      aria-label={bulk.bar}
      data-ticks
    >
      <Csrf />
      <input type="hidden" name="list" value={list} />
      {/* The first button answers Enter in the label. */}
      {maySend && (
        <span class="bulk-label">
          <input
            name="label"
            list="bulk-labels"
            maxLength={MAX_LABEL_LENGTH}
            aria-label={bulk.labelName}
            placeholder={bulk.labelName}
            autoComplete="off"
            dir="auto"
          />
          <datalist id="bulk-labels">
            {labels.map(label => (
              <option key={label} value={label} />
            ))}
          </datalist>
          <Button small icon="tag">
            {bulk.label}
          </Button>
        </span>
      )}
      <label class="tick bulk-all" hidden>
        <input type="checkbox" data-tick-all />
        <span data-ticked={bulk.chosen} aria-live="polite">
          {texts.list.chooseAll}
        </span>
      </label>
      <span class="bulk-actions">
        {maySend && (
          <Button small icon="bell" formaction={`${DOCUMENTS_PATH}/bulk/remind`}>
            {bulk.remind}
          </Button>
        )}
        <Button small icon="download" formaction={`${DOCUMENTS_PATH}/bulk/download`}>
          {bulk.download}
        </Button>
        {maySend && (
          <Dialog id="bulk-void" title={bulk.voidTitle} trigger={bulk.void} icon="ban" kind="danger" small close={frame.cancel}>
            <p>{bulk.voidText}</p>
            <label for="bulk-reason">{page.voidReason}</label>
            <div class="hint">{page.voidReasonHint}</div>
            <textarea id="bulk-reason" name="reason" form="bulk" rows={3} maxLength={MAX_REASON} dir="auto" />
            <DialogActions>
              <Button kind="danger" form="bulk" formaction={`${DOCUMENTS_PATH}/bulk/void`}>
                {bulk.voidTitle}
              </Button>
            </DialogActions>
          </Dialog>
        )}
      </span>
    </form>
  )
}
