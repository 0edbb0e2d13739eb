/** Gives the parts of a form what the signed-in person can do. */
import { createContext } from 'preact'

/** How the person can prove who they are, and the page that asks; empty where it answers a form. */
interface Proofs {
  hasPassword: boolean
  hasPasskey: boolean
  /** Name of the identity provider. */
  provider: string | undefined
  path: string
  section: string
}

/** Undefined where nobody is signed in. */
export const PagePerson = createContext<Proofs | undefined>(undefined)
