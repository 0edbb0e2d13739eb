/** Refusals and validation errors in French. */
import type { DocumentStatus } from '../../core/document.ts'
import type { FieldType } from '../../core/field.ts'
import type { MessageCatalogue, NamedField } from '../../core/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Signature',
  initials: 'Initiales',
  date: 'Date',
  name: 'Nom',
  email: 'Adresse e-mail',
  text: 'Texte',
  checkbox: 'Case à cocher',
  dropdown: 'Choix',
  number: 'Nombre',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

/** In French, nought and one are singular. */
const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`

const NOT_OPEN = {
  draft: 'Le document est encore un brouillon : il ne peut pas être signé.',
  sent: 'Le document ne peut pas être signé.',
  sealing: 'Le document est en cours de scellement : il ne peut plus être signé.',
  completed: 'Le document est finalisé : il ne peut plus être signé.',
  declined: 'Le document a été refusé : il ne peut plus être signé.',
  voided: 'Le document a été annulé : il ne peut plus être signé.',
  expired: 'Le document a expiré : il ne peut plus être signé.',
} satisfies Record<DocumentStatus, string> as Record<string, string>

export const messages: MessageCatalogue = {
  required: field => `${name(field)} : veuillez remplir ce champ`,
  tooLong: (field, most) => `${name(field)} : veuillez utiliser au plus ${counted(most, 'caractère', 'caractères')}`,
  notAChoice: (field, options) => `${name(field)} : veuillez choisir l’une de ces possibilités : ${options.join(', ')}`,
  notANumber: field => `${name(field)} : veuillez saisir un nombre, par exemple 1250 ou 12,50`,
  notAnEmail: field => `${name(field)} : veuillez saisir une adresse e-mail, par exemple ada@example.com`,
  notTrueOrFalse: field => `${name(field)} : la valeur doit être « true » ou « false »`,
  tickRequired: field => `${name(field)} : veuillez cocher la case`,
  unprintable: characters =>
    `Votre saisie contient des caractères qui ne peuvent pas être imprimés : ${characters}. Veuillez les supprimer ou les remplacer.`,
  consentMissing: () => 'Veuillez accepter de signer électroniquement en cochant la case.',
  signatureMissing: () => 'Veuillez saisir votre nom complet en guise de signature.',
  initialsMissing: () => 'Veuillez saisir vos initiales.',
  drawingMissing: () => 'Le dessin est vide. Veuillez dessiner, ou choisir une autre méthode.',
  drawingUnreadable: () => 'Le dessin n’a pas pu être lu. Veuillez dessiner à nouveau.',
  pictureMissing: () => 'Veuillez choisir une image, ou une autre méthode.',
  pictureUnreadable: () =>
    'Ce fichier ne peut pas être lu comme une image PNG. Veuillez choisir un fichier PNG, ou faire une capture d’écran de l’image.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Cette image est trop grande. Veuillez en choisir une de ${megabytes} Mo et ${megapixels} mégapixels au plus.`,
  pictureEmpty: () =>
    'Aucune écriture n’a été trouvée sur cette image. Veuillez la reprendre de plus près, sur du papier blanc et avec un bon éclairage.',
  markTooLong: most => `Veuillez utiliser au plus ${counted(most, 'caractère', 'caractères')}.`,
  documentChanged: () => 'Le document n’est pas celui que cette page vous a présenté. Veuillez recharger la page.',
  consentChanged: () => 'Le texte que vous avez accepté a changé entre-temps. Veuillez recharger la page et le lire à nouveau.',
  notOpened: () => 'Veuillez ouvrir le document avant de terminer.',
  signingPeriodOver: () => 'Le délai pour signer ce document est écoulé.',
  nothingForViewers: () => 'Vous recevez une copie de ce document. Vous n’avez rien à signer.',
  notOpen: status => NOT_OPEN[status] ?? 'Le document ne peut pas être signé.',
  reasonMissing: () => 'Veuillez dire en quelques mots pourquoi vous refusez.',
  reasonTooLong: most => `Veuillez utiliser au plus ${counted(most, 'caractère', 'caractères')}.`,
  nothingToDecline: () => 'Vous n’avez plus rien à refuser dans ce document.',
  nameMissing: () => 'Veuillez saisir le nom de la personne à qui vous transmettez le document.',
  addressWrong: () => 'Veuillez saisir une adresse e-mail, par exemple ada@example.com.',
  sameAddress: () => 'Ceci est votre propre adresse. Veuillez saisir celle d’une autre personne.',
  addressInUse: () => 'Cette personne doit déjà signer ce document. Veuillez en choisir une autre.',
  delegationForbidden: () =>
    'L’expéditeur ne permet pas de transmettre ce document. Vous pouvez le signer, ou le refuser en donnant un motif.',
  nothingToDelegate: () => 'Vous n’avez plus rien à transmettre dans ce document.',
  linkUnknown: () =>
    'Ce lien n’est pas valide. Veuillez utiliser le lien du dernier e-mail, ou vous adresser à la personne qui vous l’a envoyé.',
  openByMail: () =>
    'Votre session est terminée, ou cette page appartient à un autre navigateur. Veuillez ouvrir le document avec le lien de votre e-mail.',
  tooManyLinks: () => 'Trop de liens non valides ont été ouverts depuis votre réseau. Veuillez attendre une minute et réessayer.',
  withdrawn: () => 'L’expéditeur a annulé ce document. Il n’y a plus rien à signer.',
  expired: () => 'Le délai pour signer ce document est écoulé. Veuillez demander à l’expéditeur de l’envoyer à nouveau.',
  declined: () => 'Ce document a été refusé. Il n’y a plus rien à signer.',
  copyExpired: () =>
    'Le document est finalisé depuis plus de 30 jours et ne peut plus être téléchargé ici. La copie scellée vous a été envoyée par e-mail.',
  codeMissing: () => 'Veuillez saisir le code d’accès.',
  codeWrong: attemptsLeft => `Ce code d’accès n’est pas le bon. Il vous reste ${counted(attemptsLeft, 'essai', 'essais')}.`,
  codePause: seconds => `Veuillez attendre ${counted(seconds, 'seconde', 'secondes')} avant de saisir à nouveau le code d’accès.`,
  codeLocked: () =>
    'Un code d’accès erroné a été saisi trop de fois. Veuillez demander un rappel à l’expéditeur : vous pourrez ensuite réessayer.',
  foreignForm: () =>
    'Ce formulaire n’a pas été envoyé depuis notre propre page. Veuillez revenir en arrière, recharger la page et réessayer.',
  busy: () => 'Le service est surchargé pour le moment. Veuillez réessayer dans quelques secondes.',
  notStored: () =>
    'Aucune donnée ne peut être enregistrée pour le moment. Rien n’a été enregistré. Veuillez réessayer dans une minute.',
  notReachable: () =>
    'Le service n’a pas accès à ses données pour le moment. Rien n’a été enregistré. Veuillez réessayer dans quelques secondes.',
  notConfirmed: () =>
    'La connexion a été interrompue avant que le service puisse confirmer la modification. Elle a peut-être été enregistrée : veuillez le vérifier avant de la répéter.',
}
