/** Texts of the page that verifies a PDF, in Dutch. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Dit bestand is sinds het ondertekenen of verzegelen niet gewijzigd'
const CHANGED = 'Dit bestand is sinds het ondertekenen of verzegelen alleen gewijzigd zoals de auteur toestaat'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK = 'Vraag de afzender of het bestand echt is, via een telefoonnummer of adres dat u al kent.'

export const verify: VerifyTexts = {
  title: 'Een ondertekende pdf controleren',
  lead: 'Ga na of een pdf na het ondertekenen of verzegelen is gewijzigd, en wie heeft ondertekend.',
  file: 'Pdf-bestand',
  choose: 'Bestand kiezen',
  drop: 'of hierheen slepen',
  notKept: organisation => `${organisation} controleert het bestand en bewaart het niet.`,
  submit: 'Controleren',
  another: 'Nog een bestand controleren',
  languages: 'Talen',
  documentTitle: 'Document',
  fileName: 'Bestand',
  sealedBy: 'Verzegeld door',
  people: 'Wie heeft ondertekend',
  signedOn: time => `ondertekend op ${time}`,
  approvedOn: time => `goedgekeurd op ${time}`,
  fromRecord:
    'Namen en tijden komen uit de gegevens van deze dienst. Het auditcertificaat aan het eind van het bestand vermeldt ze ook.',
  isInRecord: ({ sealer, time }) =>
    `De gegevens van deze dienst bevatten precies dit bestand: ${sealer} heeft het op ${time} verzegeld en sindsdien is het niet gewijzigd.`,
  quoted: name => `“${name}”`,
  verdicts: {
    validHere: {
      heading: 'Geldig',
      sentence: ({ sealer, time }) => `Dit is precies het bestand dat ${sealer} op ${time} heeft verzegeld.`,
      advice: [],
    },
    valid: {
      heading: 'Geldig',
      sentence: ({ sealer }) => `Dit bestand is niet gewijzigd sinds ${sealer} het heeft verzegeld.`,
      advice: [
        'Deze dienst heeft geen gegevens over dit bestand, of niet meer: gegevens worden na afloop van hun bewaartermijn verwijderd. Wie wanneer heeft ondertekend, staat in het auditcertificaat aan het eind van het bestand.',
      ],
    },
    validChanged: {
      heading: 'Geldig ondertekend, daarna gewijzigd',
      sentence: ({ signer }) =>
        `Dit bestand is geldig ondertekend door ${signer} en daarna zichtbaar gewijzigd, zoals de auteur toestaat.`,
      advice: ['Lees elke wijziging in de lijst: wie eerder heeft ondertekend, heeft die niet ondertekend.'],
    },
    notValid: {
      heading: 'Niet geldig',
      sentence: () => 'Dit bestand is na het ondertekenen of verzegelen gewijzigd, of een handtekening erin is niet echt.',
      advice: ['Vertrouw niet op dit bestand. Vraag de afzender om het origineel.'],
    },
    notChecked: {
      heading: 'Niet gecontroleerd',
      sentence: () => 'Een handtekening in dit bestand kan hier niet worden gecontroleerd, of gebruikt een te zwakke methode.',
      advice: [
        'Dat betekent niet dat het bestand is gewijzigd. Misschien kan een ander programma haar controleren: de technische details vermelden waarom het hier niet kan.',
      ],
    },
    unreadable: {
      heading: 'Niet leesbaar',
      sentence: () => 'Dit bestand is geen pdf, is beschadigd of kan alleen met een wachtwoord worden geopend.',
      advice: [
        'Download het bestand opnieuw of vraag de afzender het opnieuw te sturen. Kan het alleen met een wachtwoord worden geopend, vraag dan om het origineel zonder wachtwoord.',
      ],
    },
    unknown: {
      heading: 'Ongewijzigd, maar van onbekende herkomst',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, maar of het echt van ${signer} komt, is hier niet bekend.`,
      advice: [
        'Iedereen kan een certificaat op elke naam maken.',
        'Noemt het auditcertificaat aan het eind van het bestand het adres van een andere dienst, controleer het bestand dan daar, mits u weet van wie dat adres is.',
        'Of vraag de afzender, via een telefoonnummer dat u al kent, naar de vingerafdruk van het certificaat en vergelijk die met de vingerafdruk in de technische details.',
      ],
    },
    revoked: {
      heading: 'Ongewijzigd, maar het certificaat is ingetrokken',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, maar het certificaat van ${signer} is ingetrokken en niets toont aan dat het toen nog geldig was.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Ongewijzigd, maar het certificaat is verlopen',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, maar het certificaat van ${signer} is verlopen en geen vertrouwd tijdstempel toont aan dat het toen nog geldig was.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Niet ondertekend',
      sentence: () =>
        'Dit bestand bevat geen elektronische handtekening en geen zegel: niets toont aan van wie het komt of dat het is gewijzigd.',
      advice: [
        'Noch de afbeelding van een handtekening, noch een pagina die op een auditcertificaat lijkt, beschermt een bestand. Een kopie die is afgedrukt, gescand of opnieuw opgeslagen, heeft haar zegel verloren: vraag de afzender om het verzegelde bestand zelf.',
      ],
    },
    onlyTimestamped: {
      heading: 'Niet ondertekend, alleen met tijdstempel',
      sentence: () => 'Een tijdstempel toont aan wanneer dit bestand bestond, maar niet van wie het komt.',
      advice: [],
    },
  },
  changes: {
    heading: 'Wijzigingen na het ondertekenen',
    field: (name, before, after) => `Veld ${name}: eerst ${before}, nu ${after}`,
    comment: type => `Opmerking (${type})`,
    signature: name => `Zichtbare handtekening ${name}`,
    property: (name, before, after) => `Documenteigenschap ${name}: eerst ${before}, nu ${after}`,
    empty: 'leeg',
    page: n => `pagina ${n}`,
    noPage: 'op geen pagina',
  },
  details: {
    heading: 'Technische details',
    sha256: 'Vingerafdruk van het bestand (SHA-256)',
    remarks: 'Opmerkingen',
    additions: 'Toegestane latere wijzigingen',
    signature: n => `Handtekening of zegel ${n}`,
    timestamp: n => `Documenttijdstempel ${n}`,
    name: 'Naam in het certificaat',
    unknown: 'onbekend',
    content: 'Ondertekende inhoud',
    certificate: 'Certificaat',
    time: 'Tijdstempel',
    timeBy: (time, authority) => `${time}, door ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, door ${authority}, hier niet vertrouwd`,
    claimedTime: 'Tijd volgens de handtekening, zonder bewijs',
    fingerprint: 'Vingerafdruk van het certificaat (SHA-256)',
    result: 'Resultaat (ETSI EN 319 102-1)',
    level: 'Niveau',
    noLevel: 'geen PAdES-basishandtekening',
    field: 'Veld',
    none: 'geen',
    integrity: {
      intact: 'Ongewijzigd',
      broken: 'Gewijzigd, of niet de ondertekende inhoud',
      'not-checked': 'Kon niet worden gecontroleerd',
    },
    trust: { trusted: 'Hier vertrouwd', unknown: 'Hier niet vertrouwd', revoked: 'Ingetrokken', expired: 'Verlopen' },
    certificates: 'Certificaten van deze dienst, om zijn bestanden zonder netwerk te controleren',
    otherPrograms:
      'Andere programma’s kunnen iets anders zeggen. Firefox zegt van elke PAdES-handtekening dat die niet kon worden gecontroleerd, omdat het deze vorm niet kent. Acrobat noemt de ondertekenaar onbekend totdat het het certificaat krijgt. Geen van beide zegt iets ten nadele van het bestand.',
  },
}
