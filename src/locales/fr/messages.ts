/** Refusals and validation errors in French. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

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
  paragraph: 'Paragraphe',
  radio: 'Choix',
  image: 'Image',
  attachment: 'Pièce jointe',
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
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'fr')

export const messages: MessageCatalogue = {
  required: field => `${name(field)} : veuillez remplir ce champ`,
  tooLong: (field, most) => `${name(field)} : veuillez utiliser au plus ${counted(most, 'caractère', 'caractères')}`,
  tooLongForPlace: (field, about) =>
    `${name(field)} : c’est trop long pour l’emplacement prévu dans le document. Veuillez utiliser au plus ${counted(about, 'caractère', 'caractères')} environ`,
  notAChoice: (field, options) => `${name(field)} : veuillez choisir l’une de ces possibilités : ${options.join(', ')}`,
  notANumber: field => `${name(field)} : veuillez saisir un nombre, par exemple 1250 ou 12,50`,
  numberUnclear: (field, larger, smaller) =>
    `${name(field)} : cela peut être deux nombres. Veuillez saisir ${larger} ou ${smaller}`,
  tooSmall: (field, min) => `${name(field)} : veuillez saisir au moins ${min}`,
  tooLarge: (field, max) => `${name(field)} : veuillez saisir au plus ${max}`,
  notADate: field => `${name(field)} : veuillez saisir une date, par exemple 2026-12-31`,
  notAnEmail: field => `${name(field)} : veuillez saisir une adresse e-mail, par exemple ada@example.com`,
  notTrueOrFalse: field => `${name(field)} : la valeur doit être « true » ou « false »`,
  tickRequired: field => `${name(field)} : veuillez cocher la case`,
  fileMissing: field => `${name(field)} : veuillez choisir un fichier`,
  fileEmpty: field => `${name(field)} : ce fichier est vide. Veuillez en choisir un autre`,
  fileTooLarge: (field, max) => `${name(field)} : ce fichier est trop volumineux. Veuillez en choisir un de ${size(max)} au plus`,
  fileWrongType: (field, types) => `${name(field)} : veuillez choisir un fichier de l’un de ces types : ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)} : ce fichier ${type} est endommagé ou incomplet. Veuillez en choisir un autre ou l’enregistrer à nouveau`,
  fileNeedsPassword: field =>
    `${name(field)} : ce PDF ne s’ouvre qu’avec un mot de passe. Veuillez en choisir un sans mot de passe`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)} : cette image est trop grande. Veuillez en choisir une de ${megapixels} mégapixels au plus`,
  fileTooComplex: field =>
    `${name(field)} : la lecture de ce fichier prend trop de temps. Veuillez en choisir un autre ou l’imprimer dans un nouveau PDF`,
  tooManyFiles: () => 'Trop de fichiers ont été envoyés en peu de temps. Veuillez patienter une minute, puis réessayer.',
  fileChanged: field =>
    `${name(field)} : ce fichier a été changé dans une autre fenêtre. Veuillez le vérifier, puis terminer à nouveau`,
  filesTooLarge: (field, max) =>
    `${name(field)} : vos fichiers dépassent ensemble ${size(max)}. Veuillez en supprimer un ou en choisir un plus petit`,
  unprintable: characters =>
    `Votre saisie contient des caractères qui ne peuvent pas être imprimés : ${characters}. Veuillez les supprimer ou les remplacer.`,
  consentMissing: () => 'Veuillez donner votre accord en cochant la case.',
  deviceKeyMissing: () =>
    'L’expéditeur vous demande de signer aussi avec une clé de votre appareil. Veuillez signer de nouveau et l’utiliser.',
  deviceKeyImpossible: () =>
    'L’expéditeur demande une clé de votre appareil, que ce service ne peut pas utiliser : son adresse n’est pas un nom en https. Veuillez le signaler à l’expéditeur.',
  deviceKeyWrong: () =>
    'La signature de votre appareil ne correspond pas : le document, vos saisies ou l’heure ont changé entre-temps. Veuillez utiliser la clé encore une fois.',
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
  receiptLater: () => 'Votre récépissé ne peut pas être établi pour le moment. Merci de réessayer plus tard.',
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
  delegatedOften: () =>
    'Ce document a été transmis trop souvent aujourd’hui. Veuillez réessayer demain, ou demander à l’expéditeur d’indiquer la bonne personne.',
  linkUnknown: () =>
    'Ce lien n’est pas valide. Veuillez utiliser le lien du dernier e-mail, ou vous adresser à la personne qui vous l’a envoyé.',
  linkReplaced: () => 'Ce lien a été remplacé par un plus récent. Veuillez utiliser le lien du dernier e-mail.',
  linkReaddressed: () =>
    'Ce lien ne fonctionne plus : l’expéditeur a changé son destinataire. Si vous attendez toujours le document, veuillez vous adresser à l’expéditeur.',
  linkHandedOver: to =>
    to === undefined
      ? 'Ce document a été transmis à une autre personne. Ce lien ne fonctionne plus, et il n’y a plus rien à faire ici.'
      : `Vous avez transmis ce document à ${to}. Votre propre lien ne fonctionne plus, et vous n’avez plus rien à faire.`,
  linkAsked: () =>
    'Un nouveau lien a été demandé il y a peu. Veuillez consulter votre messagerie, y compris les courriers indésirables. Vous pourrez redemander plus tard.',
  senderAsked: () => 'Un nouveau lien a été demandé à l’expéditeur il y a peu. Vous pourrez redemander plus tard.',
  linkUsed: () =>
    'Ce lien ne s’ouvre qu’une fois et a déjà été ouvert, ou il en existe un plus récent. Veuillez continuer dans la fenêtre où vous l’avez ouvert, ou retourner là où vous l’avez trouvé et y demander un nouveau lien.',
  linkTooOld: () =>
    `Ce lien a expiré : il est valable ${LINK_MINUTES} minutes. Veuillez retourner là où vous l’avez trouvé et ouvrir le document à partir de là.`,
  sessionOver: () =>
    'Votre session est terminée. Veuillez retourner là où vous avez trouvé le lien et ouvrir le document à partir de là.',
  openByLink: () =>
    'Votre session est terminée, ou cette page appartient à un autre navigateur. Veuillez ouvrir le document avec le lien que vous avez reçu. Si ce lien ne s’ouvre qu’une fois, demandez-en un nouveau à la personne qui vous l’a remis.',
  tooManyLinks: () => 'Trop de liens non valides ont été ouverts depuis votre réseau. Veuillez attendre une minute et réessayer.',
  withdrawn: () => 'L’expéditeur a annulé ce document. Il n’y a plus rien à signer.',
  expired: () => 'Le délai pour signer ce document est écoulé. Veuillez demander à l’expéditeur de l’envoyer à nouveau.',
  declined: () => 'Ce document a été refusé. Il n’y a plus rien à signer.',
  copyExpired: () =>
    `Le document est finalisé depuis plus de ${COPY_DAYS} jours et ne peut plus être téléchargé ici. La copie scellée vous a été envoyée par e-mail.`,
  codeMissing: () => 'Veuillez saisir le code d’accès.',
  codeWrong: attemptsLeft => `Ce code d’accès n’est pas le bon. Il vous reste ${counted(attemptsLeft, 'essai', 'essais')}.`,
  codePause: seconds => `Veuillez attendre ${counted(seconds, 'seconde', 'secondes')} avant de saisir à nouveau le code d’accès.`,
  codeLocked: () =>
    'Un code d’accès erroné a été saisi trop de fois. Veuillez demander à l’expéditeur de le débloquer : vous pourrez ensuite réessayer.',
  oneTimeCodeMissing: () => 'Veuillez saisir les six chiffres du code.',
  oneTimeCodeWrong: attemptsLeft =>
    `Ce code n’est pas le bon. Il vous reste ${attemptsLeft === 1 ? 'un essai' : `${attemptsLeft} essais`} avec ce code.`,
  oneTimeCodeDead: () =>
    'Ce code a été saisi cinq fois de façon erronée et n’est plus valable. Veuillez demander un nouveau code.',
  oneTimeCodeUsed: () => 'Ce code a déjà été utilisé : chaque code n’est valable qu’une fois. Veuillez demander un nouveau code.',
  oneTimeCodeExpired: () => `Ce code a expiré : il est valable ${CODE_MINUTES} minutes. Veuillez demander un nouveau code.`,
  oneTimeCodeElsewhere: () =>
    'Aucun code demandé dans ce navigateur n’est valable ici. Un code ne fonctionne que là où il a été demandé. Veuillez demander un nouveau code.',
  oneTimeCodeWait: seconds =>
    `Veuillez attendre ${seconds < 90 ? (seconds === 1 ? '1 seconde' : `${seconds} secondes`) : `${Math.ceil(seconds / 60)} minutes`} avant de demander un autre code.`,
  oneTimeCodeLocked: () =>
    'Des codes erronés ont été saisis trop de fois. Veuillez demander à l’expéditeur de débloquer le document pour vous : vous pourrez ensuite réessayer.',
  oneTimeCodeUndeliverable: () =>
    'Aucun code ne peut vous être envoyé pour le moment. Veuillez prévenir l’expéditeur : il doit connecter le programme qui transmet les codes.',
  foreignForm: () =>
    'Ce formulaire n’a pas été envoyé depuis notre propre page. Veuillez revenir en arrière, recharger la page et réessayer.',
  busy: () => 'Le service est surchargé pour le moment. Veuillez réessayer dans quelques secondes.',
  notStored: () =>
    'Aucune donnée ne peut être enregistrée pour le moment. Rien n’a été enregistré. Veuillez réessayer dans une minute.',
  notReachable: () =>
    'Le service n’a pas accès à ses données pour le moment. Rien n’a été enregistré. Veuillez réessayer dans quelques secondes.',
  notConfirmed: () =>
    'La connexion a été interrompue avant que le service puisse confirmer la modification. Elle a peut-être été enregistrée : veuillez le vérifier avant de la répéter.',
}
