/** Texts of the page that verifies a PDF, in German. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Diese Datei ist seit dem Unterschreiben oder Siegeln unverändert'
const CHANGED = 'Diese Datei wurde nach dem Unterschreiben oder Siegeln nur so geändert, wie ihr Verfasser es erlaubt'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK =
  'Fragen Sie beim Absender nach, ob die Datei echt ist, und zwar unter einer Telefonnummer oder Adresse, die Sie bereits kennen.'

export const verify: VerifyTexts = {
  title: 'Unterschriebenes PDF prüfen',
  lead: 'Stellen Sie fest, ob ein PDF nach dem Unterschreiben oder Siegeln verändert wurde und wer es unterschrieben hat.',
  file: 'PDF-Datei',
  choose: 'Datei auswählen',
  drop: 'oder hierher ziehen',
  notKept: organisation => `${organisation} prüft die Datei und bewahrt sie nicht auf.`,
  submit: 'Prüfen',
  another: 'Weitere Datei prüfen',
  languages: 'Sprachen',
  documentTitle: 'Dokument',
  fileName: 'Datei',
  sealedBy: 'Gesiegelt von',
  people: 'Wer unterschrieben hat',
  signedOn: time => `unterschrieben am ${time}`,
  approvedOn: time => `genehmigt am ${time}`,
  fromRecord:
    'Namen und Zeiten stammen aus den Aufzeichnungen dieses Dienstes. Das Audit-Zertifikat am Ende der Datei zeigt sie auch.',
  isInRecord: ({ sealer, time }) =>
    `Die Aufzeichnungen dieses Dienstes enthalten genau diese Datei: ${sealer} hat sie am ${time} gesiegelt, und seither ist sie unverändert.`,
  quoted: name => `„${name}“`,
  verdicts: {
    validHere: {
      heading: 'Gültig',
      sentence: ({ sealer, time }) => `Dies ist genau die Datei, die ${sealer} am ${time} gesiegelt hat.`,
      advice: [],
    },
    valid: {
      heading: 'Gültig',
      sentence: ({ sealer }) => `Diese Datei ist unverändert, seit ${sealer} sie gesiegelt hat.`,
      advice: [
        'Dieser Dienst hat keine Aufzeichnungen zu dieser Datei, oder keine mehr: Sie werden nach Ablauf ihrer Aufbewahrungsfrist gelöscht. Wer wann unterschrieben hat, steht im Audit-Zertifikat am Ende der Datei.',
      ],
    },
    validChanged: {
      heading: 'Gültig unterschrieben, danach geändert',
      sentence: ({ signer }) =>
        `Diese Datei wurde gültig unterschrieben (${signer}) und danach sichtbar geändert, so wie ihr Verfasser es erlaubt.`,
      advice: ['Lesen Sie jede Änderung in der Liste: Wer vorher unterschrieben hat, hat sie nicht unterschrieben.'],
    },
    notValid: {
      heading: 'Ungültig',
      sentence: () =>
        'Diese Datei wurde nach dem Unterschreiben oder Siegeln verändert, oder eine Signatur darin ist nicht echt.',
      advice: ['Verlassen Sie sich nicht auf diese Datei. Bitten Sie den Absender um das Original.'],
    },
    notChecked: {
      heading: 'Nicht geprüft',
      sentence: () => 'Eine Signatur in dieser Datei kann hier nicht geprüft werden, oder ihr Verfahren ist zu schwach.',
      advice: [
        'Das bedeutet nicht, dass die Datei verändert wurde. Vielleicht kann ein anderes Programm sie prüfen: Warum es hier nicht geht, steht in den technischen Einzelheiten.',
      ],
    },
    unreadable: {
      heading: 'Nicht lesbar',
      sentence: () => 'Diese Datei ist kein PDF, sie ist beschädigt, oder sie lässt sich nur mit einem Passwort öffnen.',
      advice: [
        'Laden Sie die Datei noch einmal herunter, oder lassen Sie sie sich noch einmal senden. Lässt sie sich nur mit einem Passwort öffnen, bitten Sie um das Original ohne Passwort.',
      ],
    },
    unknown: {
      heading: 'Unverändert, aber von unbekannter Herkunft',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, aber ob sie wirklich von ${signer} stammt, ist hier nicht bekannt.`,
      advice: [
        'Jeder kann ein Zertifikat auf einen beliebigen Namen ausstellen.',
        'Nennt das Audit-Zertifikat am Ende der Datei die Adresse eines anderen Dienstes, prüfen Sie die Datei dort, sofern Sie wissen, wem diese Adresse gehört.',
        'Oder erfragen Sie beim Absender, unter einer Telefonnummer, die Sie bereits kennen, den Fingerabdruck des Zertifikats, und vergleichen Sie ihn mit dem in den technischen Einzelheiten.',
      ],
    },
    revoked: {
      heading: 'Unverändert, aber das Zertifikat wurde widerrufen',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, aber das Zertifikat von ${signer} wurde widerrufen, und nichts belegt, dass es damals noch gültig war.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Unverändert, aber das Zertifikat ist abgelaufen',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, aber das Zertifikat von ${signer} ist abgelaufen, und kein vertrauenswürdiger Zeitstempel belegt, dass es damals noch gültig war.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Nicht unterschrieben',
      sentence: () =>
        'Diese Datei enthält weder eine elektronische Signatur noch ein Siegel: Nichts zeigt, von wem sie stammt oder ob sie verändert wurde.',
      advice: [
        'Weder das Bild einer Unterschrift noch eine Seite, die wie ein Audit-Zertifikat aussieht, schützt eine Datei. Eine Kopie, die gedruckt, gescannt oder neu gespeichert wurde, hat ihr Siegel verloren: Bitten Sie den Absender um die gesiegelte Datei selbst.',
      ],
    },
    onlyTimestamped: {
      heading: 'Nicht unterschrieben, nur mit Zeitstempel',
      sentence: () => 'Ein Zeitstempel belegt, wann es diese Datei gab, aber nicht, von wem sie stammt.',
      advice: [],
    },
  },
  changes: {
    heading: 'Änderungen nach dem Unterschreiben',
    field: (name, before, after) => `Feld ${name}: vorher ${before}, jetzt ${after}`,
    comment: type => `Kommentar (${type})`,
    signature: name => `Sichtbare Signatur ${name}`,
    property: (name, before, after) => `Dokumenteigenschaft ${name}: vorher ${before}, jetzt ${after}`,
    empty: 'leer',
    page: n => `Seite ${n}`,
    noPage: 'auf keiner Seite',
  },
  details: {
    heading: 'Technische Einzelheiten',
    sha256: 'Fingerabdruck der Datei (SHA-256)',
    remarks: 'Bemerkungen',
    additions: 'Zulässige Änderungen danach',
    signature: n => `Signatur oder Siegel ${n}`,
    timestamp: n => `Dokument-Zeitstempel ${n}`,
    name: 'Name im Zertifikat',
    unknown: 'unbekannt',
    content: 'Signierter Inhalt',
    certificate: 'Zertifikat',
    time: 'Zeitstempel',
    timeBy: (time, authority) => `${time}, von ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, von ${authority}, hier nicht vertrauenswürdig`,
    claimedTime: 'In der Signatur genannte Zeit, ohne Nachweis',
    fingerprint: 'Fingerabdruck des Zertifikats (SHA-256)',
    result: 'Ergebnis (ETSI EN 319 102-1)',
    level: 'Stufe',
    noLevel: 'keine PAdES-Baseline-Signatur',
    field: 'Feld',
    none: 'keines',
    integrity: {
      intact: 'Unverändert',
      broken: 'Verändert, oder nicht der signierte Inhalt',
      'not-checked': 'Konnte nicht geprüft werden',
    },
    trust: {
      trusted: 'Hier vertrauenswürdig',
      unknown: 'Hier nicht vertrauenswürdig',
      revoked: 'Widerrufen',
      expired: 'Abgelaufen',
    },
    certificates: 'Zertifikate dieses Dienstes, um seine Dateien ohne Netz zu prüfen',
    otherPrograms:
      'Andere Programme sagen unter Umständen etwas anderes. Firefox sagt bei jeder PAdES-Signatur, dass sie nicht geprüft werden konnte, weil es diese Form nicht kennt. Acrobat nennt den Unterzeichner unbekannt, bis es das Zertifikat bekommt. Beides spricht nicht gegen die Datei.',
  },
}
