/**
 * What the signing page hands its script, as JSON in the page. Types only: written by the page,
 * read by the script.
 */
import type { Role } from '../../src/core/routing.ts'
import type { ScriptTexts, SignerTexts } from '../../src/locales/catalogue.ts'

/** The element that holds it. */
export const DATA_ID = 'signing-data'

/** A field that this person fills, in percent of the page as displayed. */
export interface FieldData {
  id: string
  type: string
  /** 1 is the first page. */
  page: number
  x: number
  y: number
  width: number
  height: number
  label: string
  required: boolean
}

export interface SigningData {
  /** `/sign/rcp_…` */
  base: string
  csrf: string
  lang: string
  role: Role
  pdfjsUrl: string
  /** In reading order; without those nobody fills in: read-only ones and dates. */
  fields: FieldData[]
  intent: string
  texts: ScriptTexts
  viewTexts: SignerTexts['view']
}
