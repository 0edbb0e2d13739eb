/** Gives the parts of a form the texts of their page; the signer's pages have their own. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type AppTexts, appTextsOf } from '../../src/locales/app.ts'

/** `undefined` on the signer's pages, whose messages are translated before. */
export const PageTexts = createContext<AppTexts | undefined>(undefined)

export function usePageTexts(): AppTexts {
  return useContext(PageTexts) ?? appTextsOf('en')
}
