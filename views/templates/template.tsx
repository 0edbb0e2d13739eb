/** One template: its roles, fields, settings and file, and what can be done with it. */
import type { Document } from '../../src/core/document/document.ts'
import { TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import type { Batch } from '../../src/core/template/batch.ts'
import { showPlaceholders } from '../../src/core/template/template-texts.ts'
import { relativeTime } from '../../src/lib/relative-time.ts'
import { errorText } from '../../src/locales/app.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { NewestBatches } from '../batches/batch-list.tsx'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, useErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { useClock } from '../parts/page-texts.ts'
import { Facts } from '../parts/table.tsx'
import { type TemplateActs, TemplateActsMenu } from './templates.tsx'

/** A role, or the sender, with its fields in words. */
export interface RoleWords {
  id: string
  name: string
  /** What the person does, in which place, in which language; empty for the sender. */
  does: string
  fields: string
  /** Of the fields: their labels, or else their kinds. */
  names: string[]
}

/** Where a field is in the picture of the file, in percent of its page. */
export interface FieldPlace {
  page: number
  x: number
  y: number
  width: number
  height: number
  text: string
  /** The place of its role, which gives the colour; undefined for the sender. */
  index: number | undefined
}

export interface TemplateProps {
  context: PageContext
  template: Document
  may: TemplateActs
  isOwn: boolean
  /** Empty if nobody owns it. */
  ownerName: string
  usedAt: Date | undefined
  file: string
  roles: readonly RoleWords[]
  sender: RoleWords | undefined
  boxes: readonly FieldPlace[]
  blocking: readonly { text: string; href: string }[]
  warnings: readonly { text: string; href: string }[]
  viewer: { pdfjsUrl: string; texts: SignerTexts['view'] }
  maxBytes: number
  notice: string | undefined
  /** The dialog that is open when the page arrives. */
  open: string | undefined
  /** The newest lists that were sent with it, of those that the visitor may see. */
  batches: readonly Batch[]
}

export function TemplatePage(props: TemplateProps) {
  const { context, notice } = props
  const { page } = context.texts.templates
  return (
    <Layout context={context} section={TEMPLATES_PATH} bundle="viewing">
      <div class="document-page">
        <Notice text={notice} />
        <Head {...props} />
        <State {...props} />
        <div class="document-grid">
          <section class="people-area" aria-labelledby="roles-title">
            <h2 id="roles-title">{page.roles}</h2>
            <Roles {...props} />
          </section>
          <Picture {...props} />
          <div class="more-area">
            <Settings {...props} />
            <Sharing {...props} />
            <NewestBatches context={context} batches={props.batches} templateId={props.template.id} />
          </div>
        </div>
        {props.may.change && <Questions {...props} />}
      </div>
    </Layout>
  )
}

function Head(props: TemplateProps) {
  const clock = useClock()
  const { context, template, may, isOwn, ownerName, usedAt } = props
  const { page, act, list } = context.texts.templates
  const base = `${TEMPLATES_PATH}/${template.id}`
  const owner = isOwn ? page.own : ownerName === '' ? page.nobody : page.owner(ownerName)
  const used = usedAt ? page.used(relativeTime(usedAt, clock)) : page.neverUsed
  return (
    <PageHead
      title={<span dir="auto">{showPlaceholders(template.title)}</span>}
      back={{ href: TEMPLATES_PATH, text: page.back }}
      actions={
        <>
          {may.use && props.blocking.length === 0 && (
            <>
              <LinkButton href={`${base}/use`} kind="primary" icon="send">
                {act.use}
              </LinkButton>
              <LinkButton href={`${base}/bulk`} icon="users">
                {act.bulk}
              </LinkButton>
            </>
          )}
          <Menu id="template-menu" label={act.more} iconOnly={false} kind="plain">
            <TemplateActsMenu {...props} from="page" />
          </Menu>
        </>
      }
    >
      <p class="state-line quiet template-state">
        <span>
          {owner}, {used}
        </span>
        {template.isShared && (
          <Badge tone="neutral" icon="users">
            {list.shared}
          </Badge>
        )}
      </p>
    </PageHead>
  )
}

/** What keeps the template from being used, and what to look at before its use. */
function State({ context, blocking, warnings, may }: TemplateProps) {
  const { page } = context.texts.templates
  const findings = [...blocking, ...warnings]
  const finish = blocking[0] && may.change && (
    <LinkButton href={blocking[0].href} kind="primary" icon="arrow-right">
      {page.finish}
    </LinkButton>
  )
  return (
    <div class="document-state">
      {findings.length > 0 && (
        <Callout
          tone={blocking.length > 0 ? 'info' : 'warn'}
          title={blocking.length > 0 ? page.notReady : page.lookAt}
          actions={finish}
        >
          <ul>
            {findings.map(({ text, href }) => (
              <li key={`${href} ${text}`}>{may.change ? <a href={href}>{text}</a> : text}</li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  )
}

function Roles({ roles, sender }: TemplateProps) {
  return (
    <ul class="document-persons">
      {roles.map((role, i) => (
        <RoleItem key={role.id} role={role}>
          <Avatar name={role.name} index={i} />
        </RoleItem>
      ))}
      {sender && (
        <RoleItem role={sender}>
          <span class="avatar sender">
            <Icon name="pencil" />
          </span>
        </RoleItem>
      )}
    </ul>
  )
}

function RoleItem({ role: { name, does, fields, names }, children }: { role: RoleWords; children: preact.ComponentChildren }) {
  return (
    <li class="document-person">
      {children}
      <div class="document-person-body">
        <div class="document-person-head">
          <span class="document-person-name" dir="auto">
            {name}
          </span>
        </div>
        {does && <p class="small">{does}</p>}
        <p class="small quiet">{fields}</p>
        {names.length > 0 && (
          <p class="small quiet break" dir="auto">
            {names.join(' · ')}
          </p>
        )}
      </div>
    </li>
  )
}

function Settings({ context, template, file }: TemplateProps) {
  const { page } = context.texts.templates
  const { reminders, message, signingOrder, expiresInDays, recipients } = template
  const plan = reminders && page.remind(reminders.firstAfterDays, reminders.everyDays, reminders.max)
  return (
    <section aria-labelledby="settings-title">
      <h2 id="settings-title">{page.settings}</h2>
      <Facts
        facts={[
          [
            page.message,
            message === undefined ? (
              page.noMessage
            ) : (
              <span class="lines" dir="auto">
                {showPlaceholders(message)}
              </span>
            ),
          ],
          ...(recipients.length > 1 ? [[page.order, page[signingOrder]] as [string, string]] : []),
          [page.deadline, page.days(expiresInDays)],
          [page.reminders, plan ?? page.noReminders],
          [page.pdf, file],
        ]}
      />
    </section>
  )
}

function Sharing({ context, template, may, isOwn, ownerName }: TemplateProps) {
  const { page, act } = context.texts.templates
  const text = template.isShared ? page.sharedText : isOwn ? page.private : page.privateOf(ownerName)
  return (
    <section aria-labelledby="sharing-title">
      <h2 id="sharing-title">{page.sharing}</h2>
      <p>{text}</p>
      {may.change && (
        <form method="post" action={`${TEMPLATES_PATH}/${template.id}/share`}>
          <Csrf />
          <Button icon={template.isShared ? 'lock' : 'users'} name="shared" value={template.isShared ? 'no' : 'yes'}>
            {template.isShared ? act.unshare : act.share}
          </Button>
        </form>
      )}
    </section>
  )
}

/** The pages with the places of the fields, drawn by the script; without it a link. */
function Picture({ context, template, viewer, boxes }: TemplateProps) {
  const { page } = context.texts.templates
  const base = `${TEMPLATES_PATH}/${template.id}`
  return (
    <section class="viewer-area" aria-labelledby="viewer-title">
      <h2 id="viewer-title">{page.document}</h2>
      <div
        class="document-viewer"
        data-document-view
        data-base={base}
        data-pdfjs={viewer.pdfjsUrl}
        data-texts={JSON.stringify(viewer.texts)}
        data-boxes={JSON.stringify(boxes)}
      >
        <p>
          <a class="button plain" href={`${base}/file?version=original`} download>
            <Icon name="download" />
            <span>{page.openDocument(template.pageCount)}</span>
          </a>
        </p>
      </div>
    </section>
  )
}

function Questions({ context, template, open, maxBytes }: TemplateProps) {
  const { texts } = context
  const { page, act } = texts.templates
  const base = `${TEMPLATES_PATH}/${template.id}`
  const shared = (id: string) => ({ id, close: texts.frame.cancel, isOpen: open === id })
  return (
    <div class="dialogs">
      <Dialog {...shared('replace')} title={page.replaceTitle}>
        <form method="post" action={`${base}/replace`} enctype="multipart/form-data">
          <Csrf />
          <p>{page.replaceText}</p>
          <LostFields context={context} />
          <FileDrop
            label={texts.sending.newDocument.choose}
            hint={texts.sending.newDocument.hint(Math.floor(maxBytes / 1e6))}
            choose={texts.frame.chooseFile}
            drop={texts.frame.orDrop}
            accept="application/pdf,.pdf"
          />
          <DialogActions>
            <Button kind="primary">{page.replaceButton}</Button>
          </DialogActions>
        </form>
      </Dialog>
      <Dialog {...shared('delete')} title={page.deleteTitle}>
        <form method="post" action={`${base}/delete`}>
          <Csrf />
          <p>{page.deleteText}</p>
          <DialogActions>
            <Button kind="danger">{act.delete}</Button>
          </DialogActions>
        </form>
      </Dialog>
    </div>
  )
}

/** The fields that the chosen file has no page for. */
function LostFields({ context }: Pick<TemplateProps, 'context'>) {
  const { page } = context.texts.templates
  const lost = useErrors().filter(({ path }) => path.startsWith('lost.'))
  if (lost.length === 0) return null
  return (
    <Callout tone="warn" role="alert" title={page.lostTitle}>
      <ul>
        {lost.map(error => (
          <li key={error.path}>{errorText(context.texts, error)}</li>
        ))}
      </ul>
      <label class="tick">
        <input type="checkbox" name="dropsFields" />
        <span>{page.dropFields}</span>
      </label>
    </Callout>
  )
}
