/** The JSON that the signing page passes to its script. Types only. */
import type { Field, FieldFile, MediaType } from '../../../src/core/field/field.ts'
import type { PageArea } from '../../../src/core/field/geometry.ts'
import type { ConditionalField } from '../../../src/core/field/visibility.ts'
import type { Role } from '../../../src/core/signing/routing.ts'
import type { ScriptTexts, SignerTexts } from '../../../src/locales/catalogue.ts'

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
  texts: ScriptTexts
  viewTexts: SignerTexts['view']
}
