/** Was über die Signatur des Geräteschlüssels gesagt wird. */
import type { deviceKeyRemarks as english } from '../en/device-key-remarks.ts'

export const deviceKeyRemarks: typeof english = {
  device_keys_right: ({ count }) =>
    `Jede Signatur eines eigenen Geräts (${count}) passt zum Eintrag, zur Originaldatei, zu den Werten und zur Einwilligung.`,
  device_key_false: ({ number, why }) => `Die Signatur des eigenen Geräts in Eintrag ${number} beweist nichts. ${why}`,
  device_key_unreadable: () => 'Die Signatur des Geräteschlüssels ist nicht lesbar.',
  device_key_of_other_document: () => 'Der Geräteschlüssel hat ein anderes Dokument signiert.',
  device_key_of_other_log: () => 'Der Geräteschlüssel hat für ein anderes Protokoll signiert als dieses.',
  device_key_of_other_time: () => 'Der Geräteschlüssel hat zu einer anderen Zeit signiert als die Person.',
  device_key_of_other_use: () => 'Der Geräteschlüssel hat nicht signiert, er wurde für etwas anderes benutzt.',
  device_key_of_other_origin: ({ found, origin }) =>
    `Der Geräteschlüssel hat auf den Seiten von ${found} signiert, nicht von ${origin}.`,
  device_key_of_other_site: ({ host }) => `Der Geräteschlüssel gehört nicht zu ${host}.`,
  device_key_of_other_statement: () =>
    'Der Geräteschlüssel hat etwas anderes signiert: eine andere Datei, andere Werte, eine andere Einwilligung oder für eine andere Person.',
  device_key_without_presence: () => 'Niemand war anwesend, als der Geräteschlüssel signierte.',
  device_key_without_verification: () =>
    'Das Gerät hat weder Finger noch Gesicht noch PIN verlangt, als sein Schlüssel signierte, obwohl der Absender es verlangt.',
  device_key_unsupported: () => 'Der Geräteschlüssel ist von einer Art, die nicht angenommen wird.',
  device_key_signature_wrong: () => 'Die Signatur des Geräteschlüssels ist falsch.',
}
