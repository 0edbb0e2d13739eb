/** Texts of the warnings, in German. */
import type { alerts as English } from '../../en/app/alerts.ts'

export const alerts: typeof English = {
  kinds: {
    database_damaged: 'Die Datenbank ist beschädigt',
    file_damaged: 'Eine gespeicherte Datei ist beschädigt',
    sending_paused: 'Es wird nichts gesendet',
    disk_low: 'Der Datenträger ist fast voll',
    seals_failing: 'Dokumente lassen sich nicht siegeln',
    mail_failing: 'E-Mails gehen nicht hinaus',
    certificate_ends: 'Das Siegelzertifikat läuft ab',
    jobs_stuck: 'Arbeit bleibt liegen',
    clock_wrong: 'Die Uhr geht falsch',
    timestamps_failing: 'Es gibt keine Zeitstempel',
    backup_missing: 'Es gibt keine Sicherungen',
    backup_overdue: 'Die letzte Sicherung ist zu alt',
    backup_failed: 'Eine Sicherung ist fehlgeschlagen',
    webhook_disabled: 'Ein Webhook wurde deaktiviert',
    webhook_failing: 'Ein Webhook schlägt fehl',
  },
  links: {
    database_damaged: 'Ansehen, was zu tun ist',
    file_damaged: 'Ansehen, was zu tun ist',
    sending_paused: 'Ansehen, was wartet',
    disk_low: 'Freien Platz ansehen',
    seals_failing: 'Ansehen, was wartet',
    mail_failing: 'Mailserver prüfen',
    certificate_ends: 'Einstellungen des Siegels öffnen',
    jobs_stuck: 'Ansehen, was wartet',
    clock_wrong: 'Uhr ansehen',
    timestamps_failing: 'Zeitstempeldienst testen',
    backup_missing: 'Sicherungen einrichten',
    backup_overdue: 'Sicherungen ansehen',
    backup_failed: 'Sicherungen ansehen',
    webhook_disabled: 'Webhook öffnen',
    webhook_failing: 'Webhook öffnen',
  },
  more: count =>
    count === 1 ? 'Eine weitere dieser Art ist offen.' : `${count.toLocaleString('de')} weitere dieser Art sind offen.`,
  mail: {
    several: count => `${count} Warnungen zu Ihrem Signaturdienst`,
    more: count => `Und ${count.toLocaleString('de')} weitere dieser Art.`,
    last: count => `Dies ist die ${count}. E-Mail dieser Art an einem Tag: Einen Tag lang folgt keine weitere.`,
    why: 'Sie erhalten dies, weil Sie Administrator sind. In Ihrem Profil können Sie diese E-Mails abschalten.',
    link: 'Alle Warnungen ansehen',
    again: 'E-Mails gehen wieder hinaus',
    againText: (from, to) =>
      `Von ${from} bis ${to} konnte keine E-Mail gesendet werden. Was wartete, geht jetzt von selbst hinaus; nichts ging verloren.`,
    againLink: 'E-Mails ansehen',
  },
}
