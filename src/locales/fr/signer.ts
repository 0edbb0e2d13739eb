/** French: the pages of a recipient. */

import type { SignerWords } from '../types.ts'
import { fieldNamesFr } from './messages.ts'

export const signerFr: SignerWords = {
  skip: 'Aller au contenu',
  skipToForm: 'Aller aux champs',
  greeting: name => `Bonjour ${name},`,
  from: organisation => `Envoyé par ${organisation}`,
  questions: contact => `Des questions ? Adressez-vous à ${contact}.`,
  check: 'Veuillez vérifier :',
  required: 'obligatoire',
  optional: 'facultatif',
  onPage: page => `page ${page}`,
  notBinding: environment =>
    `Ceci est l’environnement « ${environment} » : rien de ce que vous faites ici n’est destiné à vous engager.`,
  fieldNames: fieldNamesFr,
  finish: {
    signer: 'Signer et terminer',
    approver: 'Approuver et terminer',
    viewer: 'Terminer',
  },

  landing: {
    asks: {
      signer: 'vous demande de signer ce document.',
      approver: 'vous demande d’approuver ce document.',
      viewer: 'vous demande de lire ce document.',
    },
    ended: ['Voici le document envoyé par ', '. Vous n’avez plus rien à faire.'],
    theirMessage: 'Message pour vous :',
    howItWorks: 'Voici comment cela se passe :',
    steps: button => [
      'Vous lisez le document.',
      'Vous remplissez quelques champs et apposez votre signature.',
      `Vous appuyez sur « ${button} ». Jusque-là, rien n’est définitif.`,
    ],
    noAccount: 'Vous n’avez pas besoin de compte.',
    binds: 'Votre signature, apposée ici, est destinée à vous engager comme une signature sur papier.',
    onlyRead:
      'Il vous suffit de le lire ; il n’y a rien à signer. Vous n’avez pas besoin de compte. Lorsque tout le monde aura terminé, vous recevrez une copie par e-mail.',
    doBy: ['Merci de terminer au plus tard le ', '.'],
    code: 'Code d’accès',
    codeHint: 'L’expéditeur vous le communique par une autre voie, par exemple par téléphone.',
    codeWait: seconds =>
      `Vous pourrez réessayer dans ${seconds < 90 ? `${seconds} ${seconds < 2 ? 'seconde' : 'secondes'}` : `${Math.ceil(seconds / 60)} minutes`}.`,
    open: 'Ouvrir le document',
  },

  form: {
    read: 'Lire le document',
    readAll: 'Veuillez le lire en entier avant de continuer. Vous le recevez sous forme de fichier PDF.',
    download: pages => `Télécharger le PDF (${pages} ${pages < 2 ? 'page' : 'pages'})`,
    fingerprint: 'Empreinte du fichier',
    fingerprintIs:
      'Chacun peut calculer ce nombre (SHA-256) à partir du fichier. Si le nombre est le même, le fichier est le même :',
    fillIn: 'Remplir',
    agree: 'Accepter et terminer',
    sign: 'Signer',
    choose: 'Veuillez choisir',
    ticked: 'coché',
    notTicked: 'non coché',
    filledByUs: 'rempli au moment où vous terminez',
    fullName: 'Votre nom complet, en guise de signature',
    initials: 'Vos initiales',
    initialsHint: 'Les premières lettres de vos prénoms et noms, par exemple AL pour Ada Lovelace.',
    standsOn: (pages, count) =>
      count === 1 ? `Emplacement dans le document : page ${pages}.` : `Emplacements dans le document : pages ${pages}.`,
    standsOnCertificate: 'Votre signature figure sur les pages de certificat à la fin du document scellé.',
    consent: 'J’ai lu ce texte et je l’accepte.',
    refuse: {
      signer: 'Je ne veux pas signer',
      approver: 'Je ne veux pas approuver',
      viewer: 'Je ne veux pas le lire',
    },
    refuseMeans:
      'Si vous refusez, plus personne ne pourra signer ce document, et il ne sera pas possible de revenir en arrière. Si vous avez seulement une question, veuillez d’abord vous adresser à l’expéditeur.',
    reason: 'Votre motif',
    reasonHint: 'L’expéditeur le lira.',
    decline: 'Refuser',
    delegate: 'Quelqu’un d’autre doit s’en charger',
    delegationMeaning:
      'Nous enverrons à cette personne son propre lien. Le lien de votre e-mail cessera de fonctionner, et ce que vous avez saisi ici sera effacé. L’expéditeur pourra voir les deux noms.',
    colleague: 'Nom de cette personne',
    colleagueEmail: 'Adresse e-mail de cette personne',
    delegateNow: 'Transmettre',
  },

  done: {
    headline: {
      done: 'Vous avez terminé',
      completed: 'Le document est finalisé',
      declined: 'Vous avez refusé',
    },
    done: {
      signer: 'Merci. Vous avez signé. Le document scellé vous sera envoyé par e-mail lorsque tout le monde aura terminé.',
      approver:
        'Merci. Vous avez donné votre approbation. Le document scellé vous sera envoyé par e-mail lorsque tout le monde aura terminé.',
      viewer: 'Vous recevrez le document scellé par e-mail lorsque tout le monde aura terminé.',
    },
    sealing:
      'Merci. Tout le monde a terminé. Le document est en cours de scellement ; vous en recevrez ensuite une copie par e-mail.',
    completed: 'Tout le monde a terminé. Le document est scellé, et vous recevez une copie par e-mail.',
    viewer: 'Vous recevrez le document scellé par e-mail lorsque tout le monde aura terminé. Vous n’avez rien à signer.',
    declined: 'Plus personne ne peut signer ce document. L’expéditeur peut lire votre motif.',
    waitingFor: 'Nous attendons encore :',
    sealedMeans:
      '« Scellé » signifie : un cachet électronique protège le document, afin que toute modification ultérieure puisse être détectée. Les dernières pages indiquent qui a signé et quand. Merci d’en conserver une copie.',
    copyUntil: moment => `Vous pouvez le télécharger ici jusqu’au ${moment}.`,
    downloadSealed: 'Télécharger le document scellé',
    downloadUnsealed: 'Télécharger le document (pas encore scellé)',
    goOn: host => `Continuer vers ${host}`,
    close: 'Vous pouvez fermer cette page.',
  },

  delegated: {
    headline: 'Transmis',
    to: name => `Nous avons envoyé à ${name} son propre lien.`,
    dead: 'Le lien de votre e-mail ne fonctionne plus, et ce que vous aviez saisi est effacé. Vous n’avez plus rien à faire.',
  },

  view: {
    document: 'Le document',
    tools: 'Taille et page',
    page: 'Page {page} sur {pages}',
    goToPage: 'Page',
    ofPages: 'sur {pages}',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    fitWidth: 'Ajuster à la largeur',
    loading: 'Chargement du document…',
    failed: 'Le document n’a pas pu être chargé. Veuillez vérifier votre connexion.',
    pageFailed: 'Cette page n’a pas pu être affichée.',
    tryAgain: 'Réessayer',
  },

  client: {
    fields: 'Vos champs',
    progressBar: 'Progression',
    progress: 'Fait : {done} sur {all}',
    allDone: 'Tout est rempli.',
    next: 'Champ suivant',
    all: 'Tous les champs',
    close: 'Fermer',
    sending: 'Envoi…',
    saving: 'Enregistrement…',
    saved: 'Enregistré',
    notSaved: 'Non enregistré : pas de connexion. Nouvel essai…',
    notSent: 'Rien n’a été envoyé : il n’y a pas de connexion. Veuillez réessayer.',
    gone: 'Cette page n’est plus à jour, et plus rien ne peut être enregistré. Veuillez la recharger.',
    missing: { one: 'Il reste un point à compléter :', other: 'Il reste {n} points à compléter :' },
    fillThisIn: '{field} : veuillez remplir ce champ.',
    tickThis: '{field} : veuillez cocher la case.',
    chooseThis: '{field} : veuillez choisir.',
    notANumber: '{field} : veuillez saisir un nombre, par exemple 1250 ou 12,50.',
    notAnEmail: '{field} : veuillez saisir une adresse e-mail, par exemple ada@example.com.',
    makeSignature: 'Veuillez apposer votre signature.',
    makeInitials: 'Veuillez apposer vos initiales.',
    consentField: 'Consentement',
    agree: 'Veuillez accepter de signer électroniquement en cochant la case.',
    marker: '{field}, page {page} : {state}',
    states: {
      required: 'obligatoire, encore à remplir',
      optional: 'facultatif, encore vide',
      done: 'rempli',
      fault: 'à vérifier',
    },
    mark: {
      signature: {
        name: 'Votre signature',
        use: { one: 'Utiliser cette signature', other: 'Mettre ma signature aux {n} emplacements' },
        chosen: { one: 'Votre signature est à sa place.', other: 'Votre signature figure aux {n} emplacements.' },
        chosenNowhere: 'Voici votre signature.',
        pad: 'Dessinez ici votre signature',
        picture: 'Votre signature, tirée de votre image',
      },
      initials: {
        name: 'Vos initiales',
        use: { one: 'Utiliser ces initiales', other: 'Mettre mes initiales aux {n} emplacements' },
        chosen: { one: 'Vos initiales sont à leur place.', other: 'Vos initiales figurent aux {n} emplacements.' },
        chosenNowhere: 'Voici vos initiales.',
        pad: 'Dessinez ici vos initiales',
        picture: 'Vos initiales, tirées de votre image',
      },
      how: 'Comment voulez-vous procéder ?',
      draw: 'Dessiner',
      type: 'Saisir',
      upload: 'Importer',
      padHint: 'Écrivez avec le doigt, un stylet ou la souris. Avec un clavier, choisissez « Saisir ».',
      padFull: 'Il n’y a plus de place dans le dessin. Veuillez l’utiliser tel quel, ou l’effacer et en faire un plus simple.',
      undo: 'Annuler le dernier trait',
      clear: 'Effacer',
      tooLittle: 'Veuillez dessiner un peu plus.',
      pictureHint:
        'Une photo ou un scan de votre écriture sur papier blanc : PNG ou JPEG, 5 Mo au plus. Le papier est retiré de l’image.',
      choosePicture: 'Choisir une image',
      uploading: 'Envoi de l’image…',
      pictureFailed: 'L’image n’a pas pu être envoyée : il n’y a pas de connexion. Veuillez réessayer.',
      later: 'Vous pouvez encore changer cela jusqu’à ce que vous terminiez.',
    },
  },
}
