/** One sentence for each kind of entry of the audit log, in German, and a name for the filter. */
import type { auditEvents as English, EntryFacts } from '../../en/app/audit-events.ts'

const ROLES: Record<string, string> = { admin: 'Administrator/in', member: 'Mitglied', auditor: 'Prüfer/in' }
const roleOf = (role: string) => ROLES[role] ?? role

const REASONS: Record<string, string> = {
  'the receiver answered 410 Gone': 'Der Empfänger hat mit 410 Gone geantwortet',
  'no delivery was accepted for five days': 'Fünf Tage lang wurde keine Zustellung angenommen',
}
const reasonOf = (reason: string) => (reason === '' ? '' : `. ${REASONS[reason] ?? reason}`)

const handedOver = ({ who, document, giver, receiver }: EntryFacts) =>
  `${who} hat ${document} übergeben (${giver && `von: ${giver}; `}an: ${receiver}).`

export const auditEvents: typeof English = {
  'document.created': ['Dokument angelegt', f => `${f.who} hat ${f.document} angelegt.`],
  'document.updated': ['Entwurf bearbeitet', f => `${f.who} hat den Entwurf ${f.document} bearbeitet.`],
  'document.sent': ['Dokument gesendet', f => `${f.who} hat ${f.document} zur Unterschrift gesendet.`],
  'document.viewed': ['Dokument geöffnet', f => `${f.who} hat ${f.document} geöffnet.`],
  'document.sealing': ['Siegeln begonnen', f => `Alle sind fertig: ${f.document} wird gesiegelt.`],
  'document.sealing_failed': ['Siegeln fehlgeschlagen', f => `${f.document} konnte nicht gesiegelt werden: ${f.text('cause')}`],
  'document.completed': ['Dokument abgeschlossen', f => `${f.document} wurde abgeschlossen und gesiegelt.`],
  'document.seal_augmented': [
    'Siegel ergänzt',
    f => `Das Siegel wurde um Zeitstempel oder Sperrinformationen ergänzt: ${f.document}.`,
  ],
  'document.declined': ['Dokument abgelehnt', f => `${f.who} hat ${f.document} abgelehnt.`],
  'document.voided': ['Dokument zurückgezogen', f => `${f.who} hat ${f.document} zurückgezogen.`],
  'document.expired': ['Dokument abgelaufen', f => `${f.document} ist abgelaufen, bevor alle fertig waren.`],
  'document.deleted': [
    'Dokument gelöscht',
    f => `${f.who} hat ein Dokument mit seinen Dateien und personenbezogenen Daten gelöscht.`,
  ],
  'document.erased': [
    'Dokument nach Frist gelöscht',
    f => `${f.who} hat ein Dokument mit seinen Dateien und personenbezogenen Daten nach Ablauf der Frist gelöscht.`,
  ],
  'document.legal_hold_set': ['Löschsperre gesetzt', f => `${f.who} hat eine Löschsperre gesetzt: ${f.document}.`],
  'document.legal_hold_lifted': ['Löschsperre aufgehoben', f => `${f.who} hat die Löschsperre aufgehoben: ${f.document}.`],
  'document.owner_changed': ['Dokument übergeben', f => handedOver(f)],
  'template.created': ['Vorlage angelegt', f => `${f.who} hat ${f.document} angelegt.`],
  'template.updated': ['Vorlage geändert', f => `${f.who} hat ${f.document} geändert.`],
  'template.deleted': ['Vorlage gelöscht', f => `${f.who} hat eine Vorlage gelöscht. Daraus erstellte Dokumente bleiben.`],
  'template.owner_changed': ['Vorlage übergeben', f => handedOver(f)],
  'recipient.notified': ['Empfänger eingeladen', f => `${f.who} hat ${f.recipient} eingeladen: ${f.document}.`],
  'recipient.reminded': ['Empfänger erinnert', f => `${f.who} hat ${f.recipient} erinnert: ${f.document}.`],
  'recipient.consented': [
    'Einwilligung erteilt',
    f => `${f.recipient} hat in ${f.document} der Fassung ${f.text('consentVersion')} des Einwilligungstextes zugestimmt.`,
  ],
  'recipient.signed': [
    'Unterschrieben oder genehmigt',
    f => `${f.recipient} hat ${f.document} ${f.isApproval ? 'genehmigt' : 'unterschrieben'}.`,
  ],
  'recipient.corrected': [
    'Empfänger berichtigt',
    f => `${f.who} hat Name oder Adresse berichtigt: ${f.recipient}, ${f.document}.`,
  ],
  'recipient.delegated': ['An andere Person übergeben', f => `${f.who} hat ${f.document} an eine andere Person übergeben.`],
  'recipient.email_accepted': [
    'E-Mail gesendet',
    f => `Der Mailserver hat die E-Mail an ${f.recipient} angenommen: ${f.document}.`,
  ],
  'recipient.email_written': [
    'E-Mail im Postausgang abgelegt',
    f =>
      f.text('mail') === 'one_time_code'
        ? `Der Einmalcode für ${f.recipient} wurde im Postausgangsordner abgelegt: ${f.document}.`
        : `Die E-Mail an ${f.recipient} wurde im Postausgangsordner abgelegt: ${f.document}.`,
  ],
  'recipient.email_failed': [
    'E-Mail fehlgeschlagen',
    f => `Die E-Mail an ${f.recipient} konnte nicht zugestellt werden: ${f.document}.`,
  ],
  'recipient.access_code_failed': [
    'Falscher Zugangscode',
    f => `${f.recipient} hat einen falschen Zugangscode eingegeben: ${f.document}.`,
  ],
  'recipient.link_created': [
    'Signierlink ausgegeben',
    f => `${f.who} hat einen Signierlink für ${f.recipient} erzeugen lassen: ${f.document}.`,
  ],
  'recipient.link_opened': [
    'Ausgegebener Link geöffnet',
    f => `${f.recipient} hat ${f.document} über den Link geöffnet, der ausgegeben wurde.`,
  ],
  'recipient.link_requested': ['Neuen Link angefordert', f => `${f.recipient} hat einen neuen Link angefordert: ${f.document}.`],
  'recipient.opened_from_app': [
    'In der Web-App geöffnet',
    f => `${f.recipient} war in der Web-App angemeldet und hat ${f.document} dort geöffnet, nicht über einen gemailten Link.`,
  ],
  'recipient.access_code_accepted': [
    'Zugangscode eingegeben',
    f => `${f.recipient} hat den Zugangscode eingegeben: ${f.document}.`,
  ],
  'recipient.code_sent': ['Einmalcode angefordert', f => `${f.recipient} hat einen Einmalcode angefordert: ${f.document}.`],
  'recipient.code_failed': [
    'Falscher Einmalcode',
    f => `${f.recipient} hat einen falschen Einmalcode für ${f.document} eingegeben.`,
  ],
  'recipient.identified': ['Einmalcode eingegeben', f => `${f.recipient} hat den Einmalcode für ${f.document} eingegeben.`],
  'recipient.access_code_locked': [
    'Zugangscode gesperrt',
    f => `${f.recipient} hat zu oft einen falschen Zugangscode eingegeben und ist gesperrt: ${f.document}.`,
  ],
  'recipient.access_code_unlocked': [
    'Zugangscode entsperrt',
    f => `${f.who} hat ${f.recipient} neue Versuche für den Code gegeben: ${f.document}.`,
  ],
  'organisation.changed': ['Organisation geändert', f => `${f.who} hat die Angaben zur Organisation geändert.`],
  'settings.changed': ['Einstellungen geändert', f => `${f.who} hat eine Einstellung des Dienstes geändert.`],
  'retention.changed': ['Aufbewahrung geändert', f => `${f.who} hat die Aufbewahrungsfristen geändert.`],
  'retention.announced': [
    'Löschung angekündigt',
    f => `Die Administration wurde informiert, dass ${f.text('count')} Dokumente gelöscht werden.`,
  ],
  'seal_certificate.created': [
    'Siegelzertifikat erstellt',
    f => `${f.who} hat das erste Siegelzertifikat der Organisation erstellen lassen.`,
  ],
  'seal_certificate.renewed': ['Siegelzertifikat erneuert', f => `${f.who} hat das Siegelzertifikat erneuert.`],
  'seal_certificate.imported': ['Siegelzertifikat importiert', f => `${f.who} hat ein Siegelzertifikat importiert.`],
  'seal_certificate.revoked': ['Siegelzertifikat widerrufen', f => `${f.who} hat ein Siegelzertifikat widerrufen.`],
  'user.created': ['Benutzer hinzugefügt', f => `${f.who} hat ${f.user} als Benutzer hinzugefügt.`],
  'user.password_reset_link_issued': [
    'Link zum Zurücksetzen des Passworts erstellt',
    f => `${f.who} hat einen Link zum Zurücksetzen des Passworts erstellt: ${f.user}.`,
  ],
  'user.password_changed': ['Passwort geändert', f => `${f.who} hat das eigene Passwort geändert.`],
  'user.sessions_ended': ['Sitzungen beendet', f => `${f.who} hat eigene Sitzungen beendet: ${f.text('sessions')}.`],
  'user.second_factor_added': ['Zweiter Faktor eingerichtet', f => `${f.who} hat eine Authenticator-App eingerichtet.`],
  'user.second_factor_removed': ['Zweiter Faktor entfernt', f => `${f.who} hat den zweiten Faktor entfernt: ${f.user}.`],
  'user.recovery_codes_renewed': ['Wiederherstellungscodes erneuert', f => `${f.who} hat neue Wiederherstellungscodes erstellt.`],
  'user.recovery_code_used': [
    'Wiederherstellungscode verwendet',
    f => `${f.who} hat sich mit einem Wiederherstellungscode angemeldet; übrig: ${f.text('left')}.`,
  ],
  'user.passkey_added': ['Passkey hinzugefügt', f => `${f.who} hat den Passkey „${f.text('name')}“ hinzugefügt.`],
  'user.passkey_renamed': [
    'Passkey umbenannt',
    f => `${f.who} hat den Passkey „${f.text('from')}“ in „${f.text('to')}“ umbenannt.`,
  ],
  'user.passkey_removed': ['Passkey entfernt', f => `${f.who} hat den Passkey „${f.text('name')}“ entfernt.`],
  'user.passkey_refused': [
    'Passkey abgelehnt',
    f => `Der Passkey „${f.text('name')}“ wurde abgelehnt, weil sein Zähler wie nach einer Kopie zurückging: ${f.user}.`,
  ],
  'user.identity_linked': [
    'Identität verknüpft',
    f => `${f.who} hat das Konto ${f.text('email')} beim Identitätsanbieter verknüpft.`,
  ],
  'user.identity_unlinked': [
    'Identität gelöst',
    f => `${f.who} hat die Verknüpfung mit dem Konto ${f.text('email')} beim Identitätsanbieter gelöst.`,
  ],
  'sign_in.refused': [
    'Anmeldung abgelehnt',
    f => `Eine Anmeldung über den Identitätsanbieter wurde abgelehnt. ${f.text('reason')}`,
  ],
  'user.signed_in': ['Angemeldet', f => `${f.who} hat sich angemeldet (${f.methods}; ${f.device}).`],
  'user.signed_out': ['Abgemeldet', f => `${f.who} hat sich abgemeldet.`],
  'user.sign_in_delayed': [
    'Anmeldung verzögert',
    f => `Nach mehreren falschen ${f.text('guessed') === 'code' ? 'Codes' : 'Passwörtern'} müssen Anmeldungen warten: ${f.user}.`,
  ],
  'sign_in.changed': [
    'Anmeldung geändert',
    f =>
      f.text('secondFactor') === 'required'
        ? `${f.who} verlangt von allen einen zweiten Faktor.`
        : `${f.who} verlangt keinen zweiten Faktor mehr.`,
  ],
  'user.password_reset': ['Passwort zurückgesetzt', f => `Das Passwort wurde zurückgesetzt: ${f.user}.`],
  'user.invited': ['Benutzer eingeladen', f => `${f.who} hat ${f.user} als ${roleOf(f.text('role'))} eingeladen.`],
  'user.invitation_renewed': ['Einladung erneuert', f => `${f.who} hat die Einladung erneuert: ${f.user}.`],
  'user.invitation_withdrawn': ['Einladung zurückgezogen', f => `${f.who} hat die Einladung zurückgezogen: ${f.user}.`],
  'user.email_change_requested': [
    'Adresse soll geändert werden',
    f => `${f.who} hat eine andere E-Mail-Adresse für ${f.user} angegeben.`,
  ],
  'user.email_changed': ['Adresse geändert', f => `Die E-Mail-Adresse von ${f.user} wurde geändert: Die neue hat es bestätigt.`],
  'user.email_change_stopped': [
    'Änderung der Adresse angehalten',
    f =>
      f.text('takenBack') === 'true'
        ? `Die alte E-Mail-Adresse von ${f.user} hat die Änderung zurückgenommen.`
        : `Die Änderung der E-Mail-Adresse von ${f.user} wurde angehalten.`,
  ],
  'user.renamed': ['Benutzer umbenannt', f => `${f.who} hat den Namen geändert: ${f.user}.`],
  'user.role_changed': ['Rolle geändert', f => `${f.who} hat die Rolle geändert: ${f.user} ist jetzt ${roleOf(f.text('to'))}.`],
  'user.disabled': ['Benutzer gesperrt', f => `${f.who} hat das Konto gesperrt: ${f.user}.`],
  'user.enabled': ['Benutzer entsperrt', f => `${f.who} hat das Konto entsperrt: ${f.user}.`],
  'user.removed': ['Benutzer entfernt', f => `${f.who} hat das Konto entfernt: ${f.user}.`],
  'user.documents_handed_over': [
    'Dokumente übergeben',
    f => `${f.who} hat Dokumente übergeben (von: ${f.giver}; an: ${f.receiver}).`,
  ],
  'api_key.created': ['API-Token angelegt', f => `${f.who} hat ein API-Token angelegt${f.key && `: „${f.key}“`}.`],
  'api_key.revoked': ['API-Token widerrufen', f => `${f.who} hat ein API-Token widerrufen${f.key && `: „${f.key}“`}.`],
  'webhook.created': ['Webhook angelegt', f => `${f.who} hat einen Webhook zu ${f.text('host')} angelegt.`],
  'webhook.changed': ['Webhook geändert', f => `${f.who} hat den Webhook zu ${f.text('host')} geändert.`],
  'webhook.enabled': ['Webhook aktiviert', f => `${f.who} hat den Webhook zu ${f.text('host')} aktiviert.`],
  'webhook.disabled': [
    'Webhook deaktiviert',
    f => `${f.who} hat den Webhook zu ${f.text('host')} deaktiviert${reasonOf(f.text('reason'))}.`,
  ],
  'webhook.secret_replaced': [
    'Geheimnis eines Webhooks ersetzt',
    f => `${f.who} hat das Geheimnis des Webhooks zu ${f.text('host')} ersetzt.`,
  ],
  'webhook.deleted': ['Webhook gelöscht', f => `${f.who} hat den Webhook zu ${f.text('host')} gelöscht.`],
  'webhook.redelivered': [
    'Ereignisse erneut gesendet',
    f => `${f.who} hat fehlgeschlagene Ereignisse erneut gesendet (${f.text('queued')}): ${f.text('host')}.`,
  ],
  'master_key.rotated': [
    'Hauptschlüssel ersetzt',
    f => `${f.who} hat den Hauptschlüssel ersetzt und ${f.text('secrets')} Geheimnisse neu verschlüsselt.`,
  ],
  'master_key.copy_tested': [
    'Kopie des Hauptschlüssels geprüft',
    f => `${f.who} hat eine Kopie des Hauptschlüssels ${f.text('key')} geprüft.`,
  ],
  'alert.raised': ['Warnung', f => `Warnung: ${f.text('message')}`],
  'alert.ended': ['Warnung beendet', f => `Die Warnung „${f.text('kind')}“ ist beendet.`],
  'instance.set_up': ['Signet eingerichtet', f => `${f.who} hat Signet mit dem Link eingerichtet, den der Start ausgegeben hat.`],
  'instance.restored': [
    'Aus Sicherung wiederhergestellt',
    f => `${f.who} hat diese Installation aus einer Sicherung wiederhergestellt.`,
  ],
  'clock.confirmed': ['Uhr bestätigt', f => `${f.who} hat bestätigt, dass die Uhr wieder richtig geht.`],
  'sending.resumed': ['Versand fortgesetzt', f => `${f.who} hat den Versand nach der Wiederherstellung fortgesetzt.`],
  'upgrade.finished': [
    'Upgrade abgeschlossen',
    f => `${f.who} hat das Upgrade auf Version ${f.text('version')} abgeschlossen: Ältere Versionen können nicht mehr laufen.`,
  ],
  'backups.changed': ['Sicherungen eingerichtet', f => `${f.who} hat geändert, wann und wohin gesichert wird.`],
  'backup.downloaded': ['Sicherung heruntergeladen', f => `${f.who} hat die Sicherung ${f.text('file')} heruntergeladen.`],
  'batch.created': [
    'Sendung an viele gestartet',
    f => `${f.who} hat die Sendung „${f.text('title')}“ mit ${f.text('total')} Dokumenten gestartet.`,
  ],
  'batch.resumed': [
    'Sendung an viele fortgesetzt',
    f => `${f.who} hat die übrigen ${f.text('waiting')} Dokumente einer Sendung an viele noch einmal gesendet.`,
  ],
  'batch.stopped': [
    'Sendung an viele angehalten',
    f => `${f.who} hat eine Sendung an viele angehalten: ${f.text('sent')} Dokumente gesendet, ${f.text('stopped')} nicht.`,
  ],
  'batch.finished': [
    'Sendung an viele abgeschlossen',
    f => `Eine Sendung an viele ist abgeschlossen: ${f.text('sent')} Dokumente gesendet, ${f.text('failed')} fehlgeschlagen.`,
  ],
  'audit.exported': ['Protokoll exportiert', f => `${f.who} hat Einträge des Protokolls exportiert (${f.text('format')}).`],
  'audit.checked': [
    'Protokoll geprüft',
    f =>
      f.text('firstInvalid') === ''
        ? `${f.who} hat das Protokoll geprüft: ${f.text('entries')} Einträge, alle unverändert.`
        : `${f.who} hat das Protokoll geprüft: Eintrag ${f.text('firstInvalid')} wurde verändert.`,
  ],
  'audit.checkpoint_made': ['Prüfpunkt erstellt', f => `${f.who} hat einen signierten Prüfpunkt des Protokolls erstellt.`],
  'witness.refused': [
    'Prüfpunkt nicht mitsigniert',
    f => `Ein Prüfpunkt der Instanz ${f.text('instance')} setzte das zuvor gesehene Protokoll nicht fort.`,
  ],
  'witness.added': [
    'Bezeugte Instanz hinzugefügt',
    f => `${f.who} hat eine Instanz hinzugefügt, deren Prüfpunkte hier mitsigniert werden.`,
  ],
  'witness.certificate_replaced': [
    'Zertifikat einer bezeugten Instanz ersetzt',
    f => `${f.who} hat das Zertifikat einer Instanz ersetzt, deren Prüfpunkte hier mitsigniert werden.`,
  ],
  'witness.begun_anew': [
    'Bezeugtes Protokoll neu begonnen',
    f => `${f.who} hat erlaubt, dass eine bezeugte Instanz nach ${f.text('seen')} Einträgen neu beginnt.`,
  ],
  'witness.removed': [
    'Bezeugte Instanz entfernt',
    f => `${f.who} hat beendet, dass die Prüfpunkte einer anderen Instanz hier mitsigniert werden.`,
  ],
}
