/** The page on which a recipient reads, fills in and signs. It works without a script. */
import type { ComponentChildren } from 'preact'
import { MAX_REASON } from '../../src/core/document/document-limits.ts'
import {
  acceptedTypes,
  type Field,
  type FieldType,
  filledBy,
  isFile,
  isMark,
  maxBytesOf,
  maxLengthOf,
} from '../../src/core/field/field.ts'
import type { DeviceKeyRule } from '../../src/core/signing/device-key.ts'
import { readPages } from '../../src/core/signing/pages-shown.ts'
import type { Role } from '../../src/core/signing/routing.ts'
import { HAND_AREA, HANDS, type Hand, type MarkKind, type MarkName, markMembers } from '../../src/core/signing/signature-mark.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { Csrf, ErrorSummary, FieldError, Input, useAria, type ValidationErrors } from '../parts/form.tsx'
import { PageLoading } from '../parts/page-loading.tsx'
import { type BoxData, DATA_ID, type FieldData, type FixedData, format, type SigningData } from './browser/data.ts'
import {
  asListed,
  conditionText,
  FieldEntry,
  formEntries,
  GivenField,
  isGiven,
  type ListedEntry,
  labelOf,
} from './signing-fields.tsx'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

/** A field of this recipient, with its entered or proposed value and its received file. */
export interface FieldView extends Field {
  value: string
  /** Set while an answer of this recipient decides whether the field is shown. */
  condition: { label: string; type: FieldType; is: string } | undefined
}

export interface MarkEntry {
  kind: MarkKind
  /** Entered, or proposed from the name. */
  text: string
  /** The recipient's own name or initials. */
  own: string
  hand: Hand
  /** Those in which the text, or what is offered, looks different. */
  hands: readonly Hand[]
  ink: string
  hasPicture: boolean
  /** The person chose it, on any device; a proposal is not chosen. */
  chosen: boolean
}

export interface SigningProps extends SignerContext {
  base: string
  /** As in the invitation: the person, with the organisation. */
  sender: string
  contact: string | undefined
  recipientName: string
  title: string
  pageCount: number
  role: Role
  /** Of the text of the document. */
  direction: 'ltr' | 'rtl'
  /** All fields that may be shown, in reading order. */
  fields: FieldView[]
  /** The fields that the sender has filled in. */
  senderFields: FieldView[]
  fixed: FixedData[]
  /** Of an approver there is none. */
  signature: MarkEntry | undefined
  initials: MarkEntry | undefined
  consent: { version: string; paragraphs: string[]; given: boolean }
  intent: string
  /** Whether the device of the signer is to sign too. */
  deviceKey: { rule: DeviceKeyRule; isWanted: boolean }
  sha256: string
  /** Those of earlier visits, as in `pages-shown.ts`; may be empty. */
  pagesShown: string
  /** Of the file with this hash. */
  bytes: number
  mayDelegate: boolean
  /** `undefined` in production. */
  environment: string | undefined
  declineErrors: ValidationErrors
  delegationErrors: ValidationErrors
  delegate: { name: string; email: string }
  declineReason: string
  script: { src: string; filesUrl: string; numbersUrl: string; deviceKeySrc: string; css: string; pdfjsUrl: string }
}

export function SigningPage(props: SigningProps) {
  const { context, texts, base, sender, contact, title, role, mayDelegate, environment, script } = props
  const { declineErrors, delegationErrors } = props
  const all = [...asListed(context.errors, props), ...declineErrors, ...delegationErrors]
  const shared = { base, texts, role }
  const style = <link rel="stylesheet" href={script.css} nonce={context.nonce} />
  return (
    <SignerLayout signer={props} head={style}>
      <PageLoading text={texts.view.loading} />
      <a class="skip" href="#sign">
        {texts.skipToForm}
      </a>
      <div id="title">
        <h1 dir="auto">{title}</h1>
        <p class="quiet">
          {texts.from(sender)}
          {environment && <span class="env">{environment.toUpperCase()}</span>}
        </p>
        {context.brand?.logo && <img src={context.brand.logo} alt="" />}
        <AlternativesMenu {...props} />
      </div>
      <section id="panel" aria-label={texts.script.fields}>
        {environment && <p class="note">{texts.notBinding(environment)}</p>}
        <ErrorSummary errors={all} heading={texts.check} />
        <ReadStep {...props} />
        <SenderFields {...props} />
        <SignForm {...props} />
        <DeclineForm {...shared} reason={props.declineReason} errors={declineErrors} />
        {mayDelegate && <DelegationForm {...shared} delegate={props.delegate} errors={delegationErrors} />}
        {contact && <p class="quiet small">{texts.questions(contact)}</p>}
      </section>
      <script
        type="application/json"
        id={DATA_ID}
        nonce={context.nonce}
        dangerouslySetInnerHTML={{ __html: JSON.stringify(dataOf(props)).replaceAll('<', '\\u003c') }}
      />
      <script type="module" src={script.src} nonce={context.nonce} />
      {props.deviceKey.rule === 'offered' && <script type="module" src={script.deviceKeySrc} nonce={context.nonce} />}
    </SignerLayout>
  )
}

function boxesOf(field: FieldView, { script: { option: named } }: SignerTexts, label: string): BoxData[] {
  const { page, x, y, width, height, boxes, options } = field
  if (boxes.length === 0) return [{ page, x, y, width, height, label }]
  return boxes.map((box, i) => {
    const option = options[i] ?? ''
    return { ...box, option, label: format(named, { field: label, option }) }
  })
}

function fieldData(field: FieldView, texts: SignerTexts): FieldData {
  const { id, type, name, showIf, required, min, max, file } = field
  const label = labelOf(field, texts)
  return {
    ...{ id, type, name, showIf, required, min, max, file, label, filledBy: filledBy(type) },
    boxes: boxesOf(field, texts, label),
    maxLength: maxLengthOf(field),
    accept: isFile(type) ? acceptedTypes(field) : [],
    maxBytes: maxBytesOf(field),
  }
}

function dataOf(props: SigningProps): SigningData {
  const { context, base, lang, role, script, direction, fields, fixed, intent, texts, pageCount, pagesShown } = props
  const asked = fields.filter(field => !isGiven(field))
  return {
    base,
    csrf: context.csrf,
    lang,
    role,
    pdfjsUrl: script.pdfjsUrl,
    filesUrl: script.filesUrl,
    numbersUrl: script.numbersUrl,
    direction,
    fields: asked.map(field => fieldData(field, texts)),
    fixed,
    intent,
    pagesShown: readPages(pagesShown, pageCount) ?? [],
    texts: texts.script,
    viewTexts: texts.view,
  }
}

/** A heading with its number, which is hidden when the script shows all steps at once. */
function Step({ number, text }: { number: number; text: string }) {
  return (
    <h2>
      <span class="step">{number}. </span>
      {text}
    </h2>
  )
}

function ReadStep({ base, pageCount, sha256, bytes, texts: { form } }: SigningProps) {
  return (
    <div class="sheet reading">
      <Step number={1} text={form.read} />
      <p class="unscripted">{form.readAll}</p>
      <p>
        <a class="button plain wide" href={`${base}/file`}>
          {form.download(pageCount)}
        </a>
      </p>
      <details class="quiet small">
        <summary>{form.fingerprint}</summary>
        <p>
          {form.fingerprintIs} <code class="break">{sha256}</code>
        </p>
        <p>{form.fingerprintOfFirst(bytes)}</p>
      </details>
    </div>
  )
}

/** Who reads the downloaded PDF does not see them in it. */
function SenderFields({ senderFields, texts, pageCount }: SigningProps) {
  if (senderFields.length === 0) return null
  return (
    <div class="sheet given">
      <h2>{texts.form.givenBySender}</h2>
      {senderFields.map(field => {
        const place = pageCount > 1 ? texts.onPage(field.page) : undefined
        const label = { label: labelOf(field, texts), place, note: undefined, condition: undefined }
        return <GivenField key={field.id} field={field} texts={texts} label={label} />
      })}
    </div>
  )
}

function SignForm(props: SigningProps) {
  const { base, consent, sha256, fields, texts, role } = props
  const values = fields.filter(field => !isMark(field.type))
  const entries = formEntries(props).map(entry => <FormEntry key={entry.name} {...props} entry={entry} />)
  return (
    <form
      id="sign"
      method="post"
      action={`${base}/finish`}
      {...(values.some(({ type }) => isFile(type)) ? { enctype: 'multipart/form-data' } : {})}
      class="sheet"
      tabIndex={-1}
    >
      <Csrf />
      <input type="hidden" name="sha256" value={sha256} />
      {/* The script says which pages it has displayed. */}
      <input type="hidden" name="pagesShown" value="" />
      <input type="hidden" name="consentVersion" value={consent.version} />
      {values.length > 0 && <Step number={2} text={texts.form.fillIn} />}
      {values.length > 0 && entries}
      <Step number={values.length > 0 ? 3 : 2} text={texts.form.agree} />
      {values.length === 0 && entries}
      <Consent {...props} />
      <div class="finish">
        <p>{props.intent}</p>
        <button type="submit" class="button wide">
          {texts.finish[role]}
        </button>
      </div>
    </form>
  )
}

/** A mark has one entry for all of its places. */
function FormEntry({ entry, ...props }: SigningProps & { entry: ListedEntry }) {
  const { base, fields, pageCount, texts, lang } = props
  if ('field' in entry) return <FieldEntry field={entry.field} pageCount={pageCount} lang={lang} texts={texts} />
  const mark = props[entry.name]
  return mark && <MarkField {...{ base, mark, fields, lang, texts }} name={entry.name} />
}

/** Who approves, and that nothing has to be signed. */
function Approval({ recipientName, texts: { form } }: SigningProps) {
  return (
    <div class="approval">
      <p>
        {form.approvesAs} <strong dir="auto">{recipientName}</strong>
      </p>
      <p class="quiet small">{form.noSignature}</p>
    </div>
  )
}

function Consent(props: SigningProps) {
  const { consent, texts, signature, initials } = props
  return (
    <div class="entry" data-entry="consent">
      <div class="consent small">
        {consent.paragraphs.map(p => (
          <p key={p}>{p}</p>
        ))}
      </div>
      {!signature && !initials && <Approval {...props} />}
      <FieldError name="consent" />
      <label class="tick" for="consent">
        <input
          id="consent"
          name="consent"
          type="checkbox"
          value={consent.version}
          required
          checked={consent.given}
          {...useAria('consent')}
        />
        <span>{texts.form.consent}</span>
      </label>
      <DeviceKey {...props} />
    </div>
  )
}

/** An offer is shown by the script, where the device has keys. */
function DeviceKey({ deviceKey: { rule, isWanted }, texts: { deviceKey: t } }: SigningProps) {
  if (rule === 'required') return <p class="quiet small">{t.asked}</p>
  if (rule === 'off') return null
  return (
    <div hidden data-device-key-offer>
      <label class="tick" for="deviceKey">
        <input id="deviceKey" name="deviceKey" type="checkbox" checked={isWanted} aria-describedby="deviceKey-hint" />
        <span>{t.offer}</span>
      </label>
      <p class="hint" id="deviceKey-hint">
        {t.offerHint}
      </p>
    </div>
  )
}

// A signature or initials in the form. Typed here; the script adds drawing and uploading.

interface SigningMarksProps {
  name: MarkName
  base: string
  mark: MarkEntry
  fields: FieldView[]
  lang: string
  texts: SignerTexts
}

/** The pages that the mark is placed on, in words. */
function placesOf(name: MarkName, fields: FieldView[], lang: string, { form }: SignerTexts): string {
  const pages = [...new Set(fields.filter(field => field.type === name).map(field => field.page))].sort((a, b) => a - b)
  if (pages.length === 0) return form.shownInCertificate
  return form.placedOn(new Intl.ListFormat(lang, { type: 'conjunction' }).format(pages.map(String)), pages.length)
}

function MarkField({ name, base, mark, fields, lang, texts }: SigningMarksProps) {
  const places = placesOf(name, fields, lang, texts)
  const members = markMembers(name)
  const own = fields.filter(field => field.type === name)
  // The signature is asked of everybody: without a field it is in the audit certificate.
  const isConditional = name === 'initials' && own.every(({ condition }) => condition)
  const conditions = new Set(isConditional ? own.map(field => conditionText(field, texts)) : [])
  return (
    <div
      class="entry mark"
      data-entry={name}
      data-mark={name}
      data-kind={mark.kind}
      data-chosen={String(mark.chosen)}
      data-picture={String(mark.hasPicture)}
      data-own={mark.own}
    >
      {/* Without a script the mark is typed, even if one was drawn on another device before. */}
      <input type="hidden" name={members.kind} value="typed" />
      <input type="hidden" name={members.ink} value={mark.ink} />
      <div class="typed">
        <Input
          name={name}
          label={name === 'signature' ? texts.form.fullName : texts.form.initials}
          note={texts.required}
          required={!isConditional}
          condition={[...conditions].join(' ') || undefined}
          value={mark.text}
          hint={name === 'initials' ? `${texts.form.initialsHint} ${places}` : places}
          class="signature"
          dir="auto"
          maxLength={maxLengthOf({ type: name })}
          autoComplete={name === 'signature' ? 'name' : 'off'}
          spellcheck={false}
        />
        <HandChoice name={name} base={base} mark={mark} texts={texts} />
      </div>
    </div>
  )
}

/** Without a script the pictures show what is offered. The script draws its own. */
function HandChoice({ name, base, mark, texts: { form } }: Pick<SigningMarksProps, 'name' | 'base' | 'mark' | 'texts'>) {
  return (
    <fieldset class="hands">
      <legend>{form.handwriting}</legend>
      {HANDS.map(hand => (
        <label key={hand} hidden={!mark.hands.includes(hand)} data-name={form.hand(hand)}>
          <input type="radio" name={markMembers(name).hand} value={hand} checked={hand === mark.hand} />
          <noscript>
            <img
              src={`${base}/hand?for=${name}&hand=${hand}`}
              alt={form.hand(hand)}
              width={HAND_AREA.width}
              height={HAND_AREA.height}
              loading="lazy"
            />
          </noscript>
          <span />
        </label>
      ))}
    </fieldset>
  )
}

// Alternatives to signing: decline with a reason, hand over to a colleague, read it elsewhere.

type SharedFormProps = Pick<SigningProps, 'base' | 'texts'> & { errors: ValidationErrors }

interface AlternativeProps {
  id: string
  heading: string
  meaning: string
  action: string
  button: { class: string; text: string }
  /** Open when the form was sent with errors. */
  isOpen: boolean
  children: ComponentChildren
}

function Alternative({ id, heading, meaning, action, button, isOpen, children }: AlternativeProps) {
  return (
    <details id={id} class="refusal" {...(isOpen ? { open: true } : {})}>
      <summary>{heading}</summary>
      <form method="post" action={action} class="sheet">
        <Csrf />
        <p>{meaning}</p>
        {children}
        <p>
          <button type="submit" class={`button ${button.class}`}>
            {button.text}
          </button>
        </p>
      </form>
    </details>
  )
}

/** In the header, where they are found on a phone too. Works without a script. */
function AlternativesMenu({ base, texts: { form }, role, pageCount, mayDelegate }: MenuProps) {
  return (
    <details id="more">
      <summary>{form.more}</summary>
      <div>
        <a href={`${base}/file`}>{form.download(pageCount)}</a>
        {mayDelegate && <a href="#delegate">{form.delegate}</a>}
        <a href="#decline">{form.declineHeading[role]}</a>
      </div>
    </details>
  )
}

type MenuProps = Pick<SigningProps, 'base' | 'texts' | 'role' | 'pageCount' | 'mayDelegate'>

type DeclineProps = SharedFormProps & Pick<SigningProps, 'role'> & { reason: string }

function DeclineForm({ base, texts: { form, required }, role, reason, errors }: DeclineProps) {
  return (
    <Alternative
      id="decline"
      heading={form.declineHeading[role]}
      meaning={form.declineMeaning}
      action={`${base}/decline`}
      button={{ class: 'danger', text: form.decline }}
      isOpen={errors.length > 0}
    >
      <Input
        name="reason"
        label={form.reason}
        note={required}
        hint={form.reasonHint}
        value={reason}
        rows={3}
        errors={errors}
        maxLength={MAX_REASON}
        dir="auto"
      />
    </Alternative>
  )
}

function DelegationForm({ base, texts: { form, required }, delegate, errors }: SharedFormProps & Pick<SigningProps, 'delegate'>) {
  return (
    <Alternative
      id="delegate"
      heading={form.delegate}
      meaning={form.delegationMeaning}
      action={`${base}/delegate`}
      button={{ class: 'plain', text: form.delegateNow }}
      isOpen={errors.length > 0}
    >
      <Input
        name="name"
        label={form.colleague}
        note={required}
        value={delegate.name}
        errors={errors}
        maxLength={maxLengthOf({ type: 'signature' })}
        dir="auto"
        autoComplete="off"
        autoCapitalize="words"
      />
      <Input
        name="email"
        label={form.colleagueEmail}
        note={required}
        value={delegate.email}
        errors={errors}
        type="email"
        inputMode="email"
        autoComplete="off"
      />
    </Alternative>
  )
}
