/** Texts of the page that verifies files on the reader's device, in French. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Voyez qui a signé un document, quand, et s’il a été modifié depuis.',
  files: 'PDF signé, dossier de preuve (ZIP) ou reçu (EML)',
  choose: 'Choisir des fichiers',
  drop: 'ou déposez-les ici',
  stays: 'Vos fichiers restent sur cet appareil. Cette page fonctionne sans Internet ; elle n’envoie et n’enregistre rien.',
  staysHere: organisation => `Votre navigateur vérifie lui-même le fichier : il n’est pas envoyé à ${organisation}.`,
  keep: 'Enregistrer la page de vérification (verify.html), qui fonctionne sans ce service et sans Internet',
  language: 'Langue',
  reading: (name, percent) => `Lecture de ${name} : ${percent} %`,
  checking: (name, seconds) => `Vérification de ${name} : ${seconds} s`,
  cancel: 'Annuler',
  cancelled: 'Annulé.',
  clear: 'Effacer',
  print: 'Imprimer',
  problems: {
    empty: {
      heading: 'Fichier vide',
      sentence: 'Ce fichier n’a aucun contenu. Téléchargez-le de nouveau, ou redemandez-le à l’expéditeur.',
    },
    tooLarge: {
      heading: 'Trop volumineux pour cette page',
      sentence: 'Cette page accepte les fichiers jusqu’à 100 Mo. Vérifiez celui-ci avec le programme : signet verify FICHIER.',
    },
    unknownKind: {
      heading: 'Ni PDF ni dossier de preuve',
      sentence:
        'Cette page vérifie les PDF signés, les dossiers de preuve (ZIP) et les reçus (EML). Choisissez le fichier que vous avez reçu, et non une image ou une copie dans un autre format.',
    },
    locked: {
      heading: 'Ne s’ouvre qu’avec un mot de passe',
      sentence: 'Ce PDF est chiffré et ne peut pas être vérifié. Demandez à l’expéditeur le fichier sans mot de passe.',
    },
    damagedPack: {
      heading: 'Dossier de preuve incomplet',
      sentence:
        'Ce ZIP est endommagé ou n’est pas un dossier de preuve. Téléchargez-le de nouveau. S’il contient seulement un PDF signé, décompressez-le et choisissez le PDF.',
    },
    wrongCertificate: {
      heading: 'Pas un certificat',
      sentence:
        'Ce fichier ne contient aucun certificat lisible. Les certificats sont des fichiers PEM ou DER, par exemple seal.pem.',
    },
    unreadable: {
      heading: 'Impossible à ouvrir',
      sentence:
        'Le navigateur ne peut pas lire ce fichier. Il a peut-être été déplacé ou modifié depuis que vous l’avez choisi : choisissez-le de nouveau.',
    },
    memory: {
      heading: 'Mémoire insuffisante',
      sentence:
        'Ce fichier demande plus de mémoire que le navigateur n’en a. Fermez d’autres fenêtres, ou utilisez un appareil plus puissant.',
    },
    stopped: {
      heading: 'Interrompu',
      sentence:
        'La vérification s’est arrêtée de façon inattendue : on ne sait donc rien de ce fichier. Réessayez, ou utilisez un autre navigateur.',
    },
    tooLong: {
      heading: 'Trop long',
      sentence:
        'La vérification a été arrêtée après 5 minutes : on ne sait donc rien de ce fichier. Vérifiez-le avec le programme : signet verify FICHIER.',
    },
  },
  trust: {
    label: 'Origine de la confiance',
    given: names => `Les certificats que vous avez fournis : ${names}`,
    pack: 'Le certificat du dossier lui-même. Comparez son empreinte avec celle que l’organisation vous a donnée par une autre voie.',
    instance: organisation => `Les certificats de ce service, ${organisation}`,
    none: 'Rien pour l’instant : aucun certificat de l’expéditeur n’a été fourni. Choisissez-le avec le fichier, par exemple seal.pem.',
    heading: 'Certificats auxquels vous faites confiance',
    hint: 'Les certificats (PEM ou DER) que vous choisissez ou déposez ici sont considérés comme fiables. N’acceptez que ceux d’une personne que vous connaissez.',
    purpose: name => `Usage de ${name}`,
    signers: 'signatures et sceaux',
    timestamps: 'horodatages',
    remove: name => `Retirer ${name}`,
    fingerprint: 'Empreinte du certificat du sceau (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Valide', sentence: title => `Les preuves de ${title} sont complètes et inchangées.`, advice: [] },
      validByPack: {
        heading: 'Complet et inchangé, selon son propre certificat',
        sentence: title =>
          `Les preuves de ${title} sont complètes et concordantes, mais seul le dossier dit à qui appartient le certificat.`,
        advice: [
          'N’importe qui peut créer un certificat à n’importe quel nom. Comparez l’empreinte ci-dessous avec celle que l’organisation vous a donnée, ou choisissez son certificat avec le dossier.',
        ],
      },
      notValid: {
        heading: 'Non valide',
        sentence: title => `Les preuves de ${title} ont été modifiées, sont incomplètes ou se contredisent.`,
        advice: [
          'Ne vous fiez pas à ce dossier. Les détails techniques indiquent ce qui a échoué. Demandez un nouveau dossier à l’expéditeur.',
        ],
      },
      unknown: {
        heading: 'Inchangé, mais d’origine inconnue',
        sentence: title =>
          `Les preuves de ${title} concordent, mais le sceau ne provient d’aucun certificat auquel vous faites confiance.`,
        advice: [
          'N’importe qui peut créer un certificat à n’importe quel nom. Demandez le certificat à l’expéditeur par une voie que vous connaissez déjà.',
        ],
      },
      notChecked: {
        heading: 'Vérifié en partie seulement',
        sentence: title => `Une partie des preuves de ${title} ne peut pas être vérifiée ici.`,
        advice: ['Cela ne signifie pas qu’elle a été modifiée. Les détails techniques indiquent laquelle, et pourquoi.'],
      },
    },
    source:
      'Les noms et les heures proviennent du journal d’audit du dossier, que le sceau couvre. Les heures sont celles de l’horloge du service.',
    erased: 'Une personne dont le nom a été effacé',
    person: {
      openedFromApp: 'ouvert dans l’application web par la personne connectée, et non par un lien envoyé par e-mail',
      from: address => `depuis ${address}`,
      consent: version => `consentement ${version}`,
      deviceKey: 'et aussi avec une clé de son propre appareil',
      deviceKeyUnverified: 'et aussi avec une clé de son propre appareil, l’appareil n’a pas vérifié son utilisateur',
      sealedEntry: number => `entrée ${number} du journal, couverte par le sceau`,
      entry: number => `entrée ${number} du journal`,
    },
    checks: 'Ce qui a été vérifié',
    outcomes: { passed: 'Réussi', failed: 'Échec', 'not-checked': 'Non vérifié', note: 'Remarque' },
    sealedFile: 'Le PDF scellé du dossier',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Reçu valide',
        sentence: ({ organisation, name, title, time }) => `${organisation} a confirmé que ${name} a signé ${title} le ${time}.`,
        advice: [
          'Choisissez aussi le dossier de preuve du document : la page dira alors si le journal contient encore cette signature.',
        ],
      },
      validWithLog: {
        heading: 'Reçu valide, et le journal concorde',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} a confirmé que ${name} a signé ${title} le ${time}, et son journal contient encore cette signature.`,
        advice: [],
      },
      notValid: {
        heading: 'Non valide',
        sentence: () => 'Ce reçu a été modifié, ou il se contredit ou contredit le fichier choisi avec lui.',
        advice: [
          'Les détails techniques indiquent ce qui a échoué. Si le reçu est authentique et que le journal le contredit, le journal a été modifié : conservez les deux fichiers.',
        ],
      },
      unknown: {
        heading: 'Inchangé, mais d’origine inconnue',
        sentence: ({ organisation, name, title, time }) =>
          `Ce reçu indique que ${name} a signé ${title} le ${time}, mais on ne sait pas ici s’il provient vraiment de ${organisation}.`,
        advice: [
          'N’importe qui peut créer un certificat à n’importe quel nom. Choisissez aussi le certificat de l’organisation, ou comparez l’empreinte ci-dessous avec celle qu’elle vous a donnée.',
        ],
      },
      notChecked: {
        heading: 'Vérifié en partie seulement',
        sentence: ({ name, title, time }) =>
          `Ce reçu indique que ${name} a signé ${title} le ${time}, mais une partie ne peut pas en être vérifiée ici.`,
        advice: ['Les détails techniques indiquent laquelle, et pourquoi.'],
      },
    },
    source: 'C’est ce qu’indique le reçu, délivré par le service lors de la signature.',
    itself: 'Le reçu',
  },
  validAdvice: 'Le certificat d’audit à la fin du fichier indique qui a signé, et quand.',
  about: {
    heading: 'Cette page est-elle authentique ?',
    version: version => `Page de vérification de Signet ${version}.`,
    check:
      'Une page falsifiée pourrait tout déclarer valide. Le certificat d’audit d’un document imprime l’empreinte SHA-256 de sa page de vérification. Comparez-la avec ce qu’affiche l’une de ces commandes pour ce fichier :',
    limits:
      'La page n’a besoin d’aucun service. Ce qu’elle ne peut pas savoir : les certificats révoqués après la création du fichier, et ce que contiennent les enregistrements de l’organisation.',
  },
  record: {
    ask: organisation => `Demander à ${organisation} son enregistrement de ce fichier`,
    sends: 'Seule l’empreinte du fichier (SHA-256) est envoyée.',
    known: (organisation, time) =>
      `L’enregistrement de ${organisation} contient exactement ce fichier : il a été achevé le ${time}.`,
    unknown:
      'L’enregistrement ne contient pas, ou plus, ce fichier : les enregistrements sont supprimés à la fin de leur durée de conservation.',
    failed: 'Le service n’a pas répondu. Réessayez plus tard.',
    upload: 'Envoyer le fichier pour voir les noms enregistrés',
  },
}
