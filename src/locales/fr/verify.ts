/** Texts of the page that verifies a PDF, in French. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Ce fichier n’a pas été modifié depuis sa signature ou son scellement'
const CHANGED = 'Ce fichier n’a été modifié, depuis sa signature ou son scellement, que comme son auteur le permet'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK =
  'Demandez à l’expéditeur si le fichier est authentique, à un numéro de téléphone ou à une adresse que vous connaissez déjà.'

export const verify: VerifyTexts = {
  title: 'Vérifier un PDF signé',
  lead: 'Vérifiez si un PDF a été modifié après avoir été signé ou scellé, et qui l’a signé.',
  file: 'Fichier PDF',
  choose: 'Choisir un fichier',
  drop: 'ou le déposer ici',
  notKept: organisation => `${organisation} vérifie le fichier et ne le conserve pas.`,
  submit: 'Vérifier',
  another: 'Vérifier un autre fichier',
  languages: 'Langues',
  documentTitle: 'Document',
  fileName: 'Fichier',
  sealedBy: 'Scellé par',
  people: 'Qui a signé',
  signedOn: time => `a signé le ${time}`,
  approvedOn: time => `a approuvé le ${time}`,
  fromRecord:
    'Les noms et les heures proviennent des enregistrements de ce service. Le certificat d’audit à la fin du fichier les indique aussi.',
  isInRecord: ({ sealer, time }) =>
    `Les enregistrements de ce service contiennent exactement ce fichier : ${sealer} l’a scellé le ${time}, et il n’a pas été modifié depuis.`,
  quoted: name => `« ${name} »`,
  verdicts: {
    validHere: {
      heading: 'Valide',
      sentence: ({ sealer, time }) => `Ceci est exactement le fichier que ${sealer} a scellé le ${time}.`,
      advice: [],
    },
    valid: {
      heading: 'Valide',
      sentence: ({ sealer }) => `Ce fichier n’a pas été modifié depuis que ${sealer} l’a scellé.`,
      advice: [
        'Ce service n’a pas, ou n’a plus, d’enregistrement concernant ce fichier : les enregistrements sont supprimés à la fin de leur durée de conservation. Le certificat d’audit à la fin du fichier indique qui a signé, et quand.',
      ],
    },
    validChanged: {
      heading: 'Valide à la signature, puis modifié',
      sentence: ({ signer }) =>
        `Ce fichier a été valablement signé par ${signer}, puis modifié de manière visible, comme son auteur le permet.`,
      advice: ['Lisez chaque modification de la liste : les personnes qui ont signé avant ne l’ont pas signée.'],
    },
    notValid: {
      heading: 'Non valide',
      sentence: () =>
        'Ce fichier a été modifié après avoir été signé ou scellé, ou une signature qu’il contient n’est pas authentique.',
      advice: ['Ne vous fiez pas à ce fichier. Demandez l’original à l’expéditeur.'],
    },
    notChecked: {
      heading: 'Non vérifié',
      sentence: () => 'Une signature de ce fichier ne peut pas être vérifiée ici, ou repose sur un procédé trop faible.',
      advice: [
        'Cela ne signifie pas que le fichier a été modifié. Un autre programme pourra peut-être la vérifier : les détails techniques indiquent pourquoi ce n’est pas possible ici.',
      ],
    },
    unreadable: {
      heading: 'Illisible',
      sentence: () => 'Ce fichier n’est pas un PDF, est endommagé ou ne s’ouvre qu’avec un mot de passe.',
      advice: [
        'Téléchargez le fichier à nouveau ou demandez à l’expéditeur de le renvoyer. S’il ne s’ouvre qu’avec un mot de passe, demandez l’original sans mot de passe.',
      ],
    },
    unknown: {
      heading: 'Non modifié, mais d’origine inconnue',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, mais on ne sait pas ici s’il provient réellement de ${signer}.`,
      advice: [
        'N’importe qui peut créer un certificat à n’importe quel nom.',
        'Si le certificat d’audit à la fin du fichier indique l’adresse d’un autre service, vérifiez-y le fichier, à condition de savoir à qui appartient cette adresse.',
        'Vous pouvez aussi demander à l’expéditeur, à un numéro de téléphone que vous connaissez déjà, l’empreinte du certificat, et la comparer à celle des détails techniques.',
      ],
    },
    revoked: {
      heading: 'Non modifié, mais le certificat a été révoqué',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, mais le certificat de ${signer} a été révoqué, et rien ne prouve qu’il était encore valable à ce moment-là.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Non modifié, mais le certificat a expiré',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, mais le certificat de ${signer} a expiré, et aucun horodatage de confiance ne prouve qu’il était encore valable à ce moment-là.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Non signé',
      sentence: () =>
        'Ce fichier ne contient ni signature électronique ni cachet : rien n’indique qui l’a établi, ni s’il a été modifié.',
      advice: [
        'Ni l’image d’une signature ni une page qui ressemble à un certificat d’audit ne protègent un fichier. Une copie imprimée, numérisée ou enregistrée à nouveau a perdu son cachet : demandez à l’expéditeur le fichier scellé lui-même.',
      ],
    },
    onlyTimestamped: {
      heading: 'Non signé, seulement horodaté',
      sentence: () => 'Un horodatage indique quand ce fichier existait, mais pas qui l’a établi.',
      advice: [],
    },
  },
  changes: {
    heading: 'Modifications après la signature',
    field: (name, before, after) => `Champ ${name} : avant ${before}, maintenant ${after}`,
    comment: type => `Commentaire (${type})`,
    signature: name => `Signature visible ${name}`,
    property: (name, before, after) => `Propriété du document ${name} : avant ${before}, maintenant ${after}`,
    empty: 'vide',
    page: n => `page ${n}`,
    noPage: 'sur aucune page',
  },
  details: {
    heading: 'Détails techniques',
    sha256: 'Empreinte du fichier (SHA-256)',
    remarks: 'Remarques',
    additions: 'Modifications ultérieures autorisées',
    signature: n => `Signature ou cachet ${n}`,
    timestamp: n => `Horodatage du document ${n}`,
    name: 'Nom dans le certificat',
    unknown: 'inconnu',
    content: 'Contenu signé',
    certificate: 'Certificat',
    time: 'Horodatage',
    timeBy: (time, authority) => `${time}, par ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, par ${authority}, non reconnu ici`,
    claimedTime: 'Heure indiquée dans la signature, sans preuve',
    fingerprint: 'Empreinte du certificat (SHA-256)',
    result: 'Résultat (ETSI EN 319 102-1)',
    level: 'Niveau',
    noLevel: 'pas une signature PAdES de base',
    field: 'Champ',
    none: 'aucun',
    integrity: {
      intact: 'Non modifié',
      broken: 'Modifié, ou différent du contenu signé',
      'not-checked': 'N’a pas pu être vérifié',
    },
    trust: { trusted: 'Reconnu ici', unknown: 'Non reconnu ici', revoked: 'Révoqué', expired: 'Expiré' },
    certificates: 'Certificats de ce service, pour vérifier ses fichiers hors ligne',
    otherPrograms:
      'D’autres programmes peuvent dire autre chose. Firefox indique pour toute signature PAdES qu’elle n’a pas pu être vérifiée, car il ne connaît pas ce format. Acrobat déclare le signataire inconnu tant qu’on ne lui a pas donné le certificat. Rien de cela ne met le fichier en cause.',
  },
}
