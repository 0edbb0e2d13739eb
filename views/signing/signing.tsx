/** The page on which a recipient reads, fills in and signs. It works without a script. */
import { acceptedTypes, type Field, type FieldType, isFile, isMark, maxBytesOf, maxLengthOf } from '../../src/core/field/field.ts'
import type { Role } from '../../src/core/signing/routing.ts'
import type { Hand, MarkKind } from '../../src/core/signing/signature-mark.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { ariaOf, Csrf, ErrorSummary, FieldError, type ValidationErrors } from '../parts/form.tsx'
import { PageLoading } from '../parts/page-loading.tsx'
import { type BoxData, DATA_ID, type FieldData, type FixedData, type SigningData } from './browser/data.ts'
import { format } from './browser/texts.ts'
import { AlternativesMenu, DeclineForm, DelegationForm } from './signing-alternatives.tsx'
import { asListed, FieldEntry, formEntries, GivenField, isGiven, type ListedEntry, labelOf } from './signing-fields.tsx'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'
import { MarkField } from './signing-marks.tsx'

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
  csrf: string
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
  sha256: string
  /** Of the file with this hash. */
  bytes: number
  mayDelegate: boolean
  /** `undefined` in production. */
  environment: string | undefined
  errors: ValidationErrors
  declineErrors: ValidationErrors
  delegationErrors: ValidationErrors
  delegate: { name: string; email: string }
  declineReason: string
  script: { src: string; filesUrl: string; numbersUrl: string; css: string; pdfjsUrl: string }
}

export function SigningPage(props: SigningProps) {
  const { context, texts, base, csrf, sender, contact, title, role, mayDelegate, environment, script } = props
  const { errors, declineErrors, delegationErrors } = props
  const all = [...asListed(errors, props), ...declineErrors, ...delegationErrors]
  const shared = { base, csrf, texts, role }
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
    ...{ id, type, name, showIf, required, min, max, file, label },
    boxes: boxesOf(field, texts, label),
    maxLength: maxLengthOf(field),
    accept: isFile(type) ? acceptedTypes(field) : [],
    maxBytes: maxBytesOf(field),
  }
}

function dataOf({ base, csrf, lang, role, script, direction, fields, fixed, intent, texts }: SigningProps): SigningData {
  const asked = fields.filter(field => !isGiven(field))
  return {
    base,
    csrf,
    lang,
    role,
    pdfjsUrl: script.pdfjsUrl,
    filesUrl: script.filesUrl,
    numbersUrl: script.numbersUrl,
    direction,
    fields: asked.map(field => fieldData(field, texts)),
    fixed,
    intent,
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
  const { base, csrf, consent, sha256, fields, texts, role } = props
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
      <Csrf token={csrf} />
      <input type="hidden" name="sha256" value={sha256} />
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
  const { base, fields, pageCount, texts, errors, lang } = props
  if ('field' in entry) return <FieldEntry field={entry.field} pageCount={pageCount} lang={lang} texts={texts} errors={errors} />
  const mark = props[entry.name]
  return mark && <MarkField {...{ base, mark, fields, lang, texts, errors }} name={entry.name} />
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
  const { consent, texts, errors, signature, initials } = props
  return (
    <div class="entry" data-entry="consent">
      <div class="consent small">
        {consent.paragraphs.map(p => (
          <p key={p}>{p}</p>
        ))}
      </div>
      {!signature && !initials && <Approval {...props} />}
      <FieldError name="consent" errors={errors} />
      <label class="tick" for="consent">
        <input
          id="consent"
          name="consent"
          type="checkbox"
          value={consent.version}
          required
          checked={consent.given}
          {...ariaOf('consent', errors)}
        />
        <span>{texts.form.consent}</span>
      </label>
    </div>
  )
}
