/** All texts in English. */
import { ENGLISH } from '../../core/signing/message.ts'
import type { Catalogue } from '../catalogue.ts'
import { consent } from './consent.ts'
import { evidence } from './evidence.ts'
import { mail } from './mail.ts'
import { signer } from './signer.ts'
import { verify } from './verify.ts'

export const en: Catalogue = { messages: ENGLISH, signer, mail, consent, evidence, verify }
