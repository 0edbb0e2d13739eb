/** What the parts of a page take from it: texts, the person and the form that was refused. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Clock } from '../../src/lib/relative-time.ts'
import { type AppTexts, appTextsOf, type ShownError } from '../../src/locales/app.ts'
import type { SignedInPerson } from '../layout.tsx'

/** The signed-in person. */
export interface PagePerson extends SignedInPerson {
  /** The page that asks who they are; empty where it answers a form. */
  path: string
  section: string
}

interface PageState {
  /** `undefined` on the signer's pages, whose messages are translated before. */
  texts: AppTexts | undefined
  clock: Clock
  /** The token of the page's forms. */
  csrf: string
  /** `undefined` where nobody is signed in. */
  person: PagePerson | undefined
  errors: readonly ShownError[]
  asksForPassword: boolean
}

export const PageState = createContext<PageState>({
  texts: undefined,
  clock: { now: new Date(0), timeZone: 'UTC', language: 'en' },
  csrf: '',
  person: undefined,
  errors: [],
  asksForPassword: false,
})

export const usePage = (): PageState => useContext(PageState)

/** The pages that the person's role may open. */
export const useOpens = (): PagePerson['opens'] => usePage().person?.opens ?? []

export const usePageTexts = (): AppTexts => usePage().texts ?? appTextsOf('en')

/** The present, and how the page says times. */
export const useClock = (): Clock => usePage().clock
