/** The organisation's face on pages for recipients, in place of ours, and its addresses. */
import type { Brand } from '../../../views/layout.tsx'
import { hasFace, type Organisation } from '../../settings/organisation.ts'

/** Both are shown to signers, so they are public. */
const LOGO_PATH = '/logo'
const BRAND_CSS_PATH = '/brand.css'

/** The address of the organisation's logo, which changes with it. */
export function logoAddress({ logoSha256 }: Pick<Organisation, 'logoSha256'>): string | undefined {
  return logoSha256 && `${LOGO_PATH}?${logoSha256.slice(0, 16)}`
}

/** As `logoAddress`, of the style sheet with its colour. */
export function brandCssAddress({ colour }: Pick<Organisation, 'colour'>): string | undefined {
  return colour && `${BRAND_CSS_PATH}?${colour.slice(1)}`
}

/** Undefined until the organisation has a face. */
export function brandOf(organisation: Organisation): Brand | undefined {
  if (!hasFace(organisation)) return undefined
  const { name, colour } = organisation
  return { name, colour, logo: logoAddress(organisation), css: brandCssAddress(organisation) }
}
