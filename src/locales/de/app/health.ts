/** Texts of the Health page, in German. */
import type { health as English } from '../../en/app/health.ts'

const days = (count: number) => (count === 1 ? '1 Tag' : `${count.toLocaleString('de')} Tagen`)

export const health: typeof English = {
  title: 'Zustand',
  allWell: 'Alles in Ordnung.',
  needsAttention: 'Etwas braucht Aufmerksamkeit.',
  needsAction: 'Es muss jetzt gehandelt werden.',
  words: { good: 'In Ordnung', info: 'Hinweis', warn: 'Bitte ansehen', bad: 'Jetzt handeln' },
  columns: { state: 'Zustand', check: 'Prüfung', finding: 'Befund', link: 'Wo es behoben wird' },
  mend: 'Öffnen',
  retry: 'Jetzt erneut versuchen',
  retryOf: kind => `Jetzt erneut versuchen: ${kind}`,
  notices: {
    retried: 'Alles, was auf einen weiteren Versuch wartete, wird jetzt erneut versucht.',
    started: 'Die Prüfungen haben begonnen. Laden Sie diese Seite neu, um das Ergebnis zu sehen.',
    running: 'Die Prüfungen laufen bereits.',
  },
  alerts: 'Offene Warnungen',
  service: 'Dienst',
  work: 'Wartende Arbeit',
  names: {
    database: 'Datenbank',
    files: 'Dateien',
    disk: 'Datenträger',
    backup: 'Sicherung',
    certificate: 'Siegelzertifikat',
    timestamps: 'Zeitstempel',
    clock: 'Uhr',
    nodes: 'Knoten',
    version: 'Version',
    address: 'Adresse',
    masterKey: 'Hauptschlüssel',
    mail: 'E-Mails',
    webhook: 'Webhooks',
    seal: 'Siegel',
    augment: 'Zeitstempel der Siegel',
    mailServer: 'Mailserver',
    fixed: 'Einstellungen der Umgebung',
  },
  database: (engine, size) => `${engine}, ${size}.`,
  databaseDamaged: problem =>
    `Ein Schaden wurde gemeldet: ${problem}. Bewahren Sie eine Kopie der Daten auf, und spielen Sie eine Sicherung ein.`,
  filesWell: checked => `Kein Schaden bekannt. Alle Dateien werden wöchentlich gelesen und verglichen, zuletzt am ${checked}.`,
  filesUnchecked: 'Kein Schaden bekannt. Alle Dateien werden wöchentlich gelesen und verglichen.',
  filesDamaged: count =>
    count === 1
      ? '1 gespeicherte Datei ist beschädigt: Spielen Sie sie aus einer Sicherung ein.'
      : `${count} gespeicherte Dateien sind beschädigt: Spielen Sie sie aus einer Sicherung ein.`,
  diskReadOnly:
    'Der Datenträger lehnt jede Änderung ab, und niemand kann unterschreiben: Prüfen Sie ihn und sein Dateisystem, und starten Sie den Dienst dann neu.',
  disk: (free, total) => `${free} von ${total} sind frei.`,
  diskNear: (free, total, low) =>
    `Nur noch ${free} von ${total} sind frei. Sind es weniger als ${low}, werden neue Dokumente abgelehnt: Schaffen Sie Platz, oder vergrößern Sie den Datenträger.`,
  diskLow: free =>
    `Nur noch ${free} sind frei: Neue Dokumente werden abgelehnt. Schaffen Sie Platz, oder vergrößern Sie den Datenträger.`,
  backup: at => `Die letzte geprüfte Sicherung ist vom ${at}.`,
  noBackup: 'Es werden keine Sicherungen erstellt: Richten Sie sie ein.',
  backupElsewhere: 'Dieser Dienst hat noch keine Sicherung erstellt.',
  certificateOwn: (left, end) =>
    `Es läuft in ${left === 1 ? 'einem Tag' : days(left)} ab, am ${end}, und wird vorher automatisch erneuert.`,
  certificateImported: (left, end) =>
    `Es läuft in ${left === 1 ? 'einem Tag' : days(left)} ab, am ${end}: Importieren Sie vorher seinen Nachfolger.`,
  certificateExpired: 'Es ist abgelaufen: Erneuern Sie es, oder importieren Sie seinen Nachfolger.',
  authorities: count =>
    count === 1 ? '1 Zeitstempeldienst ist eingerichtet.' : `${count} Zeitstempeldienste sind eingerichtet.`,
  noAuthorities: 'Kein Zeitstempeldienst ist eingerichtet: Die Zeit im Siegel ist die dieses Servers.',
  neverAsked: 'Bisher wurde keiner angefragt.',
  timestamped: at => `Der letzte Zeitstempel kam am ${at}.`,
  timestampFailed: (at, why) => `Die letzte Anfrage am ${at} ist fehlgeschlagen: ${why}.`,
  authorityClock: (seconds, at) => `Am ${at} wich sie um ${seconds} s von der des Zeitstempeldienstes ab.`,
  clock: ms => `Sie weicht um ${ms} ms von der Uhr der Datenbank ab.`,
  clockWrong: ms => `Sie weicht um ${ms} ms von der Uhr der Datenbank ab: Stellen Sie beide über NTP.`,
  nodes: list => `${list}.`,
  nodesDiffer: list => `Mehrere Versionen laufen: ${list}. Bringen Sie alle Knoten auf die neueste.`,
  version: (version, schema, commit, day) =>
    `Signet ${version}, Schema ${schema}, Commit ${commit}${day === undefined ? '' : ` vom ${day}`}.`,
  https: address => `${address}`,
  noHttps: address => `${address} ist nicht https: Links zum Unterschreiben können im Netz mitgelesen werden.`,
  masterKey: {
    elsewhere: 'Er liegt außerhalb des Datenordners.',
    'in folder': 'Er liegt in dem Ordner, den er schützt: Bewahren Sie ihn mit SIGNET_MASTER_KEY_FILE anderswo auf.',
    former:
      'Er wurde ersetzt, aber in seiner Datei steht noch der frühere: Legen Sie den neuen dorthin, wie signet key rotate-master es gesagt hat.',
  },
  mailServer: failed =>
    `Ein Mailserver ist eingerichtet. In den letzten 24 Stunden ${failed === '1' ? 'ist 1 E-Mail' : `sind ${failed} E-Mails`} fehlgeschlagen.`,
  mailServerWell: 'Ein Mailserver ist eingerichtet. In den letzten 24 Stunden ist keine E-Mail fehlgeschlagen.',
  noMailServer: 'Kein Mailserver ist eingerichtet: E-Mails werden nur im Postausgang abgelegt.',
  fixed: variables => `${variables}.`,
  nothingWaits: 'Nichts wartet.',
  waiting: count => `Jetzt fällig: ${count}.`,
  failing: (count, why) =>
    `${count === '1' ? '1 ist fehlgeschlagen und wird später erneut versucht.' : `${count} sind fehlgeschlagen und werden später erneut versucht.`} Die letzte Antwort: ${why}`,
  whatToDo: {
    mail: 'Testen Sie den Mailserver, und versuchen Sie es dann erneut.',
    webhook: 'Die Empfänger antworten nicht oder lehnen ab: Sehen Sie die Zustellungen des Webhooks an.',
    seal: 'Siegeln Sie eine Testseite, um das Zertifikat zu prüfen, und versuchen Sie es dann erneut.',
    augment: 'Fordern Sie einen Test-Zeitstempel an, und versuchen Sie es dann erneut.',
  },
  atLeast: count => `${count} oder mehr`,
  deep: 'Gründliche Prüfungen',
  deepText:
    'Datenbank, Kette des Audit-Protokolls, Dokumente mit dem, was es über sie sagt, und Dateien werden gelesen und verglichen, eine Testseite wird gesiegelt und geprüft, und die Abschottung der Prozesse, die PDFs lesen, wird untersucht, wie `signet doctor` es tut.',
  deepNever: 'Sie sind noch nicht gelaufen.',
  deepRunning: 'Sie laufen gerade. Laden Sie diese Seite neu, um das Ergebnis zu sehen.',
  deepAt: at => `Zuletzt am ${at}.`,
  deepNames: {
    database: 'Datenbank',
    'audit log': 'Audit-Protokoll',
    documents: 'Dokumente und Protokoll',
    checksums: 'Prüfsummen',
    durability: 'Dauerhaftigkeit',
    standby: 'Replik',
    clock: 'Uhr',
    connections: 'Verbindungen',
    schema: 'Schema',
    nodes: 'Knoten',
    node: 'Knoten',
    'round trip': 'Laufzeit zur Datenbank',
    writer: 'Schreiben',
    login: 'Anmeldung an der Datenbank',
    files: 'Dateien',
    'file size': 'Größe aller Dateien',
    seal: 'Siegel',
    children: 'Abschottung',
    'file store': 'Dateispeicher',
    objects: 'Objekte',
    copies: 'Kopien',
  },
  checkNow: 'Jetzt prüfen',
  clockPage: {
    title: 'Welche Zeit stimmt?',
    lead: {
      ahead:
        'Die Uhr dieses Servers geht gegenüber dem, was seine Daten wissen, mehr als einen Tag vor, und der Dienst lief dazwischen nicht.',
      behind: 'Die Uhr dieses Servers geht gegenüber dem, was seine Daten wissen, mehr als einen Tag nach.',
    },
    now: 'Die Uhr zeigt jetzt',
    shown: 'Sie zeigte, als die Abweichung auffiel',
    known: 'Die Daten wurden zuletzt benutzt am',
    waits: 'Was wartet, bis Sie antworten',
    waitsText:
      'Kein Dokument läuft ab, nichts wird gelöscht oder aufgeräumt, niemand wird erinnert, kein Siegel wird erneuert. Senden und Unterschreiben gehen weiter, E-Mails gehen hinaus, Dokumente werden gesiegelt. In der Stunde nach dem Fund der Abweichung wartet all das in jedem Fall.',
    right:
      'Die Uhr geht richtig, wenn der Dienst wirklich so lange aus war, etwa auf einem Laptop, der geschlafen hat, oder auf einem wiederhergestellten Rechner. Was inzwischen fällig wurde, geschieht dann.',
    corrected:
      'Ging die Uhr falsch, stellen Sie sie zuerst richtig, am besten über NTP, und bestätigen Sie es hier. Was inzwischen gesendet oder unterschrieben wurde, behält im Audit-Protokoll die falschen Zeiten.',
    rightButton: 'Die Uhr geht richtig',
    correctedButton: 'Ich habe sie gestellt',
    reason: 'Was danach von selbst geschieht, lässt sich nicht rückgängig machen.',
    believed: 'Der Uhr wird geglaubt',
    believedText:
      'Sie passt zu dem, was die Daten wissen. Nach jedem Start und nach jedem Sprung der Uhr wird beides verglichen.',
  },
}
