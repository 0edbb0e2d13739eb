/** Texts of sign-in by an identity provider, in German. */
import type { AppTexts } from '../../app.ts'

const NOT_YOU = 'Wenn Sie das nicht waren, sagen Sie es sofort der Administration.'
const people = (count: number) => (count === 1 ? '1 Person' : `${count} Personen`)

export const openIdConnect: AppTexts['openIdConnect'] = {
  signInWith: provider => `Mit ${provider} anmelden`,
  orAccept: 'Sie brauchen hier kein Passwort, wenn Sie sich mit dem Konto Ihrer Organisation anmelden.',
  administrators: 'Für die Administration: mit Passwort anmelden',
  confirmWith: provider => `Mit ${provider} bestätigen`,
  confirmFirst: reason => `${reason} Bitte bestätigen Sie zuerst, dass Sie es sind. Sie kommen danach auf diese Seite zurück.`,
  confirmNoWay:
    'Ihr Konto hat kein Passwort und keinen anderen Weg zur Bestätigung. Legen Sie ein Passwort fest: Melden Sie sich ab, und folgen Sie „Passwort vergessen?“.',
  noPassword: 'Ihr Konto hat kein Passwort. Um eines festzulegen, melden Sie sich ab und folgen Sie „Passwort vergessen?“.',
  section: {
    title: 'Identitätsanbieter',
    on: provider => `Ein: Die Anmeldung mit ${provider} ist möglich.`,
    onlyWay: provider => `Ein: Außer der Administration melden sich alle nur mit ${provider} an.`,
    off: 'Aus: Die Anmeldung erfolgt mit Passwort oder Passkey.',
    change: 'Ändern oder testen',
    setUp: 'Einrichten',
  },
  profile: {
    linked: 'Verknüpft',
    linkedText: (provider, email, since) => `Ihr Konto bei ${provider} ist ${email}, verknüpft am ${since}.`,
    none: 'Nicht verknüpft',
    noneText: provider => `Verknüpfen Sie Ihr Konto bei ${provider}, dann können Sie sich damit anmelden.`,
    link: provider => `${provider} verknüpfen`,
    unlink: 'Verknüpfung lösen …',
    unlinkTitle: provider => `Die Verknüpfung mit ${provider} lösen?`,
    unlinkText: email => `Sie können sich nicht mehr mit ${email} anmelden. Ihr Konto und Ihre Dokumente bleiben, wie sie sind.`,
    unlinkReason: 'Das ändert, wie Sie sich anmelden.',
    unlinkSubmit: 'Verknüpfung lösen',
    notices: {
      linked: 'Das Konto wurde verknüpft. Sie können sich jetzt damit anmelden.',
      unlinked: 'Die Verknüpfung wurde gelöst.',
      'identity-email':
        'Ihr Identitätsanbieter nennt eine andere E-Mail-Adresse als bisher. Sie sind im selben Konto angemeldet, und Ihre Adresse bleibt hier, wie sie war.',
    },
  },
  person: {
    label: 'Anmeldung mit',
    ways: { password: 'Passwort', passkey: 'Passkey' },
  },
  settings: {
    title: 'OpenID Connect',
    back: 'Anmeldung',
    lead: 'Ihre Leute melden sich mit dem Konto an, das sie bei Ihrem Identitätsanbieter haben, zum Beispiel Entra ID, Google Workspace oder Keycloak.',
    unset: 'Noch nicht eingerichtet',
    steps: [
      'Registrieren Sie Signet bei Ihrem Anbieter als Webanwendung mit Client-Secret und der Redirect-URI unten.',
      'Tragen Sie hier Issuer, Client-ID und Client-Secret ein, und speichern Sie.',
      'Testen Sie die Verbindung. Danach erscheint die Schaltfläche auf der Anmeldeseite.',
    ],
    isOn: provider => `Die Anmeldeseite hat die Schaltfläche „Mit ${provider} anmelden“.`,
    redirectUri: 'Redirect-URI',
    redirectUriHint: 'Ihr Anbieter fragt danach und schickt Ihre Leute nur an diese Adresse zurück.',
    fixed: variable => `Durch \`${variable}\` festgelegt. Ändern Sie es dort.`,
    provider: 'Anbieter',
    labels: {
      oidcIssuer: 'Issuer',
      oidcClientId: 'Client-ID',
      oidcClientSecret: 'Client-Secret',
      oidcName: 'Name auf der Schaltfläche',
      oidcDomains: 'E-Mail-Domains',
      oidcEmails: 'Adressen, die der Anbieter nicht als bestätigt kennzeichnet',
      oidcUnknown: 'Personen ohne Konto',
      oidcRoleClaim: 'Claim',
      oidcAdmins: 'Werte für die Administration',
      oidcMembers: 'Werte für Mitglieder',
      oidcAuditors: 'Werte für die Prüfung',
      oidcScopes: 'Weitere Scopes',
      oidcSecondFactor: 'Zweiter Faktor',
      oidcOnly: 'Andere Wege zur Anmeldung',
    },
    hints: {
      oidcIssuer: 'Wie Ihr Anbieter ihn schreibt, zum Beispiel https://login.example.com/realms/office.',
      oidcClientSecret: 'Es wird verschlüsselt gespeichert und nicht mehr angezeigt.',
      oidcSecretStored: 'Ein Secret ist gespeichert. Lassen Sie das Feld leer, um es zu behalten.',
      oidcName: 'Leer: der Hostname des Issuers.',
      oidcDomains:
        'Durch Kommas getrennt. Nennen Sie nur Domains, in denen allein Ihr Anbieter Adressen vergibt: Konten mit einer solchen Adresse werden bei der ersten Anmeldung verknüpft, außer denen der Administration, die das unter „Profil“ tut. Andere Adressen werden abgelehnt. Leer: jede Adresse, aber nur Konten, die unter „Profil“ verknüpft wurden.',
      oidcRoleClaim: 'Zum Beispiel groups, oder realm_access.roles für einen inneren.',
      oidcValues: 'Durch Kommas getrennt.',
      oidcScopes: 'Nur wenn Ihr Anbieter für den Claim einen braucht.',
    },
    people: 'Personen',
    emails: {
      verified: 'Ablehnen',
      all: 'Annehmen: Der Anbieter kennt seine Adressen (Entra ID)',
    },
    unknown: {
      refuse: 'Ablehnen, außer sie sind eingeladen',
      member: 'Ein Konto als Mitglied anlegen',
      auditor: 'Ein Konto für die Prüfung anlegen',
    },
    secondFactor: {
      signet: 'Signet fragt alle, die einen haben, wie nach einem Passwort',
      provider: 'Der Anbieter fragt danach: Signet fragt nicht noch einmal',
    },
    only: {
      no: 'Passwörter und Passkeys bleiben für alle möglich',
      yes: 'Nur die Administration darf sie noch verwenden',
    },
    onlyNote: 'Die Administration kann sich immer mit Passwort anmelden, auch wenn der Anbieter ausfällt.',
    roles: 'Rollen durch den Anbieter',
    rolesText:
      'Freiwillig. Mit einem Claim bestimmt der Anbieter bei jeder Anmeldung die Rolle. Wer keinen der Werte hat, wird wie eine Person ohne Konto behandelt. Wer allein die Administration hat, behält sie immer.',
    saveReason: 'Das ändert, wie sich alle anmelden.',
    save: 'Speichern',
    testTitle: 'Test',
    testText: 'Fragt den Anbieter mit den gespeicherten Einstellungen, was er anbietet. Niemand wird angemeldet.',
    test: 'Verbindung testen',
    testGood: 'Der Anbieter antwortet',
    testBad: 'Die Verbindung funktioniert nicht',
    testFailures: {
      unreachable: 'Der Anbieter ist nicht erreichbar. Prüfen Sie die Adresse, und ob dieser Server sich mit ihr verbinden darf.',
      'no provider':
        'Unter dieser Adresse gibt es keinen OpenID-Connect-Anbieter. Prüfen Sie den Issuer: Mit /.well-known/openid-configuration dahinter muss er sich im Browser öffnen lassen.',
      'another issuer': 'Der Anbieter nennt einen anderen Namen als den hier eingetragenen. Tragen Sie als Issuer genau das ein:',
    },
    testDetail: 'Im Einzelnen',
    facts: {
      issuer: 'Issuer',
      authorization: 'Anmeldeseite',
      token: 'Token-Endpunkt',
      namesItself: 'Nennt sich selbst (RFC 9207)',
    },
    yes: 'ja',
    no: 'nein',
    testNext: 'Das Client-Secret wird erst bei einer Anmeldung verwendet: Verknüpfen Sie unter „Profil“ Ihr eigenes Konto.',
    offTitle: 'Abschalten',
    offText: 'Die Anmeldung erfolgt dann nur noch mit Passwort oder Passkey.',
    off: 'Abschalten …',
    offQuestion: provider => `Die Anmeldung mit ${provider} abschalten?`,
    offDetail:
      'Die Einstellungen werden gelöscht, auch das Secret. Konten bleiben verknüpft, falls Sie denselben Anbieter wieder einrichten.',
    offLocked: count =>
      count === 0
        ? 'Alle haben ein Passwort.'
        : `${people(count)} ohne Passwort ${count === 1 ? 'muss' : 'müssen'} eines festlegen, über „Passwort vergessen?“ auf der Anmeldeseite.`,
    offReason: 'Das ändert, wie sich alle anmelden.',
    offSubmit: 'Abschalten',
    notices: {
      saved: 'Die Einstellungen wurden gespeichert. Testen Sie jetzt die Verbindung.',
      removed: 'Die Anmeldung mit dem Identitätsanbieter ist abgeschaltet.',
    },
  },
  mails: {
    linked: (service, provider, email) => ({
      subject: `Ihr Konto wurde mit ${provider} verknüpft`,
      paragraphs: [`Mit dem Konto ${email} bei ${provider} kann man sich jetzt in Ihrem Konto bei ${service} anmelden.`, NOT_YOU],
    }),
    unlinked: (service, provider, email) => ({
      subject: `Ihr Konto ist nicht mehr mit ${provider} verknüpft`,
      paragraphs: [
        `Mit dem Konto ${email} bei ${provider} kann man sich nicht mehr in Ihrem Konto bei ${service} anmelden.`,
        NOT_YOU,
      ],
    }),
  },
}
