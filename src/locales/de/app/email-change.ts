/** Texts of changing the e-mail address of an account, in German. */
import type { emailChange as english } from '../../en/app/email-change.ts'

export const emailChange: typeof english = {
  label: 'E-Mail-Adresse',
  change: 'Ändern …',
  title: 'Ihre E-Mail-Adresse ändern',
  lead: email => `Sie melden sich mit ${email} an, und E-Mails zu Ihren Dokumenten gehen dorthin.`,
  text: 'Wir senden einen Link an die neue Adresse. Sie gilt, sobald Sie den Link öffnen und bestätigen. Die bisherige Adresse wird verständigt.',
  newLabel: 'Neue E-Mail-Adresse',
  reason: 'Wer dieses Postfach liest, kann ein neues Passwort wählen.',
  submit: 'Link senden',
  waits: (email, until) => `${email} muss bis ${until} bestätigen`,
  waitsText: 'Öffnen Sie den Link in der E-Mail, die wir dorthin gesendet haben. Bis dahin ändert sich nichts.',
  withdraw: 'Änderung zurückziehen',
  notices: {
    'email-sent': 'Ein Link ist unterwegs an die neue Adresse. Sie gilt, sobald Sie dort bestätigen.',
    'email-kept': 'Die Änderung wurde zurückgezogen. Ihre Adresse bleibt, wie sie ist.',
  },
  confirm: {
    title: 'Neue Adresse bestätigen',
    text: (from, to) => `Das Konto mit der Adresse ${from} bekommt die Adresse ${to}.`,
    hint: 'Danach melden Sie sich mit dieser Adresse an, mit demselben Passwort.',
    submit: 'Bestätigen',
    doneTitle: 'Die Adresse wurde geändert',
    done: to => `${to} ist jetzt die Adresse Ihres Kontos. Melden Sie sich künftig damit an.`,
    go: 'Weiter',
  },
  stop: {
    title: 'Die Änderung der Adresse anhalten?',
    takeBackTitle: 'Die Änderung der Adresse zurücknehmen?',
    text: (from, to) => `Das Konto behält die Adresse ${from}. Der Link, der an ${to} ging, gilt nicht mehr.`,
    takeBackText: (from, to) =>
      `Das Konto bekommt wieder die Adresse ${from} statt ${to}. Alle Sitzungen werden beendet: Sie melden sich neu an.`,
    submit: 'Änderung anhalten',
    takeBackSubmit: 'Zurücknehmen',
    doneTitle: 'Die Adresse bleibt, wie sie ist',
    takenBackTitle: 'Die Adresse gilt wieder',
    done: from => `Das Konto hat die Adresse ${from}.`,
    advice: 'Sie wollten diese Änderung nicht? Dann kennt womöglich jemand anderes Ihr Passwort: Wählen Sie jetzt ein neues.',
    reset: 'Neues Passwort wählen',
  },
  person: {
    subject: 'E-Mail-Adresse',
    action: 'Adresse ändern',
    text: 'Die Person bestätigt sie mit einem Link, der an die neue Adresse geht.',
    title: name => `Die E-Mail-Adresse von ${name} ändern`,
    detail:
      'Wir senden einen Link an die neue Adresse: Das Konto bekommt sie, sobald dort bestätigt wurde. Die bisherige Adresse wird verständigt, und die Person kann die Änderung damit anhalten.',
    label: 'Neue E-Mail-Adresse',
    submit: 'Link senden',
    waiting: 'Neue Adresse, noch nicht bestätigt',
  },
  withdrawal: {
    subject: 'Änderung der Adresse',
    action: 'Zurückziehen',
    text: 'Der Link, der an die neue Adresse ging, gilt dann nicht mehr.',
    title: name => `Die Änderung der Adresse von ${name} zurückziehen?`,
    detail: email => `${email} hat noch nicht bestätigt. Die Adresse des Kontos bleibt, wie sie ist.`,
    submit: 'Änderung zurückziehen',
  },
  mails: {
    confirm: (name, service, hours) => ({
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      paragraphs: [
        `Das Konto von ${name} bei ${service} soll diese E-Mail-Adresse bekommen. Bestätigen Sie das mit dem Link unten innerhalb von ${hours} Stunden.`,
        'Wenn Sie dieses Konto nicht kennen, können Sie diese E-Mail ignorieren: Dann ändert sich nichts.',
      ],
      button: 'Adresse bestätigen',
    }),
    requested: (service, to, days) => ({
      subject: 'Ihre E-Mail-Adresse soll geändert werden',
      paragraphs: [
        `Ihr Konto bei ${service} soll die Adresse ${to} bekommen, sobald dort bestätigt wird.`,
        `Wenn Sie das nicht möchten, halten Sie es mit dem Link unten an. Er nimmt die Änderung auch nach der Bestätigung zurück, ${days} Tage lang.`,
      ],
      button: 'Änderung anhalten',
    }),
    changed: (service, to, days) => ({
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraphs: [
        `Ihr Konto bei ${service} hat jetzt die Adresse ${to}. E-Mails dazu kommen nicht mehr hierher.`,
        `Wenn Sie das nicht waren, nehmen Sie es mit dem Link unten innerhalb von ${days} Tagen zurück, und wählen Sie ein neues Passwort.`,
      ],
      button: 'Änderung zurücknehmen',
    }),
    takenBack: (service, to) => ({
      subject: 'Die Änderung der E-Mail-Adresse wurde zurückgenommen',
      paragraphs: [
        `Das Konto bei ${service} hat wieder die Adresse ${to}. Mit dieser Adresse kann sich dort niemand mehr anmelden.`,
      ],
    }),
  },
}
