/** The consent to sign electronically and the sentence of intent, in Italian. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `Accetto di ricevere, firmare e conservare questo documento in forma elettronica anziché su carta. ${
      environment === undefined
        ? 'Con la mia firma elettronica intendo vincolarmi come con una firma autografa.'
        : `Questa è una prova nell’ambiente «${environment}»: con la mia firma elettronica non intendo vincolarmi.`
    }`,
    `Posso chiedere a ${ask}, gratuitamente, una copia cartacea o la possibilità di firmare su carta. Finché non ho concluso, posso revocare questo consenso rifiutando il documento. Questo consenso vale solo per questo documento.`,
    'Per leggere e conservare il documento mi servono un indirizzo e-mail, un browser web e un programma che mostri i file PDF. Quando tutti avranno concluso, avrò a disposizione una copia del documento sigillato.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `Accetto di ricevere, approvare e conservare questo documento in forma elettronica anziché su carta. Non appongo alcuna firma. ${
      environment === undefined
        ? 'Con la mia approvazione, data con il mio nome, intendo vincolarmi.'
        : `Questa è una prova nell’ambiente «${environment}»: con la mia approvazione non intendo vincolarmi.`
    }`,
    `Posso chiedere a ${ask}, gratuitamente, una copia cartacea o la possibilità di approvare su carta. Finché non ho concluso, posso revocare questo consenso rifiutando il documento. Questo consenso vale solo per questo documento.`,
    'Per leggere e conservare il documento mi servono un indirizzo e-mail, un browser web e un programma che mostri i file PDF. Quando tutti avranno concluso, avrò a disposizione una copia del documento sigillato.',
  ],
  intent: {
    signer: 'Premendo il pulsante firmo questo documento.',
    approver: 'Premendo il pulsante approvo questo documento.',
    viewer: 'Premendo il pulsante confermo di aver letto questo documento.',
  },
}
