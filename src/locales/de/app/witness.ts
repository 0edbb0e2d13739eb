/** Texts of the pages of witnesses, in German. */
import type { witness as English } from '../../en/app/witness.ts'

export const witness: typeof English = {
  title: 'Zeuge',
  back: 'Protokoll',
  lead: 'Ein anderes Signet, am besten das einer anderen Organisation, signiert die Prüfpunkte dieses Protokolls mit. Es behält, was es gesehen hat: Wer diesen Dienst beherrscht, kann später keine Einträge unbemerkt entfernen oder ändern. Es erfährt die Zahl der Einträge und ihren Hashwert, aber nichts von ihrem Inhalt.',
  off: 'Es ist kein Zeuge eingetragen',
  offText: 'Tragen Sie die Adresse der anderen Instanz und ihr Zertifikat ein. Ihr Administrator trägt das Ihre ein.',
  waiting: 'Der Zeuge wurde noch nicht gefragt',
  waitingText: 'Er wird einige Minuten nach dem nächsten Prüfpunkt gefragt.',
  good: 'Der Zeuge hat mitsigniert',
  goodText: (entry, at) => `Seine letzte Signatur umfasst das Protokoll bis zum Eintrag ${entry}, nach seiner Uhr am ${at}.`,
  failing: 'Der Zeuge hat den neuesten Prüfpunkt nicht mitsigniert',
  disagrees: 'Der Zeuge widerspricht',
  failure: (at, why) => `Zuletzt gefragt am ${at}: ${why}`,
  again: 'Er wird von selbst wieder gefragt.',
  ask: 'Jetzt fragen',
  form: 'Die andere Instanz',
  url: 'Adresse des Zeugen',
  urlHint: 'Zum Beispiel https://sign.example.com. Leer: keiner.',
  certificate: 'Zertifikat des Zeugen',
  certificateHint:
    'PEM oder DER, von seiner Seite „Zeuge“. Vergleichen Sie den Fingerabdruck mit seinem Administrator, zum Beispiel am Telefon.',
  known: (subject, sha256) => `In Kraft: ${subject}, SHA-256 \`${sha256}\`.`,
  fixed: variable => `Durch \`${variable}\` festgelegt. Ändern Sie es dort.`,
  saveReason: 'Ein Zeuge zeigt, dass das Protokoll nicht geändert wurde.',
  own: 'Was die andere Seite von dieser Instanz braucht',
  ownText: 'Zwei Organisationen bezeugen einander, indem sie Adresse und Zertifikat austauschen.',
  facts: { address: 'Adresse', instance: 'Kennung der Instanz', certificate: 'Zertifikat' },
  download: 'Zertifikat herunterladen',
  toWitnessed: 'Prüfpunkte anderer mitsignieren',
  notices: {
    saved: 'Gespeichert.',
    asked: 'Der Zeuge hat den neuesten Prüfpunkt mitsigniert.',
    failed: 'Der Zeuge hat nicht mitsigniert: siehe unten.',
  },
  witnessed: {
    title: 'Für andere mitsigniert',
    lead: 'Diese Instanz signiert die Prüfpunkte der Protokolle dieser Instanzen mit. Was das Protokoll, das sie gesehen hat, nicht fortsetzt, lehnt sie ab und warnt Sie.',
    none: 'Hier wird keine Instanz bezeugt',
    noneText: 'Fügen Sie eine mit ihrem Zertifikat hinzu. Sie braucht weder Konto noch API-Token: Ihre Signatur weist sie aus.',
    columns: { name: 'Name', entries: 'Einträge', seen: 'Zuletzt mitsigniert', state: 'Zustand' },
    never: 'noch nie',
    states: { good: 'Stimmt überein', waiting: 'Wartet auf den ersten', differs: 'Weicht ab', removed: 'Beendet' },
    add: 'Instanz hinzufügen',
    name: 'Name',
    nameHint: 'Für Sie, zum Beispiel der der Organisation.',
    certificate: 'Zertifikat ihres Siegels',
    certificateHint:
      'PEM oder DER, von ihrer Seite „Zeuge“. Die Wurzel eines Signet gilt auch für erneuerte Zertifikate; ein anderes muss hier ersetzt werden, wenn es erneuert wird.',
    addReason: 'Wer hinzugefügt wird, erhält Signaturen dieser Instanz.',
    notices: {
      added: 'Die Instanz wurde hinzugefügt. Ihr nächster Prüfpunkt wird mitsigniert.',
      replaced: 'Das Zertifikat wurde ersetzt.',
      anew: 'Der nächste Prüfpunkt wird übernommen, wie er ist.',
      removed: 'Prüfpunkte dieser Instanz werden nicht mehr mitsigniert. Was mitsigniert wurde, bleibt erhalten.',
    },
    facts: {
      instance: 'Kennung der Instanz',
      certificate: 'Zertifikat (SHA-256)',
      added: 'Hinzugefügt',
      seen: 'Zuletzt mitsigniert',
      entries: 'Gesehene Einträge',
      root: 'Wurzel ihres Baums',
    },
    differsTitle: 'Ein Prüfpunkt setzte das Protokoll nicht fort',
    differsText: (at, entries) =>
      `Am ${at} setzte ein Prüfpunkt über ${entries} Einträge das zuvor Gesehene nicht fort. Er wurde nicht mitsigniert.`,
    list: 'Was mitsigniert wurde',
    listText:
      'Alle Erklärungen, die diese Instanz für die andere signiert hat. Geben Sie sie dem, der an deren Protokoll zweifelt: Dort vergleicht sie `signet audit verify --witness DATEI`.',
    download: 'Liste herunterladen',
    replace: 'Zertifikat ersetzen',
    replaceText:
      'Wenn die andere Seite ein neues Zertifikat hat, das nicht ihre Wurzel ausgestellt hat. Vergleichen Sie zuerst den Fingerabdruck.',
    anew: 'Neu beginnen',
    anewText:
      'Nur nachdem dort eine Sicherung wiederhergestellt wurde und der Administrator es Ihnen auf anderem Weg gesagt hat: Der nächste Prüfpunkt wird dann übernommen, wie er ist. Beides wird festgehalten.',
    remove: 'Mitsignieren beenden',
    removeText:
      'Prüfpunkte dieser Instanz werden dann abgelehnt. Was mitsigniert wurde, bleibt erhalten und lässt sich herunterladen.',
  },
}
