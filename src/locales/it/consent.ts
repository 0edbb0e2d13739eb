/** The consent to sign electronically and the sentence of intent, in Italian. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  paragraphs: (ask, environment) => [
    `Accetto di ricevere, firmare e conservare questo documento in forma elettronica anziché su carta. ${
      environment === undefined
        ? 'Con la mia firma elettronica intendo vincolarmi come con una firma autografa.'
        : `Questa è una prova nell’ambiente «${environment}»: con la mia firma elettronica non intendo vincolarmi.`
    }`,
    `Posso chiedere a ${ask}, gratuitamente, una copia cartacea o la possibilità di firmare su carta. Finché non ho concluso, posso revocare questo consenso rifiutando il documento. Questo consenso vale solo per questo documento.`,
    'Per leggere e conservare il documento mi servono un indirizzo e-mail, un browser web e un programma che mostri i file PDF. Quando tutti avranno concluso, avrò a disposizione una copia del documento sigillato.',
  ],
  intent: {
    signer: 'Premendo il pulsante firmo questo documento.',
    approver: 'Premendo il pulsante approvo questo documento.',
    viewer: 'Premendo il pulsante confermo di aver letto questo documento.',
  },
}
