/** Einstellungen → Sicherungen, and the pause of sending after a restore, in German. */
import type { backups as English } from '../../en/app/backups.ts'

const count = (n: number) => n.toLocaleString('de')
const some = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`

export const backups: typeof English = {
  pause: {
    title: 'Versand fortsetzen',
    strip: 'Es wird nichts versendet: Diese Installation wurde aus einer Sicherung wiederhergestellt.',
    stripLink: 'Ansehen, was wartet',
    lead: (restored, made) => `Diese Installation wurde ${restored} aus einer Sicherung wiederhergestellt, die ${made} entstand.`,
    why: 'Was damals fällig war, kann inzwischen versendet worden sein. Bis Sie den Versand fortsetzen, warten E-Mails, Webhook-Aufrufe, Erinnerungen und Fristen. Unterschreiben ist möglich, und Dokumente werden gesiegelt.',
    waits: 'Das geht hinaus, sobald Sie fortsetzen',
    nothing: 'Im Augenblick ist nichts fällig. Neue E-Mails gehen danach wieder hinaus.',
    mails: n => some(n, 'E-Mail', 'E-Mails'),
    webhooks: n => some(n, 'Webhook-Aufruf', 'Webhook-Aufrufe'),
    reminders: n => some(n, 'Erinnerung', 'Erinnerungen'),
    expiring: n => `${some(n, 'Dokument läuft', 'Dokumente laufen')} ab`,
    seeMails: 'E-Mails ansehen',
    irreversible: 'Versendetes lässt sich nicht zurückholen. Manche erhalten eine E-Mail vielleicht zum zweiten Mal.',
    reason: 'Damit gehen E-Mails an andere.',
    resume: 'Versand fortsetzen',
    notPaused: 'Der Versand läuft',
    notPausedText: 'E-Mails, Webhook-Aufrufe und Erinnerungen gehen wie gewohnt hinaus.',
  },
}
