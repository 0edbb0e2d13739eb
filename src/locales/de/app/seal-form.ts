/** Einstellungen → Siegel → Form. */
import type { sealForm as English } from '../../en/app/seal-form.ts'

export const sealForm: typeof English = {
  title: 'Form des Siegels',
  back: 'Siegel',
  lead: 'Der SubFilter in jeder gesiegelten Datei nennt ihre Form. Bereits gesiegelte Dateien behalten ihre Form, und ihre Zeitstempel werden weiter erneuert.',
  form: 'Form',
  change: 'Form ändern',
  names: {
    'ETSI.CAdES.detached': 'PAdES (SubFilter ETSI.CAdES.detached)',
    'adbe.pkcs7.detached': 'PKCS#7 (SubFilter adbe.pkcs7.detached)',
  },
  hints: {
    'ETSI.CAdES.detached':
      'Die europäische Form mit den Basisstufen B-B bis B-LTA. Acrobat, Prüfprogramme der EU und Signet prüfen sie. Firefox kann sie nicht lesen und sagt das mit einem roten Zeichen, bei PAdES-Signaturen jedes Produkts.',
    'adbe.pkcs7.detached': 'Die ältere Form, die auch Firefox prüft. Sie ist keine PAdES-Basisstufe.',
  },
  price: 'Was PKCS#7 kostet',
  lost: [
    'B-B entfällt: Das Siegel ist keine PAdES-Basissignatur (ETSI EN 319 142-1). Wer PAdES verlangt, etwa eine Behörde, kann die Datei zurückweisen.',
    'B-T entfällt: Der Zeitstempel steht weiter im Siegel und beweist dessen Zeit, ergibt aber keine PAdES-Stufe.',
    'B-LT entfällt: Wenn die Stufe nicht unter Zeitstempel gewählt ist, folgen dem Siegel keine Prüfdaten (DSS). Eine spätere Prüfung braucht dann die Sperrlisten ihrer eigenen Zeit.',
    'B-LTA entfällt: Wenn die Stufe nicht unter Zeitstempel gewählt ist, folgt kein Dokument-Zeitstempel, und keiner wird erneuert. Ist das Zertifikat des Zeitstempels abgelaufen, lässt sich die Zeit nicht mehr beweisen.',
  ],
  holds: 'Was weiterhin gilt',
  kept: [
    'Die Signatur der Organisation über die ganze Datei (CMS, RFC 5652), mit demselben Zertifikat und denselben Verfahren.',
    'Danach ist keine Änderung erlaubt (DocMDP 1).',
    'Der Zeitstempel in der Signatur, wo ein Dienst eingetragen ist.',
    'Signet prüft jeden Teil so streng wie zuvor. Zur Stufe sagt es „keine PAdES-Basissignatur“.',
  ],
  firefox: 'Was Firefox dann zeigt',
  shown: [
    'Die Signatur als geprüft, wenn dem Siegel nichts folgt. Ist unter Zeitstempel B-LT oder B-LTA gewählt, oder wurde ein Zeitstempel später ergänzt, folgen Prüfdaten und Dokument-Zeitstempel: Firefox sagt dann, dass etwas nicht geprüft werden konnte oder dass das Dokument geändert wurde. Damit kein Zeitstempel später ergänzt wird, lassen Sie das Siegeln auf ihn warten (Zeitstempel).',
    'Grün und als gültig nur bei einem Zertifikat unter einer der Stellen, die Firefox selbst für PDF-Dateien enthält. Beim eigenen Stammzertifikat dieser Organisation sagt es gelb, dass dem Zertifikat nicht vertraut wird, auch wo es installiert ist.',
  ],
  fixed: variable => `Durch \`${variable}\` festgelegt; hier nicht änderbar.`,
  reason: 'Das ändert die Form aller Siegel ab jetzt.',
  level: level => `die Teile von ${level}, ohne PAdES-Stufe`,
}
