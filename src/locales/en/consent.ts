/** The consent to sign electronically and the sentence of intent, in English. */
import type { Role } from '../../core/signing/routing.ts'

export const consent = {
  /**
   * `ask` names whom to ask: the organisation, with its contact. `environment` is undefined in
   * production.
   */
  signing: (ask: string, environment: string | undefined): string[] => [
    `I agree to receive, sign and keep this document electronically instead of on paper. ${
      environment === undefined
        ? 'My electronic signature is meant to bind me like a handwritten one.'
        : `This is a test in the environment “${environment}”: my electronic signature is not meant to bind me.`
    }`,
    `I may ask ${ask} for a paper copy, or to sign on paper instead, free of charge. Until I finish, I may withdraw this consent by declining the document. It applies to this document only.`,
    'To read and keep the document I need an e-mail address, a web browser and a program that shows PDF files. A copy of the sealed document is available to me when everyone has finished.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask: string, environment: string | undefined): string[] => [
    `I agree to receive, approve and keep this document electronically instead of on paper. I place no signature. ${
      environment === undefined
        ? 'My approval, given with my name, is meant to bind me.'
        : `This is a test in the environment “${environment}”: my approval is not meant to bind me.`
    }`,
    `I may ask ${ask} for a paper copy, or to approve on paper instead, free of charge. Until I finish, I may withdraw this consent by declining the document. It applies to this document only.`,
    'To read and keep the document I need an e-mail address, a web browser and a program that shows PDF files. A copy of the sealed document is available to me when everyone has finished.',
  ],
  intent: {
    signer: 'By pressing the button I sign this document.',
    approver: 'By pressing the button I approve this document.',
    viewer: 'By pressing the button I confirm that I have read this document.',
  } satisfies Record<Role, string> as Record<Role, string>,
}

export type ConsentTexts = typeof consent
