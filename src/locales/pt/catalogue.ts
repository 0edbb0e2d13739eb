/** All texts in Portuguese. */
import type { Catalogue } from '../catalogue.ts'
import { consent } from './consent.ts'
import { evidence } from './evidence.ts'
import { mail } from './mail.ts'
import { messages } from './messages.ts'
import { signer } from './signer.ts'
import { verify } from './verify.ts'

export const pt: Catalogue = { messages, signer, mail, consent, evidence, verify }
