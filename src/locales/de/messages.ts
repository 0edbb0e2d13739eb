/** Refusals and validation errors in German. */
import type { DocumentStatus } from '../../core/document.ts'
import type { FieldType } from '../../core/field.ts'
import type { MessageCatalogue, NamedField } from '../../core/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Unterschrift',
  initials: 'Initialen',
  date: 'Datum',
  name: 'Name',
  email: 'E-Mail-Adresse',
  text: 'Text',
  checkbox: 'Kästchen',
  dropdown: 'Auswahl',
  number: 'Zahl',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const NOT_OPEN = {
  draft: 'Das Dokument ist noch ein Entwurf und kann nicht unterzeichnet werden.',
  sent: 'Das Dokument kann nicht unterzeichnet werden.',
  sealing: 'Das Dokument wird gerade gesiegelt: Es kann nicht mehr unterzeichnet werden.',
  completed: 'Das Dokument ist abgeschlossen: Es kann nicht mehr unterzeichnet werden.',
  declined: 'Das Dokument wurde abgelehnt: Es kann nicht mehr unterzeichnet werden.',
  voided: 'Das Dokument wurde zurückgezogen: Es kann nicht mehr unterzeichnet werden.',
  expired: 'Das Dokument ist abgelaufen: Es kann nicht mehr unterzeichnet werden.',
} satisfies Record<DocumentStatus, string> as Record<string, string>

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: Bitte füllen Sie dieses Feld aus`,
  tooLong: (field, most) => `${name(field)}: Bitte verwenden Sie höchstens ${most} Zeichen`,
  notAChoice: (field, options) => `${name(field)}: Bitte wählen Sie eine dieser Möglichkeiten: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: Bitte geben Sie eine Zahl ein, zum Beispiel 1250 oder 12,50`,
  notAnEmail: field => `${name(field)}: Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: Der Wert muss „true“ oder „false“ sein`,
  tickRequired: field => `${name(field)}: Bitte kreuzen Sie das Kästchen an`,
  unprintable: characters =>
    `Ihre Eingabe enthält Zeichen, die sich nicht drucken lassen: ${characters}. Bitte entfernen oder ersetzen Sie diese Zeichen.`,
  consentMissing: () => 'Bitte willigen Sie in das elektronische Unterzeichnen ein, indem Sie das Kästchen ankreuzen.',
  signatureMissing: () => 'Bitte geben Sie Ihren vollen Namen als Unterschrift ein.',
  initialsMissing: () => 'Bitte geben Sie Ihre Initialen ein.',
  drawingMissing: () => 'Die Zeichnung ist leer. Bitte zeichnen Sie, oder wählen Sie eine andere Möglichkeit.',
  drawingUnreadable: () => 'Die Zeichnung konnte nicht gelesen werden. Bitte zeichnen Sie noch einmal.',
  pictureMissing: () => 'Bitte wählen Sie ein Bild aus, oder wählen Sie eine andere Möglichkeit.',
  pictureUnreadable: () =>
    'Diese Datei lässt sich nicht als PNG-Bild lesen. Bitte wählen Sie eine PNG-Datei, oder machen Sie ein Bildschirmfoto von dem Bild.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Dieses Bild ist zu groß. Bitte wählen Sie eines mit höchstens ${megabytes} MB und ${megapixels} Megapixeln.`,
  pictureEmpty: () =>
    'In diesem Bild wurde keine Handschrift gefunden. Bitte nehmen Sie es noch einmal auf: näher, auf weißem Papier und bei gutem Licht.',
  markTooLong: most => `Bitte verwenden Sie höchstens ${most} Zeichen.`,
  documentChanged: () => 'Das Dokument ist nicht das, das diese Seite Ihnen gezeigt hat. Bitte laden Sie die Seite neu.',
  consentChanged: () =>
    'Der Text, in den Sie eingewilligt haben, wurde inzwischen geändert. Bitte laden Sie die Seite neu und lesen Sie ihn noch einmal.',
  notOpened: () => 'Bitte öffnen Sie das Dokument, bevor Sie abschließen.',
  signingPeriodOver: () => 'Die Frist zum Unterzeichnen dieses Dokuments ist abgelaufen.',
  nothingForViewers: () => 'Sie erhalten eine Kopie dieses Dokuments. Für Sie gibt es nichts zu unterzeichnen.',
  notOpen: status => NOT_OPEN[status] ?? 'Das Dokument kann nicht unterzeichnet werden.',
  reasonMissing: () => 'Bitte sagen Sie in wenigen Worten, warum Sie ablehnen.',
  reasonTooLong: most => `Bitte verwenden Sie höchstens ${most} Zeichen.`,
  nothingToDecline: () => 'In diesem Dokument gibt es für Sie nichts mehr abzulehnen.',
  nameMissing: () => 'Bitte geben Sie den Namen der Person ein, an die Sie übergeben.',
  addressWrong: () => 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  sameAddress: () => 'Dies ist Ihre eigene Adresse. Bitte geben Sie die Adresse einer anderen Person ein.',
  addressInUse: () => 'Diese Person soll dieses Dokument bereits unterzeichnen. Bitte wählen Sie jemand anderen.',
  delegationForbidden: () =>
    'Der Absender erlaubt nicht, dieses Dokument zu übergeben. Sie können es unterzeichnen oder mit einer Begründung ablehnen.',
  nothingToDelegate: () => 'In diesem Dokument gibt es für Sie nichts mehr zu übergeben.',
  linkUnknown: () =>
    'Dieser Link ist nicht gültig. Bitte verwenden Sie den Link aus der neuesten E-Mail, oder fragen Sie die Person, von der Sie ihn haben.',
  openByMail: () =>
    'Ihre Sitzung ist abgelaufen, oder diese Seite gehört zu einem anderen Browser. Bitte öffnen Sie das Dokument mit dem Link in Ihrer E-Mail.',
  tooManyLinks: () =>
    'Von Ihrem Netz aus wurden zu viele ungültige Links geöffnet. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  withdrawn: () => 'Der Absender hat dieses Dokument zurückgezogen. Es gibt nichts mehr zu unterzeichnen.',
  expired: () =>
    'Die Frist zum Unterzeichnen dieses Dokuments ist abgelaufen. Bitte wenden Sie sich an den Absender, damit er es noch einmal sendet.',
  declined: () => 'Dieses Dokument wurde abgelehnt. Es gibt nichts mehr zu unterzeichnen.',
  copyExpired: () =>
    'Das Dokument wurde vor mehr als 30 Tagen abgeschlossen und kann hier nicht mehr heruntergeladen werden. Die gesiegelte Kopie wurde Ihnen per E-Mail zugesandt.',
  codeMissing: () => 'Bitte geben Sie den Zugangscode ein.',
  codeWrong: attemptsLeft =>
    `Dieser Zugangscode ist nicht richtig. Sie haben noch ${attemptsLeft === 1 ? 'einen Versuch' : `${attemptsLeft} Versuche`}.`,
  codePause: seconds =>
    `Bitte warten Sie ${seconds === 1 ? 'eine Sekunde' : `${seconds} Sekunden`}, bevor Sie den Zugangscode noch einmal eingeben.`,
  codeLocked: () =>
    'Der Zugangscode wurde zu oft falsch eingegeben. Bitten Sie den Absender um eine Erinnerung: Danach sind neue Versuche möglich.',
  foreignForm: () =>
    'Dieses Formular wurde nicht von unserer eigenen Seite gesendet. Bitte gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  busy: () => 'Der Dienst ist im Moment ausgelastet. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  notStored: () =>
    'Im Moment kann nichts gespeichert werden. Von dieser Eingabe wurde nichts gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
  notReachable: () =>
    'Der Dienst erreicht seine Daten im Moment nicht. Es wurde nichts gespeichert. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  notConfirmed: () =>
    'Die Verbindung brach ab, bevor der Dienst die Änderung bestätigen konnte. Sie wurde vielleicht gespeichert: Bitte sehen Sie nach, bevor Sie sie wiederholen.',
}
