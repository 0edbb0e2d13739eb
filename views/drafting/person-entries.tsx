/** What is entered about a person, by the same controls wherever people are named. */
import type { ComponentChildren, ComponentProps } from 'preact'
import type { RecipientRow } from '../../src/core/draft/recipient-rows.ts'
import { DELIVERIES } from '../../src/core/signing/routing.ts'
import { VERIFICATIONS } from '../../src/core/signing/verification.ts'
import type { SendingTexts } from '../../src/locales/en/app/sending.ts'
import { AddressQuestion } from '../parts/address-question.tsx'
import { FieldError, useAria, type ValidationErrors } from '../parts/form.tsx'
import { DeviceKeyChoice } from './device-key-choice.tsx'

interface Props {
  /** Of the person in the form, such as `recipients[0]`. */
  path: string
  row: RecipientRow
  t: SendingTexts['people']
}

export interface Contact {
  name: string
  email: string
  locale?: string | undefined
}

const CONTACTS = 'contacts'

/** People known by their address, whom the browser offers while a person types. */
export function ContactList({ contacts }: { contacts: readonly Contact[] }) {
  return (
    <datalist id={CONTACTS} data-live-keep>
      {contacts.map(({ name, email, locale }) => (
        <option key={email} value={`${name} <${email}>`} data-email={email} data-name={name} data-locale={locale} />
      ))}
    </datalist>
  )
}

/** `isRole`: the name is that of a role, which no contact has. */
export function NameEntry({ path, row, t, isRole, focus }: Props & { isRole?: boolean; focus?: boolean }) {
  const id = `${path}.name`
  return (
    <div>
      <label for={id}>{t.name}</label>
      <FieldError name={id} label={t.name} />
      <input
        id={id}
        name={id}
        value={row.name}
        maxLength={2000}
        autoComplete="off"
        dir="auto"
        {...(isRole ? {} : ({ list: CONTACTS } as object))}
        {...(focus ? { autofocus: true } : {})}
        {...useAria(id)}
      />
    </div>
  )
}

export function EmailEntry({ path, row, t }: Props) {
  const id = `${path}.email`
  return (
    <div>
      <label for={id}>{t.email}</label>
      <FieldError name={id} label={t.email} />
      <input
        id={id}
        name={id}
        value={row.email}
        list={CONTACTS}
        maxLength={5000}
        autoComplete="off"
        inputMode="email"
        autoCapitalize="none"
        spellcheck={false}
        {...useAria(id)}
      />
      <AddressQuestion value={row.email} />
    </div>
  )
}

export interface Languages {
  languages: readonly { value: string; text: string }[]
  /** The language of the document, in its own words. */
  languageDefault: string
}

export function LanguageEntry({ path, row, t, languages, languageDefault }: Props & Languages) {
  const id = `${path}.locale`
  return (
    <div>
      <label for={id}>{t.language}</label>
      <select id={id} name={id}>
        <option value="">{t.languageDefault(languageDefault)}</option>
        {languages.map(({ value, text }) => (
          <option key={value} value={value} lang={value} selected={value === row.locale}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

export function CodeEntry({ path, row, t, hasCode }: Props & { hasCode: boolean }) {
  const id = `${path}.accessCode`
  return (
    <div>
      <label for={id}>{t.code}</label>
      <div class="hint" id={`${id}-hint`}>
        {hasCode ? t.codeSet : t.codeHint}
      </div>
      <FieldError name={id} label={t.code} />
      <input id={id} name={id} value={row.accessCode} maxLength={100} autoComplete="off" {...useAria(id, t.codeHint)} />
      {hasCode && (
        <label class="tick">
          <input type="checkbox" name={`${path}.removesCode`} checked={row.removesCode} />
          <span>{t.codeRemove}</span>
        </label>
      )}
    </div>
  )
}

/** A one-time code, which roles can ask for too. */
export function VerifyEntry({ path, row, t }: Props) {
  const id = `${path}.verify`
  return (
    <div>
      <label for={id}>{t.verify}</label>
      <div class="hint" id={`${id}-hint`}>
        {t.verifyHint}
      </div>
      <FieldError name={id} label={t.verify} />
      <select id={id} name={id} {...useAria(id, t.verifyHint)}>
        {['', ...VERIFICATIONS].map(value => (
          <option key={value} value={value} selected={value === row.verify}>
            {t.verifications[value]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** How the person gets the link. */
export function DeliveryEntry({ path, row, t }: Props) {
  const id = `${path}.deliverBy`
  return (
    <div>
      <label for={id}>{t.delivery}</label>
      <div class="hint" id={`${id}-hint`}>
        {t.deliveryHint}
      </div>
      <FieldError name={id} label={t.delivery} />
      <select id={id} name={id} {...useAria(id, t.deliveryHint)}>
        {DELIVERIES.map(value => (
          <option key={value} value={value} selected={value === row.deliverBy}>
            {t.deliveries[value]}
          </option>
        ))}
      </select>
    </div>
  )
}

type DeviceKeyEntryProps = Pick<Props, 'path' | 'row'> & Pick<ComponentProps<typeof DeviceKeyChoice>, 'texts' | 'inherited'>

/** Whether the person's own device signs too. */
export function DeviceKeyEntry({ path, row, texts, inherited }: DeviceKeyEntryProps) {
  return <DeviceKeyChoice id={`${path}.deviceKey`} value={row.deviceKey} texts={texts} inherited={inherited} />
}

/** What is rarely needed. */
export function MoreEntries({ t, isOpen, children }: Pick<Props, 't'> & { isOpen: boolean; children: ComponentChildren }) {
  return (
    <details class="person-more" open={isOpen}>
      <summary>{t.more}</summary>
      <div class="person-options">{children}</div>
    </details>
  )
}

/** Whether a row has something of `MoreEntries`, or an error in it. */
export function hasMore(
  { locale, accessCode, verify, deliverBy, deviceKey }: RecipientRow,
  hasCode: boolean,
  path: string,
  errors: ValidationErrors,
): boolean {
  const isWrong = errors.some(e => e.path.startsWith(path) && /Code|role|locale|verify|deliver|deviceKey/.test(e.path))
  return locale !== '' || accessCode !== '' || verify !== '' || deliverBy === 'link' || deviceKey !== '' || hasCode || isWrong
}
