/** The settings of the review page: as shown, as typed, and the edit of the draft they mean. */
import type { SettingsValues } from '../../../../views/drafting/review-settings.tsx'
import { DEFAULT_REMINDERS } from '../../../core/document/create-document.ts'
import { type Document, daysAfter } from '../../../core/document/document.ts'
import { MAX_EXPIRY_DAYS, MAX_REMINDER_DAYS, MAX_REMINDERS } from '../../../core/document/document-limits.ts'
import type { DraftEdit } from '../../../core/draft/edit-draft.ts'
import { LANGUAGES } from '../../../core/language.ts'
import { deviceKeyRuleIn } from '../../../core/signing/device-key.ts'
import { cleanText } from '../../../core/text.ts'
import { endOfDay, isoDay } from '../../../lib/clock-format.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { SendingTexts } from '../../../locales/en/app/sending.ts'

export interface SettingsDeps {
  timeZone: string
  now: Date
  t: SendingTexts['review']
}

export function settingsOf(document: Document, { timeZone, now }: Pick<SettingsDeps, 'timeZone' | 'now'>): SettingsValues {
  const { firstAfterDays, everyDays, max } = document.reminders ?? DEFAULT_REMINDERS
  return {
    message: document.message ?? '',
    expiry: document.expiresAt ? 'date' : 'days',
    expiresInDays: String(document.expiresInDays),
    expiresOn: isoDay(document.expiresAt ?? daysAfter(now, document.expiresInDays), timeZone),
    reminds: document.reminders !== undefined,
    firstAfterDays: String(firstAfterDays),
    everyDays: String(everyDays),
    maxReminders: String(max),
    locale: document.locale ?? '',
    allowDelegation: document.allowDelegation,
    deviceKey: document.deviceKey ?? '',
  }
}

export function typedSettings(form: Record<string, string>): SettingsValues {
  const text = (name: string) => form[name] ?? ''
  return {
    message: text('message').replace(/\r\n?/g, '\n'),
    expiry: form.expiry === 'date' ? 'date' : 'days',
    expiresInDays: text('expiresInDays'),
    expiresOn: text('expiresOn'),
    reminds: form.reminds === 'on',
    firstAfterDays: text('firstAfterDays'),
    everyDays: text('everyDays'),
    maxReminders: text('maxReminders'),
    locale: LANGUAGES.find(language => language === form.locale) ?? '',
    allowDelegation: form.allowDelegation === 'on',
    deviceKey: deviceKeyRuleIn(form.deviceKey) ?? '',
  }
}

/** Only what differs from what was shown. */
export function settingsEdit(
  typed: SettingsValues,
  shown: SettingsValues,
  deps: SettingsDeps,
): { edit: DraftEdit; errors: ShownError[] } {
  const errors: ShownError[] = []
  const edit: DraftEdit = {
    ...(typed.message === shown.message ? {} : { message: cleanText(typed.message) || null }),
    ...(typed.locale === shown.locale ? {} : { locale: typed.locale || null }),
    ...(typed.allowDelegation === shown.allowDelegation ? {} : { allowDelegation: typed.allowDelegation }),
    ...(typed.deviceKey === shown.deviceKey ? {} : { deviceKey: deviceKeyRuleIn(typed.deviceKey) ?? null }),
    ...expiryEdit(typed, shown, deps, errors),
    ...remindersEdit(typed, shown, deps, errors),
  }
  return { edit, errors }
}

function whole(text: string, max: number): number | undefined {
  const number = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= max ? number : undefined
}

function expiryEdit(typed: SettingsValues, shown: SettingsValues, deps: SettingsDeps, errors: ShownError[]): DraftEdit {
  const { timeZone, now, t } = deps
  const isChanged = (...members: (keyof SettingsValues)[]) => members.some(member => typed[member] !== shown[member])
  if (typed.expiry === 'days') {
    if (!isChanged('expiry', 'expiresInDays')) return {}
    const days = whole(typed.expiresInDays, MAX_EXPIRY_DAYS)
    if (days === undefined) errors.push({ path: 'expiresInDays', message: t.daysWrong })
    return days === undefined ? {} : { expiresAt: null, expiresInDays: days }
  }
  if (!isChanged('expiry', 'expiresOn')) return {}
  const end = endOfDay(typed.expiresOn.trim(), timeZone)
  if (end && end > now && end <= daysAfter(now, MAX_EXPIRY_DAYS)) return { expiresAt: end.toISOString() }
  errors.push({ path: 'expiresOn', message: t.dateWrong })
  return {}
}

function remindersEdit(typed: SettingsValues, shown: SettingsValues, { t }: SettingsDeps, errors: ShownError[]): DraftEdit {
  const numbers = ['firstAfterDays', 'everyDays', 'maxReminders'] as const
  if (!typed.reminds) return shown.reminds ? { reminders: null } : {}
  if (shown.reminds && numbers.every(member => typed[member] === shown[member])) return {}
  const [firstAfterDays, everyDays, max] = numbers.map(member =>
    whole(typed[member], member === 'maxReminders' ? MAX_REMINDERS : MAX_REMINDER_DAYS),
  )
  if (firstAfterDays !== undefined && everyDays !== undefined && max !== undefined)
    return { reminders: { firstAfterDays, everyDays, max } }
  const wrong = numbers.find((_, i) => [firstAfterDays, everyDays, max][i] === undefined) ?? 'firstAfterDays'
  errors.push({ path: wrong, message: t.remindersWrong })
  return {}
}
