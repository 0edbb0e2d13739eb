/** La page où l’appareil du signataire signe aussi, en français. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Signer aussi avec une clé de cet appareil',
  offerHint:
    'Votre appareil demande votre empreinte, votre visage ou votre code. Cela prouve en plus que c’est vous qui avez signé. Rien de cela ne quitte votre appareil.',
  asked:
    'Votre appareil vous demandera aussi votre empreinte, votre visage ou votre code : l’expéditeur souhaite qu’il signe avec sa propre clé.',
  title: 'Encore une étape : votre appareil signe',
  text: 'Votre appareil signe avec une clé qu’il est seul à posséder. Le service ne reçoit jamais cette clé, et votre empreinte ou votre visage restent sur l’appareil.',
  notYet: 'Vous n’avez pas encore signé. Ce sera fait dès que votre appareil aura signé.',
  use: 'Signer avec cet appareil',
  useKnown: date => `Signer avec la clé du ${date}`,
  useNew: 'Créer une nouvelle clé sur cet appareil',
  sign: 'Signer avec la nouvelle clé',
  made: 'La clé est créée. Votre appareil va maintenant signer avec elle.',
  waiting: 'Veuillez suivre votre appareil…',
  without: 'Signer sans clé de l’appareil',
  back: 'Retour au document',
  refused: 'Votre appareil n’a pas signé. Rien n’est perdu : réessayez, ou revenez au document.',
  framed:
    'Cette page fait partie d’un autre site, qui n’autorise pas ici les clés de votre appareil. Veuillez ouvrir le lien de votre e-mail dans une fenêtre à part.',
  unsupported:
    'Ce navigateur ne peut pas utiliser de clé de votre appareil. Veuillez ouvrir le lien dans un autre navigateur ou sur un autre appareil.',
  unscripted: 'Votre appareil ne peut signer que si JavaScript est activé.',
}
