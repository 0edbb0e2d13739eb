/** Texts of Settings → People, of invitations and of the mails about them, in German. */
import { INVITATION_DAYS } from '../../../core/service-limits.ts'
import type { people as english } from '../../en/app/people.ts'
import { factors } from './sign-in.ts'

type Role = keyof typeof english.roles

const ROLES: Record<Role, string> = { admin: 'Administration', member: 'Mitglied', auditor: 'Prüfung' }

const documents = (n: number) => (n === 1 ? '1 Dokument' : `${n} Dokumente`)
const templates = (n: number) => (n === 1 ? '1 Vorlage' : `${n} Vorlagen`)
const webhooks = (n: number) => (n === 1 ? '1 Webhook' : `${n} Webhooks`)
const keys = (n: number) => (n === 1 ? '1 API-Token' : `${n} API-Tokens`)

interface Counts {
  documents: number
  templates: number
  webhooks: number
}

/** What there is of them, as a list; documents if there is nothing. */
const all = (counts: Counts) => {
  const some = [
    counts.documents > 0 && documents(counts.documents),
    counts.templates > 0 && templates(counts.templates),
    counts.webhooks > 0 && webhooks(counts.webhooks),
  ].filter(text => text !== false)
  return LIST.format(some.length > 0 ? some : [documents(0)])
}

const LIST = new Intl.ListFormat('de')

export const people: typeof english = {
  title: 'Personen',
  lead: 'Wer sich hier anmelden darf, und was diese Personen dürfen.',
  roles: ROLES,
  rolesText: {
    admin: 'Sieht und ändert alles, auch Personen und Einstellungen.',
    member: 'Versendet Dokumente und sieht die eigenen.',
    auditor: 'Liest alle Dokumente und das Protokoll. Ändert nichts.',
  },
  passwordReason: 'Das entscheidet, wer sich hier anmelden kann und was die Person darf.',
  columns: {
    person: 'Person',
    role: 'Rolle',
    factor: 'Zweiter Faktor',
    lastSignIn: 'Letzte Anmeldung',
    lastSeen: 'Zuletzt da',
    state: 'Zustand',
    actions: 'Verwalten',
  },
  factor: ({ hasApp, passkeys }) =>
    [hasApp && 'App', passkeys > 0 && (passkeys === 1 ? 'Passkey' : `${passkeys} Passkeys`)].filter(Boolean).join(' + ') ||
    'Keiner',
  filters: {
    search: 'Personen suchen',
    searchHint: 'Name oder E-Mail-Adresse',
    fields: { role: 'Rolle', factor: 'Zweiter Faktor', state: 'Zustand', order: 'Reihenfolge' },
    any: { role: 'Alle', factor: 'Alle', state: 'Alle', order: 'Nach Namen' },
    factors: { none: 'Keiner', app: 'Authenticator-App', passkey: 'Passkey' },
    orders: { newest: 'Letzte Anmeldung: neueste zuerst', oldest: 'Letzte Anmeldung: älteste zuerst' },
    chip: text => `„${text}“`,
    count: count => (count === 1 ? '1 Person' : `${count} Personen`),
    none: 'Niemand passt dazu',
    noneText: 'Versuchen Sie es mit weniger Filtern oder einem Teil des Namens.',
    more: 'Weitere Personen',
    first: 'Zurück zum Anfang',
  },
  you: 'Sie',
  never: 'Nie',
  states: {
    active: 'Aktiv',
    disabled: 'Gesperrt',
    invited: 'Eingeladen',
    expired: 'Einladung abgelaufen',
    refused: 'Nicht zugestellt',
  },
  manage: name => `${name} verwalten`,
  alone: 'Bisher sind Sie allein. Laden Sie andere ein: Ihr Passwort wählen alle selbst.',
  invitations: {
    title: 'Einladungen',
    invitedBy: 'Eingeladen von',
    until: 'Gültig bis',
    resend: 'Erneut senden',
    resendTo: name => `Erneut senden: Einladung an ${name}`,
    withdraw: 'Zurückziehen',
    withdrawOf: name => `Einladung an ${name} zurückziehen`,
  },
  invite: {
    action: 'Person einladen',
    title: 'Eine Person einladen',
    lead: `Die Person wählt ihr Passwort über einen Link, der ${INVITATION_DAYS} Tage gilt. Erst dann gibt es das Konto.`,
    name: 'Name',
    email: 'E-Mail-Adresse',
    emailHint: 'Damit meldet sich die Person an.',
    role: 'Rolle',
    language: 'Sprache',
    languageHint: 'Der E-Mail. Die Seiten richten sich nach dem Browser der Person.',
    delivery: 'Wie die Person den Link erhält',
    mail: 'Per E-Mail senden',
    mailToFolder: 'Es ist kein Mailserver eingerichtet: Die E-Mail landet im Ausgang, wo Sie sie öffnen können.',
    link: 'Mir einmal anzeigen',
    linkHint: 'Sie geben ihn selbst weiter, zum Beispiel im Chat. Wer ihn hat, kann das Konto eröffnen.',
    submit: 'Einladen',
  },
  link: {
    title: name => `Link für ${name}`,
    text: (name, until) => `Geben Sie diesen Link nur an ${name}. Er gilt einmal, bis ${until}.`,
    once: 'Er wird nur jetzt angezeigt.',
    done: 'Fertig',
  },
  resend: {
    title: name => `Die Einladung an ${name} erneut senden?`,
    text: `Es entsteht ein neuer Link, der ${INVITATION_DAYS} Tage gilt. Der frühere Link gilt nicht mehr.`,
    submit: 'Neuen Link erstellen',
  },
  withdraw: {
    title: name => `Die Einladung an ${name} zurückziehen?`,
    text: 'Der Link gilt nicht mehr. Sie können die Person erneut einladen.',
    submit: 'Einladung zurückziehen',
  },
  notices: {
    invited: 'Die Einladung ist unterwegs.',
    invitedToFolder: 'Die Einladung liegt im Ausgang.',
    withdrawn: 'Die Einladung wurde zurückgezogen.',
    renamed: 'Der Name wurde geändert.',
    role: 'Die Rolle wurde geändert.',
    disabled: 'Das Konto ist gesperrt. Seine Sitzungen und API-Tokens sind beendet.',
    enabled: 'Das Konto ist entsperrt.',
    removed: 'Das Konto wurde entfernt.',
    'factor-removed': 'Der zweite Faktor wurde entfernt, und die Person wurde per E-Mail verständigt.',
    'email-sent': 'Ein Link ist unterwegs an die neue Adresse. Das Konto bekommt sie, sobald dort bestätigt wird.',
    'email-kept': 'Die Änderung der Adresse wurde zurückgezogen.',
    'handed-over': 'Alles wurde übergeben.',
  },
  person: {
    email: 'E-Mail-Adresse',
    since: 'Konto seit',
    belongs: 'Gehört dieser Person',
    nothing: 'Keine Dokumente, Webhooks oder API-Tokens',
    counts: counts =>
      [
        counts.documents > 0 && documents(counts.documents),
        counts.templates > 0 && templates(counts.templates),
        counts.webhooks > 0 && webhooks(counts.webhooks),
        counts.keys > 0 && keys(counts.keys),
      ]
        .filter(text => text !== false)
        .join(', '),
    actions: 'Was Sie tun können',
    back: 'Alle Personen',
  },
  name: {
    subject: 'Name',
    action: 'Namen berichtigen',
    text: 'So steht er auf Seiten und in E-Mails.',
    title: name => `Den Namen von ${name} berichtigen`,
    detail: 'Einträge im Protokoll halten die Person fest, nicht den Namen: Sie zeigen den neuen.',
    label: 'Name',
    submit: 'Namen speichern',
  },
  role: {
    subject: 'Rolle',
    action: 'Rolle ändern',
    text: 'Entscheidet, was die Person sieht und ändert.',
    title: name => `Die Rolle von ${name} ändern`,
    detail:
      'Die neue Rolle gilt sofort. API-Tokens einer Prüferin oder eines Prüfers behalten nur ihre Leserechte. Offene Einladungen einer Person, die nicht mehr zur Administration gehört, werden zurückgezogen.',
    label: 'Rolle',
    submit: 'Rolle ändern',
  },
  secondFactor: {
    subject: 'Zweiter Faktor',
    action: 'Entfernen',
    text: 'Für jemanden, der ihn und die Wiederherstellungscodes verloren hat.',
    title: name => `Den zweiten Faktor von ${name} entfernen?`,
    detail: (email, had) =>
      `Entfernt: ${factors(had)}, mit den Wiederherstellungscodes. Vergewissern Sie sich, dass wirklich ${email} darum bittet: Danach genügt das Passwort allein.`,
    ends: 'Alle Sitzungen dieser Person werden beendet, und eine E-Mail teilt ihr mit, was Sie getan haben.',
    submit: 'Zweiten Faktor entfernen',
  },
  handOver: {
    subject: 'Dokumente und Webhooks',
    action: 'Dokumente übergeben',
    text: 'Gibt alle Dokumente und Webhooks an eine andere Person.',
    title: name => `Übergeben, was ${name} gehört`,
    moves: counts =>
      `Der anderen Person gehören dann: ${all(counts)}. Sie erhält alle weiteren E-Mails dazu. Die Links der Empfänger gelten weiter.`,
    stays:
      'API-Tokens werden nicht übergeben. Kontakte bleiben, wo sie sind. Ereignisse, welche die API bisher aufgeführt hat, bleiben bei der früheren Person aufgeführt.',
    cannotUndo: 'Rückgängig machen lässt es sich nur, indem jedes Dokument zurückgegeben wird.',
    nothing: 'Dieser Person gehört nichts, was sich übergeben ließe.',
    nobody: 'Es gibt niemanden, der es übernehmen könnte: Laden Sie eine Person ein oder entsperren Sie eine.',
    label: 'Neue Eigentümerin oder neuer Eigentümer',
    choose: 'Person wählen',
    submit: 'Alles übergeben',
  },
  disable: {
    subject: 'Zugang',
    action: 'Sperren',
    text: 'Beendet alle Sitzungen und API-Tokens. Dokumente bleiben.',
    title: name => `Das Konto von ${name} sperren?`,
    detail:
      'Die Person wird überall abgemeldet und kann sich nicht mehr anmelden. Alle ihre API-Tokens werden endgültig widerrufen. Einladungen, die sie verschickt hat, werden zurückgezogen.',
    stays:
      'Dokumente bleiben und können weiter unterschrieben werden. E-Mails dazu gehen an den Kontakt der Organisation. Webhooks laufen weiter.',
    submit: 'Konto sperren',
  },
  enable: {
    subject: 'Zugang',
    action: 'Entsperren',
    text: 'Lässt die Person sich wieder anmelden.',
    title: name => `Das Konto von ${name} entsperren?`,
    detail: 'Die Person kann sich wie zuvor mit ihrem Passwort anmelden. Widerrufene API-Tokens bleiben widerrufen.',
    submit: 'Konto entsperren',
  },
  remove: {
    subject: 'Konto',
    action: 'Entfernen',
    text: 'Löscht das Konto. Möglich, sobald der Person nichts mehr gehört.',
    title: name => `Das Konto von ${name} entfernen?`,
    detail:
      'Das Konto wird mit seinen Kontakten, Sitzungen und API-Tokens gelöscht. Das lässt sich nicht rückgängig machen. Einträge im Protokoll bleiben, zeigen den Namen aber nicht mehr.',
    notEmpty: counts => `Dieser Person gehören noch: ${all(counts)}. Übergeben Sie das zuerst, oder sperren Sie das Konto.`,
    submit: 'Konto entfernen',
  },
  yourself: 'Das ist Ihr eigenes Konto. Sperren oder entfernen kann es nur eine andere Person der Administration.',
  accept: {
    pageTitle: 'Einladung',
    title: organisation => `Bei ${organisation} mitarbeiten`,
    lead: (by, role) => `${by} hat Sie eingeladen. Ihre Rolle: ${role}.`,
    account: 'Sie melden sich an mit',
    name: 'Ihr Name',
    password: 'Passwort',
    submit: 'Mein Konto erstellen',
  },
  mails: {
    commandLine: 'Die Person, die den Server betreut,',
    openDocuments: 'Dokumente öffnen',
    invitation: (by, organisation, role, days) => ({
      subject: `${by} lädt Sie zu ${organisation} ein`,
      paragraphs: [
        role === 'auditor'
          ? `${by} hat Sie eingeladen, die Dokumente von ${organisation} zu lesen.`
          : `${by} hat Sie eingeladen, bei ${organisation} Dokumente zur Unterschrift zu versenden.`,
        `Ihre Rolle: ${ROLES[role]}.`,
        `Wählen Sie über den folgenden Link ein Passwort. Er gilt einmal und ${days} Tage lang. Bitte leiten Sie ihn nicht weiter.`,
      ],
      button: 'Einladung annehmen',
    }),
    renamed: (by, from, to) => ({
      subject: 'Ihr Name wurde berichtigt',
      paragraphs: [`${by} hat den Namen Ihres Kontos von „${from}“ in „${to}“ geändert.`],
    }),
    roleChanged: (by, role) => ({
      subject: `Ihre Rolle ist jetzt: ${ROLES[role]}`,
      paragraphs: [`${by} hat die Rolle Ihres Kontos geändert in: ${ROLES[role]}.`],
    }),
    disabled: (by, organisation) => ({
      subject: 'Ihr Konto wurde gesperrt',
      paragraphs: [
        `${by} hat Ihr Konto bei ${organisation} gesperrt. Sie sind überall abgemeldet, und Ihre API-Tokens gelten nicht mehr.`,
        'Ihre Dokumente bleiben erhalten. Wenn Sie das nicht erwartet haben, fragen Sie bitte die Administration.',
      ],
    }),
    enabled: (by, organisation, address) => ({
      subject: 'Ihr Konto ist wieder entsperrt',
      paragraphs: [`${by} hat Ihr Konto bei ${organisation} entsperrt. Sie können sich unter ${address} wie zuvor anmelden.`],
    }),
    removed: (by, organisation) => ({
      subject: 'Ihr Konto wurde entfernt',
      paragraphs: [`${by} hat Ihr Konto bei ${organisation} entfernt. Sie können sich nicht mehr anmelden.`],
    }),
    handedOver: (by, to, counts) => ({
      subject: `Ihre Dokumente wurden an ${to} übergeben`,
      paragraphs: [`${by} hat an ${to} übergeben, was bisher Ihnen gehörte: ${all(counts)}.`],
    }),
    received: (by, from, counts) => ({
      subject: `Sie haben Dokumente von ${from} erhalten`,
      paragraphs: [`${by} hat Ihnen übergeben, was bisher ${from} gehörte: ${all(counts)}. E-Mails dazu erhalten jetzt Sie.`],
    }),
  },
}
