/** Texts of the page that verifies files on the reader's device, in Dutch. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Zie wie een document wanneer heeft ondertekend, en of het sindsdien is gewijzigd.',
  files: 'Ondertekende pdf, bewijspakket (ZIP) of ontvangstbewijs (EML)',
  choose: 'Bestanden kiezen',
  drop: 'of hierheen slepen',
  stays: 'Uw bestanden blijven op dit apparaat. Deze pagina werkt zonder internet; ze verstuurt en bewaart niets.',
  staysHere: organisation => `Uw browser controleert het bestand zelf: het wordt niet naar ${organisation} verstuurd.`,
  keep: 'De controlepagina opslaan (verify.html), die zonder deze dienst en zonder internet werkt',
  language: 'Taal',
  reading: (name, percent) => `${name} wordt gelezen: ${percent} %`,
  checking: (name, seconds) => `${name} wordt gecontroleerd: ${seconds} s`,
  cancel: 'Annuleren',
  cancelled: 'Geannuleerd.',
  clear: 'Leegmaken',
  print: 'Afdrukken',
  problems: {
    empty: {
      heading: 'Leeg bestand',
      sentence: 'Dit bestand heeft geen inhoud. Download het opnieuw, of vraag het nog eens aan de afzender.',
    },
    tooLarge: {
      heading: 'Te groot voor deze pagina',
      sentence: 'Deze pagina neemt bestanden tot 100 MB. Controleer dit bestand met het programma: signet verify BESTAND.',
    },
    unknownKind: {
      heading: 'Geen pdf en geen bewijspakket',
      sentence:
        'Deze pagina controleert ondertekende pdf-bestanden, bewijspakketten (ZIP) en ontvangstbewijzen (EML). Kies het bestand dat u hebt ontvangen, geen afbeelding of kopie in een ander formaat.',
    },
    locked: {
      heading: 'Gaat alleen open met een wachtwoord',
      sentence: 'Deze pdf is versleuteld en kan niet worden gecontroleerd. Vraag de afzender om het bestand zonder wachtwoord.',
    },
    damagedPack: {
      heading: 'Geen volledig bewijspakket',
      sentence:
        'Deze ZIP is beschadigd of geen bewijspakket. Download die opnieuw. Bevat de ZIP alleen een ondertekende pdf, pak die dan uit en kies de pdf.',
    },
    wrongCertificate: {
      heading: 'Geen certificaat',
      sentence: 'Dit bestand bevat geen leesbaar certificaat. Certificaten zijn bestanden in PEM of DER, zoals seal.pem.',
    },
    unreadable: {
      heading: 'Kan niet worden geopend',
      sentence:
        'De browser kan dit bestand niet lezen. Misschien is het verplaatst of gewijzigd sinds u het hebt gekozen: kies het opnieuw.',
    },
    memory: {
      heading: 'Te weinig geheugen',
      sentence:
        'Dit bestand heeft meer geheugen nodig dan de browser heeft. Sluit andere vensters, of gebruik een groter apparaat.',
    },
    stopped: {
      heading: 'Afgebroken',
      sentence:
        'De controle eindigde onverwacht; over dit bestand is daarom niets bekend. Probeer het opnieuw, of gebruik een andere browser.',
    },
    tooLong: {
      heading: 'Duurde te lang',
      sentence:
        'De controle is na 5 minuten gestopt; over dit bestand is daarom niets bekend. Controleer het met het programma: signet verify BESTAND.',
    },
  },
  trust: {
    label: 'Grond van het vertrouwen',
    given: names => `Certificaten die u hebt gegeven: ${names}`,
    pack: 'Het certificaat in het pakket zelf. Vergelijk de vingerafdruk ervan met die welke u langs een andere weg van de organisatie hebt.',
    instance: organisation => `De certificaten van deze dienst, ${organisation}`,
    none: 'Nog niets: er is geen certificaat van de afzender gegeven. Kies het samen met het bestand, bijvoorbeeld seal.pem.',
    heading: 'Certificaten die u vertrouwt',
    hint: 'Certificaten (PEM of DER) die u hier kiest of neerzet, gelden als vertrouwd. Neem ze alleen van iemand die u kent.',
    purpose: name => `Waarvoor ${name} geldt`,
    signers: 'handtekeningen en zegels',
    timestamps: 'tijdstempels',
    remove: name => `${name} verwijderen`,
    fingerprint: 'Vingerafdruk van het certificaat van het zegel (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Geldig', sentence: title => `Het bewijs van ${title} is volledig en ongewijzigd.`, advice: [] },
      validByPack: {
        heading: 'Volledig en ongewijzigd, volgens het eigen certificaat',
        sentence: title =>
          `Het bewijs van ${title} is volledig en klopt met zichzelf, maar alleen het pakket zegt van wie het certificaat is.`,
        advice: [
          'Iedereen kan een certificaat met elke naam maken. Vergelijk de vingerafdruk hieronder met die welke de organisatie u heeft gegeven, of kies haar certificaat samen met het pakket.',
        ],
      },
      notValid: {
        heading: 'Niet geldig',
        sentence: title => `Het bewijs van ${title} is gewijzigd, onvolledig of spreekt zichzelf tegen.`,
        advice: [
          'Vertrouw niet op dit pakket. Wat mislukte, staat in de technische details. Vraag de afzender om een nieuw pakket.',
        ],
      },
      unknown: {
        heading: 'Ongewijzigd, maar van onbekende herkomst',
        sentence: title => `Het bewijs van ${title} klopt, maar het zegel is niet van een certificaat dat u vertrouwt.`,
        advice: [
          'Iedereen kan een certificaat met elke naam maken. Vraag de afzender om het certificaat, langs een weg die u al kent.',
        ],
      },
      notChecked: {
        heading: 'Niet volledig gecontroleerd',
        sentence: title => `Een deel van het bewijs van ${title} kan hier niet worden gecontroleerd.`,
        advice: ['Dat betekent niet dat het is gewijzigd. De technische details zeggen welk deel het is, en waarom.'],
      },
    },
    source:
      'Namen en tijden komen uit het auditlogboek in het pakket, dat door het zegel wordt gedekt. De tijden zijn die van de klok van de dienst.',
    erased: 'Een persoon van wie de naam is gewist',
    person: {
      openedFromApp: 'geopend vanuit de webapp door de aangemelde persoon, niet via een gemailde link',
      from: address => `vanaf ${address}`,
      consent: version => `toestemming ${version}`,
      deviceKey: 'en ook met een sleutel van het eigen apparaat',
      deviceKeyUnverified: 'en ook met een sleutel van het eigen apparaat, het apparaat heeft de gebruiker niet gecontroleerd',
      sealedEntry: number => `regel ${number} van het log, gedekt door het zegel`,
      entry: number => `regel ${number} van het log`,
    },
    checks: 'Wat is gecontroleerd',
    outcomes: { passed: 'In orde', failed: 'Mislukt', 'not-checked': 'Niet gecontroleerd', note: 'Opmerking' },
    sealedFile: 'De verzegelde pdf in het pakket',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Geldig ontvangstbewijs',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} heeft bevestigd dat ${name} ${title} op ${time} heeft ondertekend.`,
        advice: ['Kies ook het bewijspakket van het document: de pagina zegt dan of het logboek deze ondertekening nog bevat.'],
      },
      validWithLog: {
        heading: 'Geldig ontvangstbewijs, en het logboek klopt ermee',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} heeft bevestigd dat ${name} ${title} op ${time} heeft ondertekend, en het logboek bevat deze ondertekening nog.`,
        advice: [],
      },
      notValid: {
        heading: 'Niet geldig',
        sentence: () => 'Dit ontvangstbewijs is gewijzigd, of het spreekt zichzelf of het ermee gekozen bestand tegen.',
        advice: [
          'De technische details zeggen wat mislukte. Is het ontvangstbewijs echt en spreekt het logboek het tegen, dan is het logboek gewijzigd: bewaar beide bestanden.',
        ],
      },
      unknown: {
        heading: 'Ongewijzigd, maar van onbekende herkomst',
        sentence: ({ organisation, name, title, time }) =>
          `Dit ontvangstbewijs zegt dat ${name} ${title} op ${time} heeft ondertekend, maar of het echt van ${organisation} komt, is hier niet bekend.`,
        advice: [
          'Iedereen kan een certificaat met elke naam maken. Kies ook het certificaat van de organisatie, of vergelijk de vingerafdruk hieronder met die welke zij u heeft gegeven.',
        ],
      },
      notChecked: {
        heading: 'Niet volledig gecontroleerd',
        sentence: ({ name, title, time }) =>
          `Dit ontvangstbewijs zegt dat ${name} ${title} op ${time} heeft ondertekend, maar een deel ervan kan hier niet worden gecontroleerd.`,
        advice: ['De technische details zeggen welk deel het is, en waarom.'],
      },
    },
    source: 'Dat zegt het ontvangstbewijs, dat de dienst bij het ondertekenen heeft afgegeven.',
    itself: 'Het ontvangstbewijs',
  },
  validAdvice: 'Wie wanneer heeft ondertekend, staat in het auditcertificaat aan het eind van het bestand.',
  about: {
    heading: 'Is deze pagina echt?',
    version: version => `Controlepagina van Signet ${version}.`,
    check:
      'Een vervalste pagina zou alles geldig kunnen noemen. Het auditcertificaat van een document drukt de SHA-256 van zijn controlepagina af. Vergelijk die met wat een van deze opdrachten voor dit bestand toont:',
    limits:
      'De pagina heeft geen dienst nodig. Wat ze niet kan weten: welke certificaten zijn ingetrokken nadat het bestand was gemaakt, en wat er in de gegevens van de organisatie staat.',
  },
  record: {
    ask: organisation => `${organisation} naar de gegevens over dit bestand vragen`,
    sends: 'Alleen de vingerafdruk van het bestand (SHA-256) wordt verstuurd.',
    known: (organisation, time) => `In de gegevens van ${organisation} staat precies dit bestand: het is op ${time} voltooid.`,
    unknown: 'In de gegevens staat zo’n bestand niet, of niet meer: gegevens worden na afloop van hun bewaartermijn verwijderd.',
    failed: 'De dienst heeft niet geantwoord. Probeer het later opnieuw.',
    upload: 'Het bestand versturen om de namen in de gegevens te zien',
  },
}
