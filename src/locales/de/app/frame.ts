/** Texts of the frame of every page, in German. */
import type { frame as English } from '../../en/app/frame.ts'

export const frame: typeof English = {
  skip: 'Zum Inhalt springen',
  mainNavigation: 'Hauptnavigation',
  documents: 'Dokumente',
  newDocument: 'Neues Dokument',
  newShort: 'Neu',
  contacts: 'Kontakte',
  verify: 'Prüfen',
  settings: 'Einstellungen',
  account: name => `Konto: ${name}`,
  accountShort: 'Konto',
  language: 'Sprache',
  signOut: 'Abmelden',
  signIn: 'Anmelden',
  keys: 'Tastenkürzel',
  keyList: {
    help: 'Diese Liste anzeigen',
    new: 'Neues Dokument',
    search: 'Suchen',
    next: 'Nächste Zeile',
    previous: 'Vorherige Zeile',
    open: 'Zeile öffnen',
  },
  keysNote: 'Während Sie etwas eingeben, haben diese Tasten keine Wirkung.',
  keysOn: 'Diese Tasten verwenden',
  alertsTitle: 'Handlungsbedarf für die Administration',
  certificateEnds: days =>
    days < 0
      ? 'Das Siegelzertifikat ist abgelaufen.'
      : `Das Siegelzertifikat läuft ${days === 0 ? 'heute' : days === 1 ? 'in 1 Tag' : `in ${days} Tagen`} ab.`,
  certificateReplace: 'Nachfolger importieren',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  back: 'Zurück',
  more: 'Mehr',
  optional: 'optional',
  pleaseCheck: 'Bitte prüfen Sie Ihre Angaben:',
  chooseFile: 'Datei auswählen',
  chooseFiles: 'Dateien auswählen',
  orDrop: 'oder hierher ziehen',
  orDropSeveral: 'oder hierher ziehen',
  ask: contact => `Fragen? Wenden Sie sich an ${contact}.`,
  failure: {
    notFound: 'Nicht gefunden',
    notPossible: 'Nicht möglich',
    over: 'Nicht mehr möglich',
    wait: 'Bitte warten',
    other: 'Etwas ist schiefgegangen',
  },
}
