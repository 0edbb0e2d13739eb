/** Why a file store, another server, a mail server or the kernel fails, in German. */
import type { ReasonTexts } from '../en/reasons.ts'

const is =
  (what: string) =>
  ({ address, network }: { address: string; network: string }) =>
    `${address} ist ${what} (${network})`

export const reasons: ReasonTexts = {
  server_refused: ({ host, errno }) => `${host} hat die Verbindung abgelehnt (${errno})`,
  server_reset: ({ host, errno }) => `${host} hat die Verbindung abgebrochen (${errno})`,
  server_closed_early: ({ host, errno }) => `${host} hat die Verbindung während der Anfrage geschlossen (${errno})`,
  server_without_route: ({ host, errno }) => `${host} ist nicht erreichbar: kein Weg dorthin (${errno})`,
  server_without_network: ({ host, errno }) => `${host} ist nicht erreichbar: kein Netz (${errno})`,
  server_timed_out: ({ host, errno }) => `${host} ist nicht erreichbar: Zeitüberschreitung (${errno})`,
  server_of_other_name: ({ host, errno }) => `${host} hat ein Zertifikat für einen anderen Namen (${errno})`,
  server_certificate_over: ({ host, errno }) => `${host} hat ein abgelaufenes Zertifikat (${errno})`,
  server_self_signed: ({ host, errno }) => `${host} hat ein selbst signiertes Zertifikat (${errno})`,
  server_untrusted: ({ host, errno }) => `${host} hat ein Zertifikat einer unbekannten Zertifizierungsstelle (${errno})`,
  server_unresolved: ({ host, errno }) => `${host} ließ sich nicht auflösen (${errno})`,
  server_without_address: ({ host }) => `${host} hat keine Adresse`,
  server_without_answer: ({ host }) => `${host} hat die Verbindung ohne Antwort geschlossen`,
  server_silent: ({ host, time }) => `${host} hat innerhalb von ${time} nicht geantwortet`,
  // Why an address is not called.
  own_network: is('eine Adresse dieses Netzes'),
  private_address: is('eine private Adresse'),
  shared_address: is('eine geteilte Adresse von Netzbetreibern'),
  loopback_address: is('eine Loopback-Adresse'),
  metadata_address: is('eine Metadaten-Adresse'),
  local_or_metadata_address: is('eine Link-Local- oder Metadaten-Adresse'),
  protocol_address: is('eine Adresse für Protokollzuweisungen'),
  documentation_address: is('eine Adresse für Dokumentation'),
  relay_address: is('eine Relay-Adresse'),
  benchmarking_address: is('eine Adresse für Leistungstests'),
  multicast_address: is('eine Multicast-Adresse'),
  reserved_address: is('eine reservierte Adresse'),
  unspecified_address: is('die unbestimmte Adresse'),
  compatible_address: is('eine Adresse der abgeschafften IPv4-kompatiblen Form'),
  translation_address: is('eine Adresse eines lokalen Übersetzungspräfixes'),
  discard_address: is('eine Discard-Adresse'),
  teredo_address: is('eine Teredo-Adresse'),
  orchid_address: is('eine abgeschaffte ORCHID-Adresse'),
  six_to_four_address: is('eine 6to4-Adresse'),
  routing_address: is('eine Adresse für Segment Routing'),
  link_local_address: is('eine Link-Local-Adresse'),
  site_local_address: is('eine Site-Local-Adresse'),
  own_address: ({ address }) => `${address} ist eine Adresse dieses Hosts`,
  this_host: ({ host }) => `${host} ist dieser Host`,
  no_ip_address: ({ address }) => `${address} ist keine IP-Adresse`,
  host_resolves: ({ host, address, reason }) => `${host} wird zu ${address} aufgelöst: ${reason}`,
  // A file store.
  store_silent: () => 'der Dateispeicher antwortet nicht',
  store_unreached: ({ errno }) => `der Dateispeicher antwortet nicht (${errno})`,
  store_untrusted: ({ errno }) =>
    `der Dateispeicher antwortet nicht (${errno}): Nennen Sie die Zertifizierungsstelle seines Zertifikats in SSL_CERT_FILE`,
  store_answers: ({ answer }) => `der Dateispeicher antwortet ${answer}`,
  store_refuses: ({ answer, reason }) => `der Dateispeicher antwortet ${answer}: ${reason}`,
  store_cut_off: () => 'die Verbindung zum Dateispeicher brach ab',
  bucket_missing: () => 'Den Bucket gibt es nicht: Legen Sie ihn an, oder berichtigen Sie seinen Namen',
  bucket_elsewhere: () => 'Der Bucket liegt an einer anderen Adresse oder in einer anderen Region: Berichtigen Sie die URL',
  key_without_right: () =>
    'Dem Zugangsschlüssel fehlt das Recht dazu: Erlauben Sie ihm, Objekte zu lesen, abzulegen, zu löschen und aufzulisten',
  key_unknown: () => 'Der Speicher kennt den Zugangsschlüssel nicht: Berichtigen Sie ihn',
  key_of_other_secret: () => 'Das Geheimnis gehört nicht zum Zugangsschlüssel: Berichtigen Sie es',
  store_clock_differs: () => 'Die Uhr dieses Rechners weicht von der des Speichers ab: Stellen Sie sie',
  region_wrong: () => 'Die Region ist falsch: Berichtigen Sie region= in der URL',
  // A mail server.
  mail_refuses_sender: ({ server, said }) => `Der Mailserver ${server} hat den Absender abgelehnt: ${said}.`,
  mail_refuses_recipient: ({ server, said }) => `Der Mailserver ${server} hat den Empfänger abgelehnt: ${said}.`,
  mail_refuses_mail: ({ server, said }) => `Der Mailserver ${server} hat die E-Mail abgelehnt: ${said}.`,
  mail_refuses_connection: ({ server, said }) => `Der Mailserver ${server} hat die Verbindung abgelehnt: ${said}.`,
  mail_refuses_login: ({ server, said }) =>
    `Der Mailserver ${server} hat die Anmeldung abgelehnt; prüfen Sie Benutzername und Passwort. Er sagte: ${said}`,
  mail_without_login: ({ server }) =>
    `Der Mailserver ${server} bietet auf dieser Verbindung keine Anmeldung an; entfernen Sie den Benutzernamen, oder wählen Sie eine andere Verschlüsselung oder einen anderen Port.`,
  mail_without_starttls: ({ server, said }) =>
    `Der Mailserver ${server} bietet kein STARTTLS an; prüfen Sie Port und Verschlüsselung. Er sagte: ${said}`,
  mail_not_tls: ({ server }) =>
    `Der Mailserver ${server} beginnt an diesem Port nicht mit TLS; prüfen Sie Port und Verschlüsselung.`,
  mail_tls_failed: ({ server, words, name }) =>
    `Der Mailserver ${server} konnte kein TLS aufbauen: ${words}; prüfen Sie, ob sein Zertifikat für ${name} gilt.`,
  mail_not_found: ({ server, errno }) => `Der Mailserver ${server} wurde nicht gefunden (${errno}); prüfen Sie die Adresse.`,
  mail_connection_refused: ({ server, errno }) =>
    `Der Mailserver ${server} hat die Verbindung abgelehnt (${errno}); prüfen Sie Adresse und Port.`,
  mail_closed: ({ server }) => `Der Mailserver ${server} hat die Verbindung geschlossen; prüfen Sie Port und Verschlüsselung.`,
  mail_unreachable: ({ server, time }) =>
    `Der Mailserver ${server} war innerhalb von ${time} nicht erreichbar; prüfen Sie Adresse, Port und Firewall.`,
  mail_without_greeting: ({ server, time }) =>
    `Der Mailserver ${server} hat sich innerhalb von ${time} nicht gemeldet; prüfen Sie Port und Verschlüsselung.`,
  mail_silent: ({ server, time }) => `Der Mailserver ${server} hat innerhalb von ${time} nicht geantwortet.`,
  mail_slow: ({ server, time }) => `Der Mailserver ${server} hat länger als ${time} gebraucht.`,
  mail_stopped: ({ server }) => `Auf den Mailserver ${server} wurde nicht gewartet: Der Versand wurde angehalten.`,
  mail_unusable: ({ server, words }) => `Der Mailserver ${server} ließ sich nicht verwenden: ${words}.`,
  // Measures of the kernel.
  no_new_privileges: () => 'keine neuen Rechte',
  no_network: () => 'kein Netz',
  no_programs: () => 'keine anderen Programme',
  no_core_dumps: () => 'keine Speicherabbilder',
  bounded_files: () => 'wenige und begrenzte Dateien',
  ended_with_service: () => 'Ende mit dem Dienst',
  without_effect: () => 'der Kernel hat es ohne Wirkung angenommen',
  libc_without: ({ functions }) => `in libc.so.6 fehlt ${functions.join(', ')}`,
  no_call_filter: ({ machine }) => `für ${machine} ist kein Filter der Systemaufrufe bekannt`,
  thread_filtered: () => 'seccomp: ein anderer Thread hat einen eigenen Filter',
}
