/** All texts in German. */
import type { Catalogue } from '../catalogue.ts'
import { consent } from './consent.ts'
import { evidence } from './evidence.ts'
import { mail } from './mail.ts'
import { messages } from './messages.ts'
import { signer } from './signer.ts'
import { verify } from './verify.ts'

export const de: Catalogue = { messages, signer, mail, consent, evidence, verify }
