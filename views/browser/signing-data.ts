/** The JSON that the signing page passes to its script. Types only. */
import type { Field } from '../../src/core/field.ts'
import type { Role } from '../../src/core/routing.ts'
import type { ScriptTexts, SignerTexts } from '../../src/locales/catalogue.ts'

export const DATA_ID = 'signing-data'

/** A field to fill in, in percent of the page as displayed. */
export type FieldData = Pick<Field, 'id' | 'type' | 'page' | 'x' | 'y' | 'width' | 'height' | 'required'> & { label: string }

export interface SigningData {
  /** `/sign/rcp_…` */
  base: string
  csrf: string
  lang: string
  role: Role
  pdfjsUrl: string
  /** In reading order, without read-only fields and dates. */
  fields: FieldData[]
  intent: string
  texts: ScriptTexts
  viewTexts: SignerTexts['view']
}
