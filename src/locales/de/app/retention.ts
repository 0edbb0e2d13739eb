/** Einstellungen → Aufbewahrung, and the legal hold of a document. */
import type { AppTexts } from '../../app.ts'

const count = (n: number) => n.toLocaleString('de')
const documents = (n: number) => (n === 1 ? '1 Dokument' : `${count(n)} Dokumente`)

export const retention: AppTexts['retention'] = {
  title: 'Aufbewahrung',
  lead: 'Dokumente, deren Aufbewahrungsfrist abgelaufen ist, werden jede Nacht gelöscht, samt ihren Dateien und den personenbezogenen Daten aller Beteiligten. Im Protokoll bleibt ein Eintrag ohne Namen.',
  off: 'Nichts wird automatisch gelöscht',
  offText: 'Dokumente bleiben, bis jemand sie löscht.',
  on: 'Die Aufbewahrung ist befristet',
  dueTonight: n => `Für ${documents(n)} ist die Frist abgelaufen.`,
  nothingDue: 'Noch ist für kein Dokument die Frist abgelaufen.',
  notBefore: day => `Vor dem ${day} wird nichts gelöscht. Die Administratoren wurden per E-Mail benachrichtigt.`,
  unreached: 'Niemand hat die E-Mail erhalten, die das Löschen ankündigt',
  unreachedText:
    'Was sie ankündigt, wartet, bis ein Administrator sie erhalten hat. Sehen Sie unter Postausgang nach gescheiterten E-Mails, und prüfen Sie den Mailserver in den Einstellungen.',
  notAnnounced: days => `Bevor das erste Dokument gelöscht wird, erhalten die Administratoren ${days} Tage vorher eine E-Mail.`,
  waiting: day => `Ihre Änderung gilt ab ${day}`,
  waitingText: 'Bis dahin können Sie sie zurücknehmen. Es wird nicht mehr gelöscht als bisher.',
  callOff: 'Änderung zurücknehmen',
  months: n => (n === 1 ? '1 Monat' : `${count(n)} Monate`),
  kept: 'bleiben',
  columns: { status: 'Dokumente', now: 'Jetzt', next: day => `Ab ${day}` },
  periods: 'Aufbewahrungsfristen',
  periodsText: 'In Monaten nach dem Ende eines Dokuments. Ist ein Feld leer, bleiben diese Dokumente.',
  statuses: {
    completed: 'Abgeschlossen',
    declined: 'Abgelehnt',
    voided: 'Zurückgezogen',
    expired: 'Abgelaufen',
    draft: 'Entwürfe, die niemand mehr ändert',
  },
  monthsUnit: 'Monate',
  preview: 'Weiter',
  previewHint: 'Die nächste Seite zeigt, welche Dokumente gelöscht würden. Noch wird nichts geändert.',
  holds: 'Löschsperre',
  holdsText: n =>
    n === 0
      ? 'Für kein Dokument gilt eine Löschsperre. Um ein Dokument vor dem Löschen zu schützen, setzen Sie auf seiner Seite eine Löschsperre.'
      : `Für ${documents(n)} gilt eine Löschsperre: ${n === 1 ? 'Es wird' : 'Sie werden'} nie automatisch gelöscht, und niemand kann ${n === 1 ? 'es' : 'sie'} löschen.`,
  holdsLink: 'Dokumente mit Löschsperre',
  previewTitle: 'Was gelöscht würde',
  wouldErase: (n, day) => `${documents(n)} ${n === 1 ? 'würde' : 'würden'} am ${day} oder kurz danach gelöscht`,
  wouldEraseNothing: day => `Am ${day} würde kein Dokument gelöscht`,
  laterText: 'Weitere Dokumente folgen, sobald ihre Fristen ablaufen.',
  shorterText: day =>
    `Niemand kann ein gelöschtes Dokument wiederherstellen. Die Änderung gilt ab ${day}; bis dahin können Sie sie auf dieser Seite zurücknehmen. Laden Sie rechtzeitig gesiegelte PDF herunter, die anderswo aufbewahrt werden müssen.`,
  notShorter: 'Mit diesen Fristen wird nichts gelöscht, was nicht ohnehin gelöscht worden wäre. Sie gelten sofort.',
  keepsAll: 'Dokumente bleiben dann, bis jemand sie löscht. Das gilt sofort.',
  unchanged: 'Diese Fristen gelten bereits.',
  byMonth: 'Nach Monat des Endes',
  month: 'Monat',
  total: 'Summe',
  first: n => `Die ersten ${n} Dokumente`,
  all: 'Die Dokumente',
  document: 'Dokument',
  ended: 'Beendet oder zuletzt geändert',
  status: 'Status',
  csv: 'Ganze Liste herunterladen (CSV)',
  csvName: 'zu-loeschende-dokumente.csv',
  csvColumns: ['ID', 'Titel', 'Status', 'Ende', 'Adresse'],
  passwordReason: 'Gelöschte Dokumente lassen sich nicht wiederherstellen.',
  switchOn: 'Dokumente nach diesen Fristen löschen',
  save: 'Diese Fristen speichern',
  back: 'Fristen ändern',
  mail: (count, day) => {
    const documents = count === 1 ? '1 Dokument' : `${count.toLocaleString('de')} Dokumente`
    const verb = count === 1 ? 'wird' : 'werden'
    return {
      subject: `Ab ${day} ${verb} ${documents} gelöscht`,
      paragraphs: [
        `Ab ${day} ${verb} ${documents} gelöscht, mit Dateien und personenbezogenen Daten, weil die Aufbewahrungsfrist vorbei ist.`,
        'Laden Sie vorher die gesiegelten PDFs herunter, die anderswo bleiben müssen, und setzen Sie eine Löschsperre für alles, was hier bleiben muss.',
      ],
      link: 'Ansehen, was gelöscht wird',
    }
  },
  changeMail: day => ({
    subject: `Ab ${day} werden Dokumente kürzer aufbewahrt`,
    paragraphs: [
      `Die Aufbewahrungsfristen wurden von der Administration verkürzt. Ab ${day} werden mehr Dokumente gelöscht als bisher, mit Dateien und personenbezogenen Daten.`,
      'Bis dahin kann die Änderung zurückgenommen werden. Laden Sie die gesiegelten PDFs herunter, die anderswo bleiben müssen, und setzen Sie eine Löschsperre für alles, was hier bleiben muss.',
    ],
    link: 'Ansehen, was gelöscht wird',
  }),
  notices: {
    saved: 'Die Aufbewahrungsfristen wurden gespeichert.',
    waiting: 'Die Aufbewahrungsfristen wurden gespeichert. Sie gelten nach der Wartezeit.',
    'called-off': 'Die Änderung wurde zurückgenommen.',
  },
  hold: {
    name: 'Löschsperre',
    set: 'Löschsperre setzen',
    setText:
      'Niemand kann das Dokument löschen, bis ein Administrator die Sperre aufhebt, und es wird nicht automatisch gelöscht.',
    lift: 'Löschsperre aufheben',
    liftText:
      'Das Dokument lässt sich wieder löschen. Ist seine Aufbewahrungsfrist abgelaufen, wird es in einer der nächsten Nächte gelöscht.',
    reason: 'Grund',
    reasonHint: 'Alle in Ihrer Organisation, die das Dokument sehen können, sehen den Grund. Empfänger sehen ihn nicht.',
    liftReasonHint: 'Er wird im Verlauf des Dokuments festgehalten.',
    held: 'Löschsperre',
    heldSince: day => `Löschsperre seit ${day}`,
    heldText: 'Niemand kann dieses Dokument löschen, und es wird nicht automatisch gelöscht.',
  },
}
