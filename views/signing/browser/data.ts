/**
 * What the signing page passes to its script, the contract of the view of the document, and how
 * texts are filled in.
 */
import type { Field, FieldFile, filledBy, MediaType } from '../../../src/core/field/field.ts'
import type { PageArea } from '../../../src/core/field/geometry.ts'
import type { ConditionalField } from '../../../src/core/field/visibility.ts'
import type { Role } from '../../../src/core/signing/routing.ts'
import type { ScriptTexts, SignerTexts } from '../../../src/locales/catalogue.ts'
import type { PluralForms } from '../../../src/locales/en/signer.ts'

// The JSON that the page passes.

export const DATA_ID = 'signing-data'

/** A box on a page that opens an entry, in percent of the page as displayed. */
export interface BoxData extends PageArea {
  label: string
  /** Of a radio field: the value that the box chooses. */
  option?: string
}

/** A field to fill in. */
export interface FieldData extends ConditionalField, Pick<Field, 'required' | 'min' | 'max'> {
  label: string
  filledBy: ReturnType<typeof filledBy>
  boxes: BoxData[]
  /** Characters. */
  maxLength: number
  /** Of a file. */
  accept: readonly MediaType[]
  maxBytes: number
  file: FieldFile | undefined
}

/** A field of the recipient whose value does not change on this page. */
export interface FixedData extends ConditionalField {
  value: string | undefined
  pages: number[]
}

/** Of the page on which the signer's device signs. */
export const DEVICE_KEY_DATA_ID = 'device-key-data'

export interface SigningData {
  /** `/sign/rcp_…` */
  base: string
  csrf: string
  lang: string
  role: Role
  pdfjsUrl: string
  /** The script of entries for files. */
  filesUrl: string
  /** The script of entries for numbers. */
  numbersUrl: string
  /** Of the text of the document. */
  direction: 'ltr' | 'rtl'
  /** In reading order, without read-only fields and dates. */
  fields: FieldData[]
  /** Read-only fields and dates. */
  fixed: FixedData[]
  intent: string
  /** Those of earlier visits. */
  pagesShown: number[]
  texts: ScriptTexts
  viewTexts: SignerTexts['view']
}

// The view of the document, as the signing page uses it.

/** Percent of the page as displayed. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export interface DocumentView {
  /** Resolves when all pages have their size. */
  ready: Promise<void>
  pageCount: number
  /** The markers of a page; positions are percent of the page as displayed. */
  layer(page: number): HTMLElement
  /** Scrolls the place into the middle of the free area, enlarged where that is asked for. */
  show(page: number, place?: Place): void
  /** Nothing is shown any more: a page that was enlarged for it is as wide as the container. */
  release(): void
  /** The marks of this page changed on the server. */
  refreshMarks(page: number): Promise<void>
}

export type OpenDocumentView = (options: {
  /** The scroll container. */
  container: HTMLElement
  fileUrl: string
  /** JSON with the width and height of each page as displayed, pt. */
  pagesUrl: string
  marksUrl: (page: number) => string
  pdfjsUrl: string
  texts: SigningData['viewTexts']
  /** CSS px covered at the bottom of the container. */
  insetBottom?: () => number
  /** What covers it there: when its size changes, the place that was shown stays in sight. */
  coveredBy?: HTMLElement
  /** A page is drawn, and half of it or of the view is in sight. Also again. */
  onSight?: (page: number) => void
  /** Whether `show` enlarges a place that is too small to read. */
  enlarges?: () => boolean
}) => DocumentView

// Fills in the texts that the page passes to its script, with numbers and lists.

/** Replaces `{name}` by the value of that name. */
export function format(text: string, about: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(about[name] ?? whole))
}

/** The plural form for `n`. */
export function formatCount(forms: PluralForms, n: number, lang: string): string {
  return format(forms[new Intl.PluralRules(lang).select(n)] ?? forms.other, { n: new Intl.NumberFormat(lang).format(n) })
}

/** With digits as they are typed, whatever the language. */
export function numberText(n: number, lang: string): string {
  return new Intl.NumberFormat(`${lang}-u-nu-latn`, { maximumFractionDigits: 10 }).format(n)
}

const TYPE_NAMES: Record<MediaType, string> = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' }

/** "PDF, PNG or JPEG". */
export function typesText(types: readonly MediaType[], lang: string): string {
  return new Intl.ListFormat(lang, { type: 'disjunction' }).format(types.map(type => TYPE_NAMES[type]))
}
