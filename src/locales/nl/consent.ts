/** The consent to sign electronically and the sentence of intent, in Dutch. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `Ik ga ermee akkoord dit document elektronisch in plaats van op papier te ontvangen, te ondertekenen en te bewaren. ${
      environment === undefined
        ? 'Mijn elektronische handtekening is bedoeld om mij net zo te binden als een handgeschreven handtekening.'
        : `Dit is een test in de omgeving “${environment}”: mijn elektronische handtekening is niet bedoeld om mij te binden.`
    }`,
    `Ik kan ${ask} vragen om een kopie op papier of om in plaats daarvan op papier te ondertekenen; beide zijn kosteloos. Zolang ik niet heb afgerond, kan ik deze toestemming intrekken door het document te weigeren. De toestemming geldt alleen voor dit document.`,
    'Om het document te lezen en te bewaren heb ik een e-mailadres, een webbrowser en een programma nodig dat pdf-bestanden toont. Als iedereen klaar is, is er voor mij een kopie van het verzegelde document beschikbaar.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `Ik ga ermee akkoord dit document elektronisch in plaats van op papier te ontvangen, goed te keuren en te bewaren. Ik zet geen handtekening. ${
      environment === undefined
        ? 'Mijn goedkeuring, gegeven met mijn naam, is bedoeld om mij te binden.'
        : `Dit is een test in de omgeving “${environment}”: mijn goedkeuring is niet bedoeld om mij te binden.`
    }`,
    `Ik kan ${ask} vragen om een kopie op papier of om in plaats daarvan op papier goed te keuren; beide zijn kosteloos. Zolang ik niet heb afgerond, kan ik deze toestemming intrekken door het document te weigeren. De toestemming geldt alleen voor dit document.`,
    'Om het document te lezen en te bewaren heb ik een e-mailadres, een webbrowser en een programma nodig dat pdf-bestanden toont. Als iedereen klaar is, is er voor mij een kopie van het verzegelde document beschikbaar.',
  ],
  intent: {
    signer: 'Door op de knop te drukken onderteken ik dit document.',
    approver: 'Door op de knop te drukken keur ik dit document goed.',
    viewer: 'Door op de knop te drukken bevestig ik dat ik dit document heb gelezen.',
  },
}
