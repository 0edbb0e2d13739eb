/** The mail to the owner of a batch about rows that failed, in German. */
import type { batchMail as english } from '../../en/app/batch-mail.ts'

export const batchMail: typeof english = {
  subject: (title, failed) =>
    failed === 1 ? `1 Dokument aus „${title}“ wurde nicht gesendet` : `${failed} Dokumente aus „${title}“ wurden nicht gesendet`,
  failed: (title, failed, total) =>
    total === 1
      ? `Die Sendung „${title}“ ist abgeschlossen. Ihr Dokument wurde nicht gesendet.`
      : `Die Sendung „${title}“ ist abgeschlossen. Von ${total} Dokumenten ${failed === 1 ? 'wurde 1' : `wurden ${failed}`} nicht gesendet.`,
  what: days => `In der Sendung steht bei jedem der Grund. Dort können Sie sie innerhalb von ${days} Tagen noch einmal senden.`,
  open: 'Sendung öffnen',
}
