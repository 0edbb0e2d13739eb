/** The last page before sending: who gets what, the e-mail, the settings, and what to check. */
import { directionOf, type Language } from '../../src/core/language.ts'
import { MAIL_PATH } from '../../src/core/page-paths.ts'
import type { SendingTexts } from '../../src/locales/en/app/sending.ts'
import { type FieldValue, ValueList } from '../documents/document-details.tsx'
import { BrandStyle, type PageContext } from '../layout.tsx'
import type { MailParts, Paragraph } from '../mail/frame.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ErrorSummary, FieldError, useAria } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { useOpens } from '../parts/page-texts.ts'
import { DraftActions, DraftForm, DraftFrame, type DraftHead } from './draft-frame.tsx'
import { ReviewSettings, type SettingsValues } from './review-settings.tsx'

export interface ReviewPerson {
  id: string
  /** Place among all people: gives the colour. */
  index: number
  name: string
  email: string
  /** Otherwise the sender hands out the link, and no e-mail is shown. */
  isMailed: boolean
  /** What the person gets, in words. */
  gets: string
  fields: string
}

/** Those who are mailed at the same time. */
export interface ReviewGroup {
  title: string
  people: ReviewPerson[]
}

/** What nobody can change after sending. */
export interface ReviewValues {
  /** Of a recipient, or `SENDER`. */
  id: string
  name: string
  values: readonly FieldValue[]
}

export interface ReviewFinding {
  text: string
  /** Where it is mended. */
  href: string
}

export interface ReviewMail {
  parts: MailParts
  recipientId: string
  name: string
  from: string
  to: string
  replyTo: string | undefined
  /** Address of the picture. */
  logo: string | undefined
  /** Address of the style sheet with the organisation's colour. */
  css: string | undefined
}

interface Props {
  context: PageContext
  draft: DraftHead
  file: string
  groups: readonly ReviewGroup[]
  values: readonly ReviewValues[]
  mail: ReviewMail | undefined
  hasMailServer: boolean
  settings: SettingsValues
  languages: readonly { value: Language; text: string }[]
  /** The language of the organisation, in its own words. */
  languageDefault: string
  blocking: readonly ReviewFinding[]
  warnings: readonly ReviewFinding[]
  isConfirmed: boolean
  /** What others changed while the page was open. */
  changes: readonly string[] | undefined
}

const FORM = 'review'

type ReviewTexts = SendingTexts['review']

export function DraftReviewPage(props: Props) {
  const { context, draft } = props
  const { review: t, saving, errors: heading } = context.texts.sending
  return (
    <DraftFrame context={context} draft={draft} here="review" form={FORM}>
      <h1>{t.title}</h1>
      <DraftForm id={FORM} draft={draft} here="review" texts={saving} class="review">
        <Changes {...props} />
        <ErrorSummary labels={{ title: context.texts.sending.steps.title }} heading={heading} />
        <Blocking {...props} />
        <NoMailServer {...props} />
        <div class="review-columns">
          <div>
            <Order {...props} />
            <div data-review-values>
              <Values {...props} />
            </div>
            <ReviewSettings {...props} values={props.settings} />
          </div>
          <div>
            <BrandStyle href={props.mail?.css} nonce={context.nonce} />
            <Mail {...props} />
          </div>
        </div>
        <div data-review-findings>
          <Warnings {...props} />
        </div>
        <DraftActions context={context} back={draft.use?.href ?? `${draft.base}/fields`}>
          <div class="row review-send">
            <Button name="do" value="save" kind="quiet" data-review-save>
              {t.save}
            </Button>
            {props.blocking.length === 0 && (
              <Button kind="primary" icon="send" name="do" value="send" data-send>
                {t.send}
              </Button>
            )}
          </div>
        </DraftActions>
      </DraftForm>
    </DraftFrame>
  )
}

function Changes({ context, changes }: Props) {
  if (!changes) return null
  return (
    <Callout tone="warn" role="alert" title={context.texts.sending.review.lookAgain}>
      <ul>
        {changes.map(change => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Callout>
  )
}

function Blocking({ context, blocking }: Props) {
  if (blocking.length === 0) return null
  const t = context.texts.sending.review
  return (
    <Callout tone="bad" title={t.blocking}>
      <Findings findings={blocking} change={t.change} />
    </Callout>
  )
}

/** Before sending: nobody would hear of the document. */
function NoMailServer({ context, hasMailServer }: Props) {
  if (hasMailServer) return null
  const t = context.texts.sending.review
  return (
    <Callout tone="warn">
      <p>
        {t.noMailServer} {useOpens().includes('admin') ? <a href={MAIL_PATH}>{t.setMailServer}</a> : t.askForMailServer}
      </p>
    </Callout>
  )
}

function Findings({ findings, change }: { findings: readonly ReviewFinding[]; change: string }) {
  return (
    <ul>
      {findings.map(({ text, href }) => (
        <li key={`${href} ${text}`}>
          {text} <a href={href}>{change}</a>
        </li>
      ))}
    </ul>
  )
}

/** One tick for all. What is ticked are the points that this page shows. */
function Warnings({ context, warnings, isConfirmed }: Props) {
  if (warnings.length === 0) return null
  const t = context.texts.sending.review
  return (
    <Callout tone="warn" title={t.warnings}>
      <Findings findings={warnings} change={t.change} />
      <input type="hidden" name="shown" value={warnings.map(({ text }) => text).join('\n')} />
      <FieldError name="confirm" />
      <label class="tick">
        <input type="checkbox" id="confirm" name="confirm" checked={isConfirmed} {...useAria('confirm')} />
        <span>{t.confirm(warnings.length)}</span>
      </label>
    </Callout>
  )
}

function Order({ context, draft, file, groups }: Props) {
  const t = context.texts.sending.review
  return (
    <section aria-labelledby="order">
      <h2 id="order">{t.order}</h2>
      <p class="quiet break">{file}</p>
      {groups.map(({ title, people }, i) => (
        <div key={`${i} ${title}`} class="review-group">
          <h3>{title}</h3>
          <ul>
            {people.map(person => (
              <li key={person.id}>
                <Avatar name={person.name} index={person.index} />
                <div class="break">
                  <strong>{person.name}</strong> <span class="quiet">{person.email}</span>
                  <div class="small">
                    {person.gets}
                    {person.isMailed && <MailLink person={person} draft={draft} texts={t} />}
                  </div>
                  <div class="small quiet">{person.fields}</div>
                </div>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="small quiet">{t.completed}</p>
      <p>
        <LinkButton href={draft.use?.href ?? `${draft.base}/people`} small>
          {t.changePeople}
        </LinkButton>{' '}
        <LinkButton href={`${draft.base}/fields`} small>
          {t.changeFields}
        </LinkButton>
      </p>
    </section>
  )
}

function MailLink({ person, draft, texts: t }: Pick<Props, 'draft'> & { person: ReviewPerson; texts: ReviewTexts }) {
  const query = new URLSearchParams({ ...(draft.use ? { from: draft.use.templateId } : {}), mail: person.id })
  return (
    <>
      {' · '}
      <a class="whole" href={`${draft.base}/review?${query}#mail`}>
        {t.mail}
        <span class="unseen"> {t.mailTo(person.name)}</span>
      </a>
    </>
  )
}

function Values({ context, draft, values }: Props) {
  if (values.length === 0) return null
  const t = context.texts.sending.review
  return (
    <section aria-labelledby="values">
      <h2 id="values">{t.values}</h2>
      <p class="quiet">{t.valuesHint}</p>
      {values.map(({ id, name, values }) => (
        <div key={id} class="review-values">
          <h3 class="break">{name}</h3>
          <ValueList values={values} />
        </div>
      ))}
      <p>
        <LinkButton href={draft.use?.href ?? `${draft.base}/fields`} small>
          {t.changeValues}
        </LinkButton>
      </p>
    </section>
  )
}

/** The e-mail by the composer of the real one. Nobody's link is shown: its place is. */
function Mail({ context, mail, groups }: Props) {
  const t = context.texts.sending.review
  if (!mail)
    return (
      groups.some(({ people }) => people.length > 0) && (
        <section aria-labelledby="mail" class="review-mail" data-review-mail>
          <h2 id="mail">{t.mail}</h2>
          <p>{t.noMail}</p>
        </section>
      )
    )
  const { parts } = mail
  return (
    <section aria-labelledby="mail" class="review-mail" data-review-mail>
      <h2 id="mail">{t.mail}</h2>
      <p class="quiet small">
        {t.mailTo(mail.name)}. {t.mailHint}
      </p>
      <div class="paper mail-paper">
        <dl class="mail-head small">
          <dt>{t.from}</dt>
          <dd dir="auto">{mail.from}</dd>
          <dt>{t.to}</dt>
          <dd dir="auto">{mail.to}</dd>
          {mail.replyTo && (
            <>
              <dt>{t.replyTo}</dt>
              <dd dir="auto">{mail.replyTo}</dd>
            </>
          )}
          <dt>{t.subject}</dt>
          <dd dir="auto">
            <strong>{parts.subject}</strong>
          </dd>
        </dl>
        <div lang={parts.language} dir={directionOf(parts.language)}>
          <p class="mail-letterhead">
            {mail.logo ? <img class="brand-logo" src={mail.logo} alt={parts.organisation} /> : parts.organisation}
          </p>
          <p>{parts.greeting}</p>
          <MailParagraphs all={parts.lead} />
          {parts.link && (
            <p>
              <span class="mail-button">{parts.link.text}</span>
            </p>
          )}
          <MailParagraphs all={parts.details} />
          <hr />
          {parts.foot.map(line => (
            <p key={line} class="small quiet">
              {line}
            </p>
          ))}
        </div>
      </div>
    </section>
  )
}

function MailParagraphs({ all }: { all: readonly Paragraph[] }) {
  return (
    <>
      {all.map(paragraph =>
        typeof paragraph === 'string' ? (
          <p key={paragraph}>{paragraph}</p>
        ) : (
          <blockquote key={paragraph} class="lines" dir="auto">
            {'quote' in paragraph ? paragraph.quote : paragraph.large}
          </blockquote>
        ),
      )}
    </>
  )
}
