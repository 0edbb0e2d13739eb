/** Texte zu Profil, zweitem Faktor, vergessenem Passwort und „Einstellungen“, „Anmeldung“. */
import { CONFIRMED_MINUTES, MAX_SESSION_HOURS, RESET_MAIL_PAUSE_MINUTES } from '../../../core/service-limits.ts'
import type { signIn as english } from '../../en/app/sign-in.ts'

const NOT_YOU =
  'Wenn Sie das nicht waren, kennt womöglich jemand Ihr Passwort: Wählen Sie sofort unter „Profil“ ein neues, und verständigen Sie Ihre Administration.'
const codes = (count: number) => (count === 1 ? '1 Wiederherstellungscode' : `${count} Wiederherstellungscodes`)
const passkeys = (count: number) => (count === 1 ? '1 Passkey' : `${count} Passkeys`)
export const factors = (had: { hasApp: boolean; passkeys: number }) =>
  [had.hasApp && 'Authenticator-App', had.passkeys > 0 && passkeys(had.passkeys)].filter(Boolean).join(' und ')

export const signIn: typeof english = {
  code: {
    title: 'Code eingeben',
    lead: email => `Öffnen Sie Ihre Authenticator-App, und geben Sie den Code ein, den sie für ${email} anzeigt.`,
    label: 'Code',
    hint: 'Sechs Ziffern. Wenn Sie Ihr Telefon nicht zur Hand haben, geben Sie einen Ihrer Wiederherstellungscodes ein.',
    submit: 'Anmelden',
    other: 'Mit einem anderen Konto anmelden',
    lost: 'Telefon und Wiederherstellungscodes verloren? Bitten Sie die Administration, Ihren zweiten Faktor zu entfernen.',
    passkeyTitle: 'Passkey verwenden',
    passkeyLead: email =>
      `Ihre Organisation verlangt einen zweiten Faktor. Der von ${email} ist ein Passkey: Er tritt an die Stelle des Passworts.`,
    passkeyMissing: 'Sie haben Ihren Passkey nicht zur Hand?',
    recoveryLabel: 'Wiederherstellungscode',
    recoveryHint: 'Einer der Codes, die Sie beim Hinzufügen des Passkeys aufbewahrt haben.',
    passkeyLost:
      'Passkey verloren und kein Wiederherstellungscode da? Bitten Sie die Administration, Ihren zweiten Faktor zu entfernen.',
    used: left =>
      `Sie haben sich mit einem Wiederherstellungscode angemeldet. Es ${left === 1 ? 'bleibt Ihnen' : 'bleiben Ihnen'} ${codes(left)}.`,
  },
  forgot: {
    link: 'Passwort vergessen?',
    title: 'Passwort vergessen?',
    lead: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten dann einen Link, mit dem Sie ein neues Passwort wählen können.',
    submit: 'Link senden',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sent: (email, minutes) =>
      `Wenn es ein Konto für ${email} gibt, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal, ${minutes} Minuten lang.`,
    notArrived: `Nichts angekommen? Sehen Sie im Spam-Ordner nach. Auch wenn Sie mehrmals fragen, geht höchstens alle ${RESET_MAIL_PAUSE_MINUTES} Minuten eine E-Mail hinaus. Wenden Sie sich sonst an Ihre Administration.`,
    back: 'Zurück zur Anmeldung',
  },
  profile: {
    title: 'Profil',
    lead: email => `Ihr Konto: ${email}`,
    you: 'Über Sie',
    name: 'Name',
    nameHint: 'Die Empfänger Ihrer Dokumente sehen ihn.',
    language: 'Sprache',
    languageHint: 'Dieser Seiten und der E-Mails zu Ihrem Konto.',
    warningMails: 'Warnungen zum Dienst per E-Mail erhalten',
    warningMailsHint: 'Zum Beispiel, bevor das Siegelzertifikat abläuft oder wenn Sicherungen fehlschlagen.',
    save: 'Speichern',
    password: 'Passwort',
    passwordText: 'Ein neues Passwort beendet alle Ihre anderen Sitzungen.',
    current: 'Derzeitiges Passwort',
    new: 'Neues Passwort',
    change: 'Passwort ändern',
    sessions: 'Sitzungen',
    sessionsText: idle =>
      `Die Browser, in denen Sie angemeldet sind. Eine Sitzung endet nach ${idle} ohne Nutzung, spätestens nach ${MAX_SESSION_HOURS} Stunden.`,
    sessionColumns: { device: 'Gerät', address: 'IP-Adresse', lastUsed: 'Zuletzt genutzt', signedIn: 'Angemeldet' },
    thisSession: 'diese hier',
    unknownAddress: 'unbekannt',
    end: 'Beenden',
    endNamed: device => `Diese Sitzung beenden: ${device}`,
    endOthers: 'Alle anderen beenden',
    onlyThis: 'Sie sind nirgendwo sonst angemeldet.',
    methods: {
      password: 'Passwort',
      totp: 'Code',
      recovery_code: 'Wiederherstellungscode',
      passkey: 'Passkey',
      oidc: 'Identitätsanbieter',
      oidc_with_factor: 'Identitätsanbieter mit zweitem Faktor',
    },
    device: (browser, system) =>
      browser && system ? `${browser} unter ${system}` : (browser ?? system ?? 'Unbekanntes Programm'),
    notices: {
      saved: 'Ihr Profil wurde gespeichert.',
      password: 'Ihr Passwort wurde geändert. Alle Ihre anderen Sitzungen wurden beendet.',
      ended: 'Die Sitzung wurde beendet.',
      'others-ended': 'Alle Ihre anderen Sitzungen wurden beendet.',
      removed: 'Der zweite Faktor wurde entfernt.',
    },
  },
  factor: {
    title: 'Zweiter Faktor',
    app: 'Authenticator-App',
    none: 'Aus',
    noneText:
      'Mit ihr genügt Ihr Passwort allein nicht zur Anmeldung: Sie geben zusätzlich einen Code ein, den eine App auf Ihrem Telefon anzeigt.',
    on: 'Ein',
    onText: since => `Eingerichtet am ${since}. Bei der Anmeldung geben Sie einen Code Ihrer Authenticator-App ein.`,
    left: count => `Noch ${codes(count)}.`,
    fewLeft: 'Erstellen Sie rechtzeitig neue.',
    setUp: 'Einrichten',
    setUpAgain: 'Anderes Telefon einrichten',
    renew: 'Neue Wiederherstellungscodes …',
    remove: 'Entfernen …',
    setUpTitle: 'Authenticator-App einrichten',
    required: 'Ihre Organisation verlangt einen zweiten Faktor',
    requiredText: 'Richten Sie ihn jetzt ein. Danach geht es weiter.',
    chooseTitle: 'Zweiten Faktor wählen',
    passkeyTitle: 'Ein Passkey',
    passkeyText:
      'Ihr Fingerabdruck, Ihr Gesicht oder die PIN Ihres Geräts. Damit melden Sie sich künftig an, ohne Passwort und ohne Code.',
    appTitle: 'Codes einer App',
    appText:
      'Eine Authenticator-App auf Ihrem Telefon zeigt einen Code, den Sie nach dem Passwort eingeben: zum Beispiel Aegis, 2FAS, Google Authenticator, Microsoft Authenticator oder ein Passwortmanager.',
    appStart: 'App einrichten',
    passkeyOn: 'Der Passkey wurde hinzugefügt. Er ist Ihr zweiter Faktor.',
    passkeyNoCodes: 'Ihre Organisation verlangt einen zweiten Faktor, und Ihr Passkey ist der einzige, den Sie haben.',
    startText:
      'Sie brauchen eine App, die Codes anzeigt, zum Beispiel Aegis, 2FAS, Google Authenticator, Microsoft Authenticator oder einen Passwortmanager.',
    startReason: 'Das ändert, wie Sie sich anmelden.',
    start: 'Weiter',
    scan: 'Diesen Code mit der App scannen',
    qrName: 'QR-Code für Ihre Authenticator-App',
    orType: 'Scannen geht nicht? Geben Sie diesen Schlüssel in die App ein, mit der Art „zeitbasiert“:',
    enter: 'Den Code eingeben, den die App anzeigt',
    code: 'Code',
    codeHint: 'Sechs Ziffern. Alle 30 Sekunden erscheint ein neuer Code.',
    confirm: 'Einschalten',
    cancel: 'Abbrechen',
    codesTitle: 'Ihre Wiederherstellungscodes',
    codesLead:
      'Bewahren Sie sie so auf, dass Sie sie auch finden, wenn Ihr Telefon oder Ihr Passkey verloren ist, zum Beispiel ausgedruckt oder in einem Passwortmanager. Jeder Code gilt für eine Anmeldung. Sie werden nicht noch einmal angezeigt.',
    codesOn: 'Der zweite Faktor ist eingeschaltet.',
    codesRenewed: 'Ihre neuen Wiederherstellungscodes sind da. Die früheren gelten nicht mehr.',
    download: 'Herunterladen',
    fileName: 'signet-wiederherstellungscodes.txt',
    fileHead: (email, service) => `Wiederherstellungscodes von ${email} für ${service}. Jeder gilt einmal.`,
    print: 'Oder drucken Sie diese Seite mit Ihrem Browser.',
    done: 'Ich habe sie aufbewahrt',
    renewTitle: 'Neue Wiederherstellungscodes erstellen?',
    renewText: 'Sie erhalten zehn neue Codes. Die früheren gelten sofort nicht mehr.',
    renewReason: 'Mit Wiederherstellungscodes kann man sich ohne Telefon anmelden.',
    renewSubmit: 'Neue Codes erstellen',
    removeTitle: 'Ihren zweiten Faktor entfernen?',
    removeText:
      'Bei der Anmeldung werden Sie nicht mehr nach einem Code Ihrer App gefragt. Ihre Wiederherstellungscodes gelten nicht mehr. Sie können jederzeit wieder einen zweiten Faktor einrichten.',
    removeRequired: 'Ihre Organisation verlangt einen: Bei der nächsten Anmeldung müssen Sie einen neuen einrichten.',
    removeReason: 'Ohne zweiten Faktor ist Ihr Konto weniger sicher.',
    removeSubmit: 'Zweiten Faktor entfernen',
  },
  settings: {
    title: 'Anmeldung',
    lead: 'Wie sich die Menschen in Ihrer Organisation anmelden.',
    rule: 'Zweiter Faktor für alle',
    isOn: 'Ein: Alle brauchen einen zweiten Faktor.',
    isOff: 'Aus: Alle entscheiden selbst.',
    lacking: (count, all) =>
      count === 0 ? 'Alle haben einen.' : `${count} von ${all} ${all === 1 ? 'Person hat' : 'Personen haben'} keinen.`,
    mustSetUp: 'Sie müssen ihn einrichten, bevor sie etwas anderes tun können, sofort, wenn sie angemeldet sind.',
    apiNote: 'Für API-Token gilt das nicht.',
    ownFirst: 'Richten Sie zuerst Ihren eigenen zweiten Faktor ein: Sonst würden Sie sich aussperren.',
    ownLink: 'Jetzt einrichten',
    switchOn: 'Zweiten Faktor verlangen …',
    switchOff: 'Nicht mehr verlangen …',
    onTitle: 'Von allen einen zweiten Faktor verlangen?',
    offTitle: 'Den zweiten Faktor nicht mehr verlangen?',
    offText: 'Wer einen hat, behält ihn, bis er oder sie ihn selbst entfernt.',
    reason: 'Das ändert, wie sich alle anmelden.',
    onSubmit: 'Zweiten Faktor verlangen',
    offSubmit: 'Nicht mehr verlangen',
    who: 'Wer das ist',
    sessions: 'Sitzungen',
    idleMinutes: 'Ohne Nutzung seit',
    idleIs: time => `Eine Sitzung der Web-App endet nach ${time} ohne Nutzung, in jedem Fall nach ${MAX_SESSION_HOURS} Stunden.`,
    idleHint: `Eine kürzere Zeit gilt sofort, eine längere ab der nächsten Anmeldung. Heikle Änderungen fragen in jedem Fall nach ${CONFIRMED_MINUTES} Minuten wieder, wer Sie sind.`,
    idleChange: 'Ändern …',
    idleTitle: 'Wann eine Sitzung endet',
    duration: minutes =>
      minutes % 60 === 0
        ? minutes === 60
          ? '1 Stunde'
          : `${minutes / 60} Stunden`
        : minutes === 1
          ? '1 Minute'
          : `${minutes} Minuten`,
    idleFixed: variable => `Diese Einstellung ist durch \`${variable}\` festgelegt: Ändern Sie sie dort.`,
    notices: {
      on: 'Alle brauchen jetzt einen zweiten Faktor.',
      off: 'Ein zweiter Faktor wird nicht mehr verlangt.',
      sessions: 'Die Zeit wurde gespeichert.',
    },
  },
  mails: {
    passwordChanged: service => ({
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        `Das Passwort Ihres Kontos bei ${service} wurde unter „Profil“ geändert. Alle anderen Sitzungen wurden beendet.`,
        NOT_YOU,
      ],
    }),
    passwordReset: (service, kind) => ({
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        kind === 'mail'
          ? `Das Passwort Ihres Kontos bei ${service} wurde mit einem einmaligen Link geändert, der an diese Adresse ging. Alle Sitzungen wurden beendet.`
          : `Das Passwort Ihres Kontos bei ${service} wurde mit einem einmaligen Link geändert, den „signet admin reset“ ausgegeben hat. Alle Sitzungen wurden beendet.`,
        'Wenn Sie das nicht waren, verständigen Sie sofort die Administration des Servers.',
      ],
    }),
    resetLink: (service, minutes) => ({
      subject: 'Neues Passwort wählen',
      paragraphs: [
        `Jemand, vermutlich Sie, hat um ein neues Passwort für Ihr Konto bei ${service} gebeten. Der Link gilt einmal, ${minutes} Minuten lang. Wenn Sie einen zweiten Faktor haben, brauchen Sie ihn weiterhin zur Anmeldung.`,
        'Wenn Sie nicht darum gebeten haben, beachten Sie diese E-Mail nicht: Ihr Passwort bleibt, wie es ist.',
      ],
      link: 'Neues Passwort wählen',
    }),
    factorAdded: service => ({
      subject: 'Ein zweiter Faktor wurde eingerichtet',
      paragraphs: [
        `Für Ihr Konto bei ${service} wurde eine Authenticator-App eingerichtet. Bei der Anmeldung werden Sie nach ihrem Code gefragt.`,
        NOT_YOU,
      ],
    }),
    factorRemoved: (service, { isOwn, ...had }) => ({
      subject: 'Ihr zweiter Faktor wurde entfernt',
      paragraphs: [
        isOwn
          ? `Die Authenticator-App Ihres Kontos bei ${service} wurde unter „Profil“ entfernt, mit ihren Wiederherstellungscodes. Bei der Anmeldung werden Sie nicht mehr nach ihrem Code gefragt.`
          : `Die Administration hat den zweiten Faktor Ihres Kontos bei ${service} entfernt (${factors(had)}) und Ihre Sitzungen beendet. Zur Anmeldung genügt jetzt Ihr Passwort. Bitte richten Sie unter „Profil“ wieder einen zweiten Faktor ein.`,
        ...(had.passkeys > 0
          ? ['Mit einem entfernten Passkey können Sie sich nicht mehr anmelden: Löschen Sie ihn auch auf Ihrem Gerät.']
          : []),
        isOwn ? NOT_YOU : 'Wenn Sie nicht darum gebeten haben, verständigen Sie sofort Ihre Administration.',
      ],
    }),
    codesRenewed: service => ({
      subject: 'Sie haben neue Wiederherstellungscodes',
      paragraphs: [
        `Für Ihr Konto bei ${service} wurden neue Wiederherstellungscodes erstellt. Die früheren gelten nicht mehr.`,
        NOT_YOU,
      ],
    }),
    codeUsed: (service, left) => ({
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      paragraphs: [
        `Jemand hat sich bei Ihrem Konto auf ${service} mit einem Wiederherstellungscode angemeldet. Es ${left === 1 ? 'bleibt' : 'bleiben'} ${codes(left)}. Neue können Sie unter „Profil“ erstellen.`,
        NOT_YOU,
      ],
    }),
  },
}
