/** The consent to sign electronically and the sentence of intent, in German. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `Ich bin damit einverstanden, dieses Dokument elektronisch statt auf Papier zu erhalten, zu unterschreiben und aufzubewahren. ${
      environment === undefined
        ? 'Meine elektronische Unterschrift soll mich ebenso binden wie eine handschriftliche.'
        : `Dies ist ein Test in der Umgebung „${environment}“: Meine elektronische Unterschrift soll mich nicht binden.`
    }`,
    `Ich kann ${ask} um eine Kopie auf Papier bitten oder darum, stattdessen auf Papier zu unterschreiben; beides ist kostenlos. Bis ich abschließe, kann ich diese Einwilligung widerrufen, indem ich das Dokument ablehne. Sie gilt nur für dieses Dokument.`,
    'Um das Dokument zu lesen und aufzubewahren, brauche ich eine E-Mail-Adresse, einen Webbrowser und ein Programm, das PDF-Dateien anzeigt. Eine Kopie des gesiegelten Dokuments steht mir zur Verfügung, sobald alle fertig sind.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `Ich bin damit einverstanden, dieses Dokument elektronisch statt auf Papier zu erhalten, zu genehmigen und aufzubewahren. Ich leiste keine Unterschrift. ${
      environment === undefined
        ? 'Meine mit meinem Namen erteilte Genehmigung soll mich binden.'
        : `Dies ist ein Test in der Umgebung „${environment}“: Meine Genehmigung soll mich nicht binden.`
    }`,
    `Ich kann ${ask} um eine Kopie auf Papier bitten oder darum, stattdessen auf Papier zu genehmigen; beides ist kostenlos. Bis ich abschließe, kann ich diese Einwilligung widerrufen, indem ich das Dokument ablehne. Sie gilt nur für dieses Dokument.`,
    'Um das Dokument zu lesen und aufzubewahren, brauche ich eine E-Mail-Adresse, einen Webbrowser und ein Programm, das PDF-Dateien anzeigt. Eine Kopie des gesiegelten Dokuments steht mir zur Verfügung, sobald alle fertig sind.',
  ],
  intent: {
    signer: 'Indem ich auf die Schaltfläche drücke, unterschreibe ich dieses Dokument.',
    approver: 'Indem ich auf die Schaltfläche drücke, genehmige ich dieses Dokument.',
    viewer: 'Indem ich auf die Schaltfläche drücke, bestätige ich, dass ich dieses Dokument gelesen habe.',
  },
}
