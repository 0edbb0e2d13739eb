/** Offers the time zone of the browser under a list of zones. By script alone. */
import type { AppTexts } from '../../src/locales/app.ts'

interface Props {
  /** Id of the list. */
  list: string
  /** Nobody has chosen a zone yet: the list begins with that of the browser. */
  isPreset?: boolean
  texts: AppTexts['frame']
}

export function BrowserZone({ list, isPreset = false, texts }: Props) {
  return (
    <p
      class="small"
      hidden
      data-browser-zone={list}
      data-offer={texts.browserZone}
      {...(isPreset ? { 'data-preset': '' } : {})}
    />
  )
}
