/** E-mails in French. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Bonjour ${name},`,
  messageFrom: name => `Message de ${name} :`,
  reasonGiven: 'Motif indiqué :',
  open: 'Ouvrir le document',
  opens: {
    signer:
      'Le lien ouvre le document dans votre navigateur web. Vous pouvez le lire, puis le signer ou refuser. Vous n’avez besoin ni de compte ni de mot de passe.',
    approver:
      'Le lien ouvre le document dans votre navigateur web. Vous pouvez le lire, puis l’approuver ou refuser. Vous n’avez besoin ni de compte ni de mot de passe.',
    viewer:
      'Le lien ouvre le document dans votre navigateur web, où vous pouvez le lire. Vous n’avez besoin ni de compte ni de mot de passe.',
  },
  linkHint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur web :',
  doBy: time => `Merci de le faire au plus tard le ${time}.`,
  handedOverBy: name => `Cette demande s’adressait d’abord à ${name}, qui vous l’a transmise.`,
  forYouAlone: 'Ce lien vous est personnel : merci de ne pas le transférer.',
  invitation: {
    subject: {
      signer: title => `Merci de signer : ${title}`,
      approver: title => `Merci d’approuver : ${title}`,
      viewer: title => `Merci de lire : ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} vous demande de signer « ${title} ».`,
      approver: (organisation, title) => `${organisation} vous demande d’approuver « ${title} ».`,
      viewer: (organisation, title) => `${organisation} vous demande de lire « ${title} ».`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Rappel, merci de signer : ${title}`,
      approver: title => `Rappel, merci d’approuver : ${title}`,
      viewer: title => `Rappel, merci de lire : ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} attend toujours que vous signiez « ${title} ».`,
      approver: (organisation, title) => `${organisation} attend toujours que vous approuviez « ${title} ».`,
      viewer: (organisation, title) => `${organisation} attend toujours que vous lisiez « ${title} ».`,
    },
  },
  completed: {
    subject: title => `Finalisé : ${title}`,
    everyone: title => `Tout le monde a terminé avec « ${title} ». Le document est désormais scellé.`,
    sealMeans:
      'Le cachet électronique protège le document, afin que toute modification ultérieure puisse être détectée. Le certificat d’audit, à la fin du document, indique qui a signé et quand.',
    attached: 'Le PDF scellé est joint. Merci de le conserver.',
    tooLarge: 'Le PDF scellé est trop volumineux pour être joint. Merci de le télécharger avec le lien.',
    thirtyDays: `Vous pouvez le télécharger avec le lien pendant ${COPY_DAYS} jours.`,
    open: 'Ouvrir le document scellé',
  },
  receipt: {
    subject: title => `Votre récépissé : ${title}`,
    signed: title => `Vous avez signé « ${title} ».`,
    approved: title => `Vous avez approuvé « ${title} ».`,
    attached:
      'Votre récépissé est joint : un fichier dont le nom se termine par « .eml ». Il prouve ce que vous avez confirmé, et quand. Merci de le conserver : il peut être vérifié sans ce service.',
    whenAll: 'Vous recevrez le document scellé lorsque tout le monde aura terminé.',
  },
  declined: {
    subject: title => `Refusé : ${title}`,
    has: (name, title) => `${name ?? 'Un destinataire'} a refusé « ${title} ». Ce document ne peut plus être signé.`,
  },
  voided: {
    subject: title => `Annulé : ${title}`,
    toSender: title => `Le document « ${title} » a été annulé.`,
    toRecipient: (organisation, title) => `${organisation} a annulé « ${title} ». Vous n’avez plus rien à faire.`,
  },
  expired: {
    subject: title => `Expiré : ${title}`,
    inTime: title =>
      `Le document « ${title} » n’a pas été signé par tout le monde à temps et a expiré. Ses liens de signature ne fonctionnent plus.`,
    ask: whom => `Si ce document est encore nécessaire, merci de contacter ${whom}.`,
  },
  finishedBefore: {
    signed: 'Vous avez déjà signé ce document. Il ne sera ni finalisé ni scellé.',
    approved: 'Vous avez déjà approuvé ce document. Il ne sera ni finalisé ni scellé.',
  },
  delegated: {
    subject: title => `Transmis : ${title}`,
    has: (from, to, title) =>
      `${from} a transmis « ${title} » à ${to}. Le lien envoyé en premier ne fonctionne plus ; un nouveau lien a été envoyé par e-mail à ${to}.`,
    notMeant: 'Si vous ne le souhaitez pas, vous pouvez annuler le document.',
  },
  linkRequested: {
    subject: title => `Demande un nouveau lien : ${title}`,
    has: (name, title) => `${name} a ouvert le lien vers « ${title} », qui a expiré, et en demande un nouveau.`,
    whatToDo: 'Le document peut être dupliqué sur sa page et envoyé à nouveau.',
  },
  oneTimeCode: {
    subject: organisation => `Votre code pour le document de ${organisation}`,
    is: code => `Votre code est ${code}`,
    minutes: minutes =>
      `Saisissez-le sur la page où vous l’avez demandé. Il est valable ${minutes} minutes et uniquement dans ce navigateur.`,
    tellNobody:
      'Ne communiquez ce code à personne, pas même à l’expéditeur. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail : sans le code, personne ne peut ouvrir le document.',
  },
  codeLocked: {
    subject: title => `Trop de codes erronés : ${title}`,
    has: (name, title) =>
      `Un code erroné a été saisi trop de fois pour « ${title} » avec le lien destiné à ${name}. Aucun autre essai n’est accepté.`,
    whatToDo: {
      accessCode:
        'Veuillez demander à cette personne si c’était bien elle. Si oui, redonnez-lui le code d’accès et débloquez-le sur la page du document : de nouveaux essais seront alors possibles.',
      oneTimeCode:
        'Veuillez demander à cette personne si c’était bien elle. Si oui, débloquez le document pour elle sur sa page : elle pourra alors demander un nouveau code.',
      signingLink:
        'Veuillez demander à cette personne si c’était bien elle. Si oui, redonnez-lui le code d’accès. Une heure après le dernier essai, un nouveau lien de signature en permettra d’autres.',
    },
  },
  mailFailed: {
    subject: title => `E-mail non distribué : ${title}`,
    has: (name, title) => `L’e-mail à ${name} au sujet de « ${title} » n’a pas pu être distribué. Il n’y aura pas d’autre essai.`,
    answer: 'Réponse du serveur de messagerie :',
    whatToDo:
      'Veuillez vérifier l’adresse. Si elle est fausse, corrigez-la sur la page du document : l’e-mail sera alors renvoyé.',
  },
  sealingFailed: {
    subject: title => `Pas encore scellé : ${title}`,
    has: title =>
      `Tout le monde a terminé « ${title} », mais le document n’a pas encore pu être scellé. Personne n’a besoin de signer à nouveau : le scellement sera retenté automatiquement.`,
    cause: 'Cause :',
  },
  foot: {
    sentFor: organisation => `Envoyé pour ${organisation} par Signet, son service de signature de documents.`,
    sent: 'Envoyé par Signet, un service de signature de documents.',
    linksLead: host => `Les liens de ce message mènent uniquement à ${host}.`,
    questions: whom => `Des questions ? Répondez à ce message ou écrivez à ${whom}.`,
    notBinding: environment =>
      `Ce message provient de l’environnement « ${environment} », qui n’est pas destiné à la production. Rien de ce qui y est signé n’est destiné à engager qui que ce soit.`,
  },
  sample: {
    document: 'Contrat de prestation de services',
    message: 'Voici le contrat dont nous avons parlé.',
  },
}
