/** Einstellungen → Zustand → Upgrade. */
import type { upgrade as English } from '../../en/app/upgrade.ts'

const hours = (n: number) => (n === 1 ? 'eine weitere Stunde' : `weitere ${n} Stunden`)

export const upgrade: typeof English = {
  title: 'Upgrade abschließen',
  lead: 'Knoten zweier Versionen können zusammen laufen. Neues wartet, bis nur noch Knoten der neuen Version übrig sind, weil die älteren es nicht beachten würden.',
  waiting: 'Das ist noch nicht möglich',
  features: {
    approvalWithoutMark: 'Zustimmung ohne Unterschrift',
    sharedAddress: 'Zwei Unterzeichnende mit einer E-Mail-Adresse',
    signNow: '„Jetzt unterschreiben“ für alle, die hier angemeldet sind',
    sessionEnd: 'Sitzungen, die mit der Unterschrift enden',
    consentEntry: 'Die Einwilligung als eigenes Ereignis',
    pkcs7Seal: 'Siegel mit dem SubFilter adbe.pkcs7.detached',
    receiptMail: 'Der Beleg per E-Mail für alle, die unterschrieben haben',
    deviceKeyRequired: 'Ein Schlüssel des eigenen Geräts, der verlangt wird',
  },
  older: 'Ersetzen Sie zuerst das Programm dieser Knoten',
  node: (name, version) => `${name}, Version ${version}`,
  byItself: left =>
    `Alle Knoten haben die neue Version. Das Upgrade wird von selbst abgeschlossen, wenn ${hours(left)} lang nur solche Knoten laufen.`,
  irreversible:
    'Danach kann die Version davor nicht mehr mit dieser Datenbank laufen: Für einen Weg zurück muss eine Sicherung aus der Zeit davor wiederhergestellt werden, und was danach kam, ist verloren.',
  reason: 'Der Abschluss des Upgrades lässt sich nicht rückgängig machen.',
  finish: 'Upgrade abschließen',
  finished: 'Das Upgrade ist abgeschlossen',
  finishedText: 'Alles, was diese Version kann, ist möglich. Ältere Versionen können nicht mehr mit dieser Datenbank laufen.',
  row: 'Upgrade',
  rowFinished: 'Abgeschlossen: Alles, was diese Version kann, ist möglich.',
  rowOpen: 'Nicht abgeschlossen: Neues ist noch nicht möglich, und die Version davor kann noch wieder eingesetzt werden.',
}
