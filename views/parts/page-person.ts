/** Gives the parts of a form what the signed-in person can do. */
import { createContext } from 'preact'

/** Undefined where nobody is signed in. */
export const PagePerson = createContext<{ hasPasskey: boolean } | undefined>(undefined)
