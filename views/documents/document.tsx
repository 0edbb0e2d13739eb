/** One document: its state, people, pages, history, and what its sender can do. */
import type { Attention } from '../../src/core/document/attention.ts'
import type { Document, Recipient } from '../../src/core/document/document.ts'
import { SENDER } from '../../src/core/field/visibility.ts'
import { DOCUMENTS_PATH } from '../../src/core/page-paths.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import { dateText, dayOf } from '../../src/lib/relative-time.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem, MenuRule } from '../parts/menu.tsx'
import { Callout, Notice, OneTimeSecret } from '../parts/notice.tsx'
import { useClock, useOpens } from '../parts/page-texts.ts'
import { OwnTurn } from '../signing/to-sign.tsx'
import { Details, Dialogs } from './document-details.tsx'
import { History, type HistoryAct, Record, type RecordEntry } from './document-history.tsx'
import { Labels } from './document-list.tsx'
import { type Correcting, People, type PeopleProps } from './document-people.tsx'
import { actsOn, attentionWords, nameOf, stateWords, statusBadge, titleOf } from './document-words.ts'

export interface DocumentProps {
  context: PageContext
  position: string
  document: Document
  attention: Attention[]
  voided: { at: Date; reason: string } | undefined
  /** As whom the person who reads the page has to act now. */
  ownTurn: Recipient | undefined
  /** Of a draft. */
  draft: DraftFindings | undefined
  acts: HistoryAct[]
  record: RecordEntry[]
  replies: ReadonlyMap<string, string>
  values: PeopleProps['values']
  hasMailServer: boolean
  correcting: Correcting | undefined
  /** Links can be handed out in place of e-mails. */
  mayHandOut: boolean
  /** Created a moment ago. */
  link: HandedOutLink | undefined
  viewer: { pdfjsUrl: string; texts: SignerTexts['view'] }
  notice: string | undefined
  isNothingDone: boolean
  /** The dialog that is open when the page arrives. */
  open: string | undefined
}

export interface HandedOutLink {
  recipient: Recipient
  url: string
  expiresAt: Date
}

/** In words, each with the place to mend it. */
export interface DraftFindings {
  blocking: { text: string; href: string }[]
  warnings: { text: string; href: string }[]
}

type Texts = PageContext['texts']['documents']

export function DocumentPage(props: DocumentProps) {
  const { context, document, position, notice } = props
  const { documents: texts } = context.texts
  const base = `${DOCUMENTS_PATH}/${document.id}`
  return (
    <Layout context={context} section={DOCUMENTS_PATH} bundle="viewing">
      <div class="document-page" data-live={`${base}/live`} data-live-after={position} data-live-note={texts.live}>
        <Notice text={notice} tone={props.isNothingDone ? 'info' : 'good'} />
        <NewLink {...props} />
        <div id="document-head" data-live-part>
          <Head {...props} />
          <State {...props} />
        </div>
        <div class="document-grid">
          <section class="people-area" id="people" data-live-part aria-labelledby="people-title">
            <h2 id="people-title">{texts.page.people}</h2>
            <People {...props} texts={texts} />
          </section>
          <Viewer {...props} />
          <div class="more-area">
            <History acts={props.acts} texts={texts} />
            <Details document={document} values={props.values.get(SENDER)} texts={texts} />
          </div>
        </div>
        <Record record={props.record} texts={texts} />
        <Dialogs {...props} />
      </div>
    </Layout>
  )
}

/** Outside the parts that follow changes: it stays until the page is left. */
function NewLink({ link, context }: DocumentProps) {
  const clock = useClock()
  const { documents: texts, frame } = context.texts
  if (!link) return null
  const name = nameOf(link.recipient, texts)
  const time = pageTime(link.expiresAt, clock)
  return (
    <OneTimeSecret title={texts.page.link.title(name)} secret={link.url} hint={texts.page.link.hint(name, time)} texts={frame} />
  )
}

function Head({ context, document }: DocumentProps) {
  const { documents: texts } = context.texts
  const badge = statusBadge(document, texts)
  return (
    <PageHead
      title={<span dir="auto">{titleOf(document, texts)}</span>}
      back={{ href: DOCUMENTS_PATH, text: texts.page.back }}
      actions={<Actions document={document} context={context} />}
    >
      <p class="state-line">
        <Badge tone={badge.tone} icon={badge.icon}>
          {badge.text}
        </Badge>
        <Labels labels={document.labels} />
      </p>
    </PageHead>
  )
}

type ActionProps = Pick<DocumentProps, 'document' | 'context'>

function Actions(props: ActionProps) {
  const { document, context } = props
  const { page } = context.texts.documents
  const base = `${DOCUMENTS_PATH}/${document.id}`
  const may = actsOn(document, useOpens())
  return (
    <>
      {may.remind && (
        <form method="post" action={`${base}/remind`}>
          <Csrf />
          <Button icon="bell">{page.remind}</Button>
        </form>
      )}
      {document.sha256Sealed && (
        <LinkButton href={`${base}/file?version=sealed`} icon="download" kind="primary" download>
          {page.downloadSealed}
        </LinkButton>
      )}
      <MoreMenu {...props} />
    </>
  )
}

function MoreMenu({ document, context }: ActionProps) {
  const { documents, retention } = context.texts
  const { page } = documents
  const base = `${DOCUMENTS_PATH}/${document.id}`
  const may = actsOn(document, useOpens())
  const hasSignatures = document.recipients.some(r => r.status === 'signed')
  return (
    <Menu id="document-menu" label={page.more} iconOnly={false} kind="plain">
      {hasSignatures && !document.sha256Sealed && (
        <MenuItem icon="download" href={`${base}/file?version=current`} download>
          {page.downloadNow}
        </MenuItem>
      )}
      <MenuItem icon="download" href={`${base}/file?version=original`} download>
        {page.downloadOriginal}
      </MenuItem>
      {document.sha256Sealed && (
        <MenuItem icon="shield-check" href={`${base}/evidence`} download>
          {page.evidence}
        </MenuItem>
      )}
      {may.edit && (
        <>
          <MenuRule />
          <MenuItem icon="tag" dialog="labels">
            {page.editLabels}
          </MenuItem>
          <MenuItem icon="copy" action={`${base}/duplicate`}>
            {page.duplicate}
          </MenuItem>
          <MenuItem icon="layout-template" action={`${base}/template`}>
            {page.saveAsTemplate}
          </MenuItem>
        </>
      )}
      {may.hold && (
        <MenuItem icon="lock" dialog="hold">
          {document.heldAt ? retention.hold.lift : retention.hold.set}
        </MenuItem>
      )}
      {(may.void || may.delete) && <MenuRule />}
      {may.void && (
        <MenuItem icon="ban" danger dialog="void">
          {page.void}
        </MenuItem>
      )}
      {may.delete && (
        <MenuItem icon="trash-2" danger dialog="delete">
          {page.delete}
        </MenuItem>
      )}
    </Menu>
  )
}

function State(props: DocumentProps) {
  const clock = useClock()
  const { document, voided, context, attention, draft } = props
  const { documents: texts } = context.texts
  const reason = voided?.reason ?? document.recipients.find(r => r.declineReason)?.declineReason
  return (
    <div class="document-state">
      <p class="lead">{stateWords({ document, voidedAt: voided?.at }, clock, texts)}</p>
      {reason && (
        <p class="quote" dir="auto">
          {reason}
        </p>
      )}
      <Held {...props} />
      <OwnTurn recipient={props.ownTurn} texts={texts} />
      {draft && actsOn(document, useOpens()).send && <DraftState document={document} draft={draft} texts={texts} />}
      {attention.map(each => (
        <Trouble key={`${each.cause}-${each.recipientId}`} cause={each} {...props} />
      ))}
    </div>
  )
}

function Held({ document, context }: DocumentProps) {
  const clock = useClock()
  const { hold } = context.texts.retention
  if (!document.heldAt) return null
  return (
    <Callout tone="info" title={hold.heldSince(dateText(document.heldAt, clock, 'long'))}>
      {document.holdReason && (
        <p class="quote" dir="auto">
          {document.holdReason}
        </p>
      )}
      <p>{hold.heldText}</p>
    </Callout>
  )
}

/** What keeps the draft from being sent, what to look at before, and where to continue. */
function DraftState({ document, draft, texts: { page } }: { document: Document; draft: DraftFindings; texts: Texts }) {
  const { blocking, warnings } = draft
  const findings = [...blocking, ...warnings]
  const title = blocking.length > 0 ? page.missing : warnings.length > 0 ? page.lookAt : page.ready
  return (
    <Callout
      tone={warnings.length > 0 && blocking.length === 0 ? 'warn' : 'info'}
      title={title}
      actions={
        <LinkButton href={blocking[0]?.href ?? `${DOCUMENTS_PATH}/${document.id}/review`} kind="primary" icon="arrow-right">
          {page.continue}
        </LinkButton>
      }
    >
      {findings.length > 0 && (
        <ul>
          {findings.slice(0, MAX_FINDINGS).map(({ href, text }) => (
            <li key={`${href} ${text}`}>
              <a href={href}>{text}</a>
            </li>
          ))}
          {findings.length > MAX_FINDINGS && <li>{page.moreFindings(findings.length - MAX_FINDINGS)}</li>}
        </ul>
      )}
    </Callout>
  )
}

const MAX_FINDINGS = 5

function Trouble({ cause, document, context }: DocumentProps & { cause: Attention }) {
  const clock = useClock()
  const { documents: texts } = context.texts
  const { page } = texts
  if (cause.cause === 'declined' || cause.cause === 'expired') return null
  if (cause.cause === 'expires_soon') {
    return <Callout tone="warn" title={page.expiresSoon(dayOf(document.expiresAt ?? clock.now, clock))} />
  }
  if (cause.cause === 'sealing_failed') {
    return (
      <Callout
        tone="bad"
        role="alert"
        title={page.sealingTrouble}
        actions={
          actsOn(document, useOpens()).retrySealing && (
            <form method="post" action={`${DOCUMENTS_PATH}/${document.id}/seal`}>
              <Csrf />
              <Button icon="refresh-cw">{page.tryAgain}</Button>
            </form>
          )
        }
      >
        <p>{context.texts.storedText(document.sealingError ?? '')}</p>
        <p>{page.sealingAgain}</p>
      </Callout>
    )
  }
  return (
    <Callout tone="bad" title={attentionWords(cause, document, clock, texts)}>
      <p>{texts.advice[cause.cause === 'access_code_locked' ? cause.cause : 'email_failed']}</p>
      <p>
        <a href={`#person-${cause.recipientId}`}>{page.showPerson}</a>
      </p>
    </Callout>
  )
}

/** The pages, drawn by the script; without it a link. */
function Viewer({ document, viewer, context }: DocumentProps) {
  const { page } = context.texts.documents
  const base = `${DOCUMENTS_PATH}/${document.id}`
  const signed = document.recipients.filter(r => r.status === 'signed').map(r => r.id)
  return (
    <section class="viewer-area" aria-labelledby="viewer-title">
      <h2 id="viewer-title">{page.document}</h2>
      <div id="viewer-state" data-live-part data-signed={signed.join(' ')} data-file={document.sha256Sealed ?? ''} />
      <div
        class="document-viewer"
        data-document-view
        data-base={base}
        data-pdfjs={viewer.pdfjsUrl}
        data-texts={JSON.stringify(viewer.texts)}
      >
        <p>
          <a class="button plain" href={`${base}/file`} download>
            <Icon name="download" />
            <span>{page.openDocument(document.pageCount)}</span>
          </a>
        </p>
      </div>
    </section>
  )
}
