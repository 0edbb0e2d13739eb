/** Texts of the page that verifies a PDF, in German. */
import type { verify as English } from '../../en/app/verify.ts'

const ASK_AGAIN =
  'Bitten Sie den Absender um die Originaldatei, und verlassen Sie sich nicht auf diese Datei, solange unklar ist, was geschehen ist.'
const UNCHANGED = 'Diese Datei wurde nach dem Unterschreiben nicht verändert.'

export const verify: typeof English = {
  title: 'Unterschriebenes PDF prüfen',
  lead: 'Stellen Sie fest, ob ein PDF nach dem Unterschreiben verändert wurde und wer es unterschrieben hat.',
  file: 'PDF-Datei',
  subject: 'Die Datei',
  notKept: organisation => `${organisation} prüft die Datei und bewahrt sie nicht auf.`,
  submit: 'Prüfen',
  another: 'Weitere Datei prüfen',
  nameOfFile: 'Datei',
  record: 'Von diesem Dienst gesiegelt',
  recordYes: time => `Ja. Das Dokument wurde am ${time} abgeschlossen.`,
  recordNo: 'Nein, nicht in genau dieser Form.',
  documentTitle: 'Dokument',
  people: 'Wer unterschrieben hat',
  signedOn: time => `unterschrieben am ${time}`,
  approvedOn: time => `genehmigt am ${time}`,
  fromRecord:
    'Namen und Zeiten stammen aus den Aufzeichnungen dieses Dienstes. Das Audit-Zertifikat am Ende der Datei zeigt sie auch.',
  problems: 'Probleme',
  fileProblems: 'Probleme mit der Datei',
  additions: 'Zulässige Änderungen nach der Unterschrift',
  unreadable: reason => `Die Datei kann nicht gelesen werden: ${reason}.`,
  details: 'Technische Einzelheiten',
  notes: 'Hinweise',
  signature: n => `Unterschrift ${n}`,
  timestamp: n => `Dokument-Zeitstempel ${n}`,
  seal: 'Elektronisches Siegel',
  sealedBy: 'Gesiegelt von',
  signedBy: 'Unterschrieben von',
  madeBy: 'Ausgestellt von',
  unknown: 'unbekannt',
  noName: 'kein Name',
  quoted: name => `„${name}“`,
  content: 'Signierter Inhalt',
  certificate: 'Zertifikat',
  time: 'Zeitstempel',
  timeBy: (time, authority, isTrusted) => `${time}, von ${authority}${isTrusted ? '' : ', hier nicht vertrauenswürdig'}`,
  claimedTime: 'Zeit nach Angabe der unterzeichnenden Person',
  fingerprint: 'Fingerabdruck des Zertifikats (SHA-256)',
  result: 'Ergebnis (ETSI EN 319 102-1)',
  level: 'Stufe',
  noLevel: 'keine PAdES-Baseline-Signatur',
  field: 'Feld',
  none: 'keines',
  whyNotTrusted: 'Warum er nicht vertrauenswürdig ist',
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
  verdicts: {
    valid: {
      heading: 'Gültig',
      meaning: signer => [`${UNCHANGED} Das Zertifikat, ausgestellt auf ${signer}, ist hier vertrauenswürdig.`],
    },
    validHere: {
      heading: 'Gültig',
      meaning: _ => [
        'Diese Datei wurde nicht verändert, seit dieser Dienst sie gesiegelt hat. Wer sie wann unterschrieben hat, steht unten.',
      ],
    },
    notValid: {
      heading: 'Ungültig',
      meaning: () => [
        `Diese Datei wurde nach dem Unterschreiben verändert, oder eine Unterschrift darin ist nicht echt. ${ASK_AGAIN}`,
      ],
    },
    notChecked: {
      heading: 'Nicht geprüft',
      meaning: () => [
        'Eine Unterschrift in dieser Datei kann hier nicht geprüft werden, oder ihr Algorithmus ist zu schwach. Das bedeutet nicht, dass die Datei verändert wurde.',
        'Vielleicht kann ein anderes Programm sie prüfen. Die Gründe stehen unten.',
      ],
    },
    unreadable: {
      heading: 'Die Datei kann nicht gelesen werden',
      meaning: () => [
        'Die Datei ist kein PDF, oder sie ist beschädigt oder durch ein Passwort geschützt. Laden Sie sie noch einmal herunter, oder lassen Sie sie sich noch einmal senden.',
      ],
    },
    unknown: {
      heading: 'Unverändert, aber von unbekannter Herkunft',
      meaning: signer => [
        `${UNCHANGED} Das Zertifikat, ausgestellt auf ${signer}, ist hier jedoch nicht vertrauenswürdig. Jeder kann ein Zertifikat auf einen beliebigen Namen ausstellen.`,
        'Erfragen Sie bei der unterzeichnenden Stelle den Fingerabdruck des Zertifikats, zum Beispiel am Telefon. Vergleichen Sie ihn mit dem Fingerabdruck in den technischen Einzelheiten.',
      ],
    },
    revoked: {
      heading: 'Unverändert, aber das Zertifikat wurde widerrufen',
      meaning: signer => [
        `${UNCHANGED} Das Zertifikat von ${signer} wurde jedoch widerrufen, und nichts belegt, dass die Unterschrift vorher entstanden ist.`,
        'Fragen Sie bei der unterzeichnenden Stelle nach, ob die Datei echt ist.',
      ],
    },
    expired: {
      heading: 'Unverändert, aber das Zertifikat ist abgelaufen',
      meaning: signer => [
        `${UNCHANGED} Das Zertifikat von ${signer} ist jedoch abgelaufen, und kein vertrauenswürdiger Zeitstempel belegt, dass die Unterschrift vorher entstanden ist.`,
        'Fragen Sie bei der unterzeichnenden Stelle nach, ob die Datei echt ist.',
      ],
    },
    notSigned: {
      heading: 'Nicht unterschrieben',
      meaning: () => [
        'Diese Datei enthält keine elektronische Unterschrift. Nichts zeigt, von wem sie stammt oder ob sie verändert wurde. Das Bild einer Unterschrift schützt eine Datei nicht.',
      ],
    },
    onlyTimestamped: {
      heading: 'Nicht unterschrieben, aber mit Zeitstempel versehen',
      meaning: () => ['Ein Zeitstempel belegt, wann es eine Datei gab. Er zeigt nicht, von wem sie stammt.'],
    },
  },
}
