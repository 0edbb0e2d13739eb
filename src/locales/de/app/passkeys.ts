/** Texts of passkeys, in German. */
import type { AppTexts } from '../../app.ts'

const NOT_YOU =
  'Wenn Sie das nicht waren, benutzt vielleicht jemand anderes Ihr Konto: Beenden Sie sofort unter „Profil“ alle anderen Sitzungen, wählen Sie ein neues Passwort und sagen Sie es der Administration.'

export const passkeys: AppTexts['passkeys'] = {
  title: 'Passkeys',
  lead: 'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an, ohne Passwort und ohne Code.',
  none: 'Sie haben noch keinen Passkey.',
  impossible: host =>
    `Unter dieser Adresse (${host}) sind keine Passkeys möglich: Browser verlangen https und einen Hostnamen. Wer den Server betreibt, legt die Adresse mit SIGNET_BASE_URL fest.`,
  columns: { name: 'Name', created: 'Hinzugefügt', lastUsed: 'Zuletzt verwendet' },
  neverUsed: 'noch nicht',
  synced: 'synchronisiert',
  add: 'Passkey hinzufügen',
  rename: 'Umbenennen',
  renameNamed: name => `Den Passkey ${name} umbenennen`,
  remove: 'Entfernen …',
  removeNamed: name => `Den Passkey ${name} entfernen`,
  addTitle: 'Passkey hinzufügen',
  addLead:
    'Ihr Browser fragt Sie, wo er gespeichert werden soll: auf diesem Gerät, auf Ihrem Telefon, auf einem Sicherheitsschlüssel oder in einem Passwort-Manager.',
  name: 'Name',
  nameHint: 'Damit Sie ihn später wiedererkennen, zum Beispiel „Laptop im Büro“.',
  create: 'Passkey erstellen',
  renameTitle: 'Passkey umbenennen',
  removeTitle: name => `Den Passkey „${name}“ entfernen?`,
  removeText:
    'Sie können sich nicht mehr mit ihm anmelden. Ihr Passwort bleibt, wie es ist. Löschen Sie den Passkey auch auf Ihrem Gerät.',
  removeRequired:
    'Er ist Ihr einziger zweiter Faktor, und Ihre Organisation verlangt einen: Bei der nächsten Anmeldung müssen Sie einen neuen einrichten.',
  removeReason: 'Das ändert, wie Sie sich anmelden.',
  removeSubmit: 'Passkey entfernen',
  noScript: 'Passkeys brauchen JavaScript, das in Ihrem Browser ausgeschaltet ist.',
  signIn: 'Mit einem Passkey anmelden',
  confirm: 'Stattdessen einen Passkey verwenden',
  accepted: 'Ihr Passkey wurde angenommen. Drücken Sie jetzt den Knopf, den Sie meinen.',
  failures: {
    unsupported: 'Dieser Browser kennt keine Passkeys.',
    cancelled: 'Es wurde kein Passkey verwendet: Sie haben abgebrochen, oder es hat zu lange gedauert.',
    known: 'Auf diesem Gerät gibt es schon einen Passkey für Ihr Konto.',
    failed: 'Ihr Browser konnte keinen Passkey verwenden. Bitte versuchen Sie es noch einmal.',
    offline: 'Signet war nicht erreichbar. Bitte versuchen Sie es noch einmal.',
  },
  notices: {
    'passkey-added': 'Der Passkey wurde hinzugefügt. Sie können sich jetzt mit ihm anmelden.',
    'passkey-renamed': 'Der Passkey wurde umbenannt.',
    'passkey-removed': 'Der Passkey wurde entfernt.',
  },
  mails: {
    added: (service, name) => ({
      subject: 'Ein Passkey wurde hinzugefügt',
      paragraphs: [
        `Der Passkey „${name}“ wurde Ihrem Konto bei ${service} hinzugefügt. Er genügt zur Anmeldung, ohne Passwort.`,
        NOT_YOU,
      ],
    }),
    renamed: (service, from, to) => ({
      subject: 'Ein Passkey wurde umbenannt',
      paragraphs: [`Der Passkey „${from}“ Ihres Kontos bei ${service} heißt jetzt „${to}“.`, NOT_YOU],
    }),
    removed: (service, name) => ({
      subject: 'Ein Passkey wurde entfernt',
      paragraphs: [
        `Der Passkey „${name}“ wurde aus Ihrem Konto bei ${service} entfernt. Mit ihm ist keine Anmeldung mehr möglich.`,
        NOT_YOU,
      ],
    }),
    refused: (service, name) => ({
      subject: 'Ein Passkey wurde abgelehnt',
      paragraphs: [
        `Der Passkey „${name}“ Ihres Kontos bei ${service} wurde abgelehnt: Sein Zähler der Unterschriften ging zurück. Das kann bedeuten, dass ihn jemand kopiert hat.`,
        'Entfernen Sie diesen Passkey unter „Profil“, fügen Sie einen neuen hinzu und sagen Sie es der Administration.',
      ],
    }),
  },
}
