/** The consent to sign electronically and the sentence of intent, in French. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `J’accepte de recevoir, de signer et de conserver ce document sous forme électronique plutôt que sur papier. ${
      environment === undefined
        ? 'Ma signature électronique est destinée à m’engager comme une signature manuscrite.'
        : `Ceci est un essai dans l’environnement « ${environment} » : ma signature électronique n’est pas destinée à m’engager.`
    }`,
    `Je peux demander à ${ask}, sans frais, une copie papier ou la possibilité de signer plutôt sur papier. Tant que je n’ai pas terminé, je peux retirer ce consentement en refusant le document. Il ne vaut que pour ce document.`,
    'Pour lire et conserver le document, il me faut une adresse e-mail, un navigateur web et un logiciel qui affiche les fichiers PDF. Une copie du document scellé sera à ma disposition lorsque tout le monde aura terminé.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `J’accepte de recevoir, d’approuver et de conserver ce document sous forme électronique plutôt que sur papier. Je n’appose aucune signature. ${
      environment === undefined
        ? 'Mon approbation, donnée sous mon nom, est destinée à m’engager.'
        : `Ceci est un essai dans l’environnement « ${environment} » : mon approbation n’est pas destinée à m’engager.`
    }`,
    `Je peux demander à ${ask}, sans frais, une copie papier ou la possibilité d’approuver plutôt sur papier. Tant que je n’ai pas terminé, je peux retirer ce consentement en refusant le document. Il ne vaut que pour ce document.`,
    'Pour lire et conserver le document, il me faut une adresse e-mail, un navigateur web et un logiciel qui affiche les fichiers PDF. Une copie du document scellé sera à ma disposition lorsque tout le monde aura terminé.',
  ],
  intent: {
    signer: 'En appuyant sur le bouton, je signe ce document.',
    approver: 'En appuyant sur le bouton, j’approuve ce document.',
    viewer: 'En appuyant sur le bouton, je confirme avoir lu ce document.',
  },
}
