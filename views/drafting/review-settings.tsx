/** Message and settings on the review page. All but the message are folded. */
import type { ComponentChildren } from 'preact'
import { MAX_MESSAGE } from '../../src/core/document/document-limits.ts'
import type { PageContext } from '../layout.tsx'
import { ariaOf, FieldError, useAria, useErrors } from '../parts/form.tsx'
import { DeviceKeyChoice } from './device-key-choice.tsx'

export interface SettingsValues {
  message: string
  expiry: 'days' | 'date'
  expiresInDays: string
  expiresOn: string
  reminds: boolean
  firstAfterDays: string
  everyDays: string
  maxReminders: string
  locale: string
  allowDelegation: boolean
  /** One of DEVICE_KEY_RULES; empty: as the organisation says. */
  deviceKey: string
}

interface Props {
  context: PageContext
  values: SettingsValues
  languages: readonly { value: string; text: string }[]
  languageDefault: string
  /** A template has no day on which it ends. */
  isTemplate?: boolean
}

export function ReviewSettings({ context, values, languages, languageDefault, isTemplate = false }: Props) {
  const t = context.texts.sending.review
  const errors = useErrors()
  const isOpen = errors.some(({ path }) => path !== 'confirm' && path !== 'title' && path !== 'message')
  return (
    <section aria-label={t.settings}>
      {!isTemplate && <h2>{t.settings}</h2>}
      <label for="message">
        {t.message} <span class="quiet">({context.texts.frame.optional})</span>
      </label>
      <div class="hint" id="message-hint">
        {t.messageHint}
      </div>
      <FieldError name="message" label={t.message} />
      <textarea
        id="message"
        name="message"
        rows={4}
        maxLength={MAX_MESSAGE}
        value={values.message}
        {...{ dir: 'auto' }}
        {...ariaOf('message', errors, t.messageHint)}
      />
      <More title={isTemplate ? undefined : t.more} isOpen={isOpen}>
        {isTemplate ? <Days values={values} t={t} /> : <Expiry values={values} t={t} />}
        <Reminders values={values} t={t} />
        <label for="locale">{t.language}</label>
        <div class="hint" id="locale-hint">
          {t.languageHint}
        </div>
        <select id="locale" name="locale" aria-describedby="locale-hint">
          <option value="">{t.languageDefault(languageDefault)}</option>
          {languages.map(({ value, text }) => (
            <option key={value} value={value} lang={value} selected={value === values.locale}>
              {text}
            </option>
          ))}
        </select>
        <label class="tick">
          <input type="checkbox" name="allowDelegation" checked={values.allowDelegation} />
          <span>{t.delegation}</span>
        </label>
        <DeviceKeyChoice
          id="deviceKey"
          value={values.deviceKey}
          texts={context.texts.deviceKeys}
          inherited={context.texts.deviceKeys.asOrganisation}
        />
      </More>
    </section>
  )
}

/** Folded, unless the page has nothing else. */
function More({ title, isOpen, children }: { title: string | undefined; isOpen: boolean; children: ComponentChildren }) {
  if (title === undefined) return <>{children}</>
  return (
    <details class="review-more" open={isOpen} id="expiresAt">
      <summary>{title}</summary>
      {children}
    </details>
  )
}

type PartProps = Pick<Props, 'values'> & { t: PageContext['texts']['sending']['review'] }

function NumberInput({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <div class="review-number">
      <label for={name}>{label}</label>
      <FieldError name={name} label={label} />
      <input id={name} name={name} value={value} inputMode="numeric" maxLength={4} autoComplete="off" {...useAria(name)} />
    </div>
  )
}

/** After sending. */
function Days({ values, t }: PartProps) {
  return (
    <fieldset class="review-expiry">
      <legend>{t.expiry}</legend>
      <NumberInput name="expiresInDays" label={t.expiryDays} value={values.expiresInDays} />
    </fieldset>
  )
}

function Expiry({ values, t }: PartProps) {
  const choice = (value: 'days' | 'date', text: string) => (
    <label class="tick">
      <input type="radio" name="expiry" value={value} checked={values.expiry === value} />
      <span>{text}</span>
    </label>
  )
  return (
    <fieldset class="review-expiry">
      <legend>{t.expiry}</legend>
      {choice('days', t.expiryDays)}
      <div class="for-days">
        <NumberInput name="expiresInDays" label={t.days} value={values.expiresInDays} />
      </div>
      {choice('date', t.expiryDate)}
      <div class="for-date review-number">
        <label for="expiresOn">{t.date}</label>
        <FieldError name="expiresOn" label={t.date} />
        <input type="date" id="expiresOn" name="expiresOn" value={values.expiresOn} {...useAria('expiresOn')} />
      </div>
    </fieldset>
  )
}

function Reminders({ values, t }: PartProps) {
  return (
    <fieldset class="review-reminders">
      <legend>{t.reminders}</legend>
      <label class="tick">
        <input type="checkbox" name="reminds" checked={values.reminds} />
        <span>{t.remind}</span>
      </label>
      <div class="review-numbers">
        <NumberInput name="firstAfterDays" label={t.firstAfter} value={values.firstAfterDays} />
        <NumberInput name="everyDays" label={t.every} value={values.everyDays} />
        <NumberInput name="maxReminders" label={t.max} value={values.maxReminders} />
      </div>
    </fieldset>
  )
}
