/** Refusals and validation errors in German. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

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
  paragraph: 'Absatz',
  radio: 'Auswahl',
  image: 'Bild',
  attachment: 'Anlage',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const NOT_OPEN = {
  draft: 'Das Dokument ist noch ein Entwurf und kann nicht unterschrieben werden.',
  sent: 'Das Dokument kann nicht unterschrieben werden.',
  sealing: 'Das Dokument wird gerade gesiegelt: Es kann nicht mehr unterschrieben werden.',
  completed: 'Das Dokument ist abgeschlossen: Es kann nicht mehr unterschrieben werden.',
  declined: 'Das Dokument wurde abgelehnt: Es kann nicht mehr unterschrieben werden.',
  voided: 'Das Dokument wurde zurückgezogen: Es kann nicht mehr unterschrieben werden.',
  expired: 'Das Dokument ist abgelaufen: Es kann nicht mehr unterschrieben werden.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'de')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: Bitte füllen Sie dieses Feld aus`,
  tooLong: (field, most) => `${name(field)}: Bitte verwenden Sie höchstens ${most} Zeichen`,
  tooLongForPlace: (field, about) =>
    `${name(field)}: Das ist zu lang für die Stelle im Dokument. Bitte verwenden Sie höchstens etwa ${about} Zeichen`,
  notAChoice: (field, options) => `${name(field)}: Bitte wählen Sie eine dieser Möglichkeiten: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: Bitte geben Sie eine Zahl ein, zum Beispiel 1250 oder 12,50`,
  numberUnclear: (field, larger, smaller) =>
    `${name(field)}: Das können zwei Zahlen sein. Bitte geben Sie ${larger} oder ${smaller} ein`,
  tooSmall: (field, min) => `${name(field)}: Bitte geben Sie mindestens ${min} ein`,
  tooLarge: (field, max) => `${name(field)}: Bitte geben Sie höchstens ${max} ein`,
  notADate: field => `${name(field)}: Bitte geben Sie ein Datum ein, zum Beispiel 2026-12-31`,
  notAnEmail: field => `${name(field)}: Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: Der Wert muss „true“ oder „false“ sein`,
  tickRequired: field => `${name(field)}: Bitte kreuzen Sie das Kästchen an`,
  fileMissing: field => `${name(field)}: Bitte wählen Sie eine Datei aus`,
  fileEmpty: field => `${name(field)}: Diese Datei ist leer. Bitte wählen Sie eine andere`,
  fileTooLarge: (field, max) => `${name(field)}: Diese Datei ist zu groß. Bitte wählen Sie eine mit höchstens ${size(max)}`,
  fileWrongType: (field, types) => `${name(field)}: Bitte wählen Sie eine Datei mit einem dieser Formate: ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: Diese ${type}-Datei ist beschädigt oder unvollständig. Bitte wählen Sie eine andere, oder speichern Sie sie noch einmal`,
  fileNeedsPassword: field =>
    `${name(field)}: Dieses PDF lässt sich nur mit einem Passwort öffnen. Bitte wählen Sie eines ohne Passwort`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: Dieses Bild ist zu groß. Bitte wählen Sie eines mit höchstens ${megapixels} Megapixeln`,
  fileTooComplex: field =>
    `${name(field)}: Diese Datei zu lesen dauert zu lange. Bitte wählen Sie eine andere, oder drucken Sie sie in ein neues PDF`,
  tooManyFiles: () =>
    'In kurzer Zeit wurden zu viele Dateien gesendet. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  fileChanged: field =>
    `${name(field)}: Diese Datei wurde in einem anderen Fenster geändert. Bitte prüfen Sie sie, und schließen Sie dann noch einmal ab`,
  filesTooLarge: (field, max) =>
    `${name(field)}: Ihre Dateien sind zusammen größer als ${size(max)}. Bitte entfernen Sie eine, oder wählen Sie eine kleinere`,
  unprintable: characters =>
    `Ihre Eingabe enthält Zeichen, die sich nicht drucken lassen: ${characters}. Bitte entfernen oder ersetzen Sie diese Zeichen.`,
  consentMissing: () => 'Bitte willigen Sie ein, indem Sie das Kästchen ankreuzen.',
  deviceKeyMissing: () =>
    'Der Absender bittet Sie, auch mit einem Schlüssel Ihres Geräts zu signieren. Bitte unterschreiben Sie noch einmal, und benutzen Sie ihn dann.',
  deviceKeyImpossible: () =>
    'Der Absender verlangt einen Schlüssel Ihres Geräts, den dieser Dienst nicht benutzen kann: Seine Adresse ist kein Name mit https. Bitte sagen Sie es dem Absender.',
  deviceKeyWrong: () =>
    'Die Signatur Ihres Geräts passt nicht: Das Dokument, Ihre Eingaben oder die Zeit haben sich seitdem geändert. Bitte benutzen Sie den Schlüssel noch einmal.',
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
  receiptLater: () => 'Ihr Beleg kann gerade nicht erstellt werden. Bitte versuchen Sie es später noch einmal.',
  notOpened: () => 'Bitte öffnen Sie das Dokument, bevor Sie abschließen.',
  signingPeriodOver: () => 'Die Frist zum Unterschreiben dieses Dokuments ist abgelaufen.',
  nothingForViewers: () => 'Sie erhalten eine Kopie dieses Dokuments. Für Sie gibt es nichts zu unterschreiben.',
  notOpen: status => NOT_OPEN[status] ?? 'Das Dokument kann nicht unterschrieben werden.',
  reasonMissing: () => 'Bitte sagen Sie in wenigen Worten, warum Sie ablehnen.',
  reasonTooLong: most => `Bitte verwenden Sie höchstens ${most} Zeichen.`,
  nothingToDecline: () => 'In diesem Dokument gibt es für Sie nichts mehr abzulehnen.',
  nameMissing: () => 'Bitte geben Sie den Namen der Person ein, an die Sie übergeben.',
  addressWrong: () => 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  sameAddress: () => 'Dies ist Ihre eigene Adresse. Bitte geben Sie die Adresse einer anderen Person ein.',
  addressInUse: () => 'Diese Person soll dieses Dokument bereits unterschreiben. Bitte wählen Sie jemand anderen.',
  delegationForbidden: () =>
    'Der Absender erlaubt nicht, dieses Dokument zu übergeben. Sie können es unterschreiben oder mit einer Begründung ablehnen.',
  nothingToDelegate: () => 'In diesem Dokument gibt es für Sie nichts mehr zu übergeben.',
  delegatedOften: () =>
    'Dieses Dokument wurde heute zu oft weitergegeben. Bitte versuchen Sie es morgen noch einmal, oder bitten Sie die absendende Person, die richtige Person einzutragen.',
  linkUnknown: () =>
    'Dieser Link ist nicht gültig. Bitte verwenden Sie den Link aus der neuesten E-Mail, oder fragen Sie die Person, von der Sie ihn haben.',
  linkReplaced: () => 'Dieser Link wurde durch einen neueren ersetzt. Bitte verwenden Sie den Link aus der neuesten E-Mail.',
  linkReaddressed: () =>
    'Dieser Link funktioniert nicht mehr: Der Absender hat geändert, für wen er ist. Wenn Sie das Dokument noch erwarten, wenden Sie sich bitte an den Absender.',
  linkHandedOver: to =>
    to === undefined
      ? 'Dieses Dokument wurde an eine andere Person übergeben. Dieser Link funktioniert nicht mehr, und hier ist nichts mehr zu tun.'
      : `Sie haben dieses Dokument an ${to} übergeben. Ihr eigener Link funktioniert nicht mehr, und Sie brauchen nichts mehr zu tun.`,
  linkAsked: () =>
    'Vor Kurzem wurde schon ein neuer Link angefordert. Bitte sehen Sie in Ihrem Postfach nach, auch im Spam-Ordner. Später können Sie noch einmal fragen.',
  senderAsked: () => 'Der Absender wurde vor Kurzem schon um einen neuen Link gebeten. Später können Sie noch einmal fragen.',
  linkUsed: () =>
    'Dieser Link lässt sich nur einmal öffnen und wurde schon geöffnet, oder es gibt einen neueren. Bitte machen Sie in dem Fenster weiter, in dem Sie ihn geöffnet haben, oder gehen Sie dorthin zurück, wo Sie ihn gefunden haben, und bitten Sie dort um einen neuen.',
  linkTooOld: () =>
    `Dieser Link ist abgelaufen: Er gilt ${LINK_MINUTES} Minuten. Bitte gehen Sie dorthin zurück, wo Sie ihn gefunden haben, und öffnen Sie das Dokument von dort.`,
  sessionOver: () =>
    'Ihre Sitzung ist abgelaufen. Bitte gehen Sie dorthin zurück, wo Sie den Link gefunden haben, und öffnen Sie das Dokument von dort.',
  openByLink: () =>
    'Ihre Sitzung ist abgelaufen, oder diese Seite gehört zu einem anderen Browser. Bitte öffnen Sie das Dokument mit dem Link, den Sie erhalten haben. Lässt er sich nur einmal öffnen, bitten Sie um einen neuen, wo Sie ihn erhalten haben.',
  tooManyLinks: () =>
    'Von Ihrem Netz aus wurden zu viele ungültige Links geöffnet. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  withdrawn: () => 'Der Absender hat dieses Dokument zurückgezogen. Es gibt nichts mehr zu unterschreiben.',
  expired: () =>
    'Die Frist zum Unterschreiben dieses Dokuments ist abgelaufen. Bitte wenden Sie sich an den Absender, damit er es noch einmal sendet.',
  declined: () => 'Dieses Dokument wurde abgelehnt. Es gibt nichts mehr zu unterschreiben.',
  copyExpired: () =>
    `Das Dokument wurde vor mehr als ${COPY_DAYS} Tagen abgeschlossen und kann hier nicht mehr heruntergeladen werden. Die gesiegelte Kopie wurde Ihnen per E-Mail zugesandt.`,
  codeMissing: () => 'Bitte geben Sie den Zugangscode ein.',
  codeWrong: attemptsLeft =>
    `Dieser Zugangscode ist nicht richtig. Sie haben noch ${attemptsLeft === 1 ? 'einen Versuch' : `${attemptsLeft} Versuche`}.`,
  codePause: seconds =>
    `Bitte warten Sie ${seconds === 1 ? 'eine Sekunde' : `${seconds} Sekunden`}, bevor Sie den Zugangscode noch einmal eingeben.`,
  codeLocked: () =>
    'Der Zugangscode wurde zu oft falsch eingegeben. Bitten Sie den Absender, ihn zu entsperren: Danach sind neue Versuche möglich.',
  oneTimeCodeMissing: () => 'Bitte geben Sie die sechs Ziffern des Codes ein.',
  oneTimeCodeWrong: attemptsLeft =>
    `Dieser Code ist nicht richtig. Sie haben damit noch ${attemptsLeft === 1 ? 'einen Versuch' : `${attemptsLeft} Versuche`}.`,
  oneTimeCodeDead: () =>
    'Dieser Code wurde fünfmal falsch eingegeben und ist nicht mehr gültig. Bitte fordern Sie einen neuen Code an.',
  oneTimeCodeUsed: () => 'Dieser Code wurde schon verwendet: Jeder Code gilt nur einmal. Bitte fordern Sie einen neuen Code an.',
  oneTimeCodeExpired: () => `Dieser Code ist abgelaufen: Er gilt ${CODE_MINUTES} Minuten. Bitte fordern Sie einen neuen Code an.`,
  oneTimeCodeElsewhere: () =>
    'In diesem Browser wurde kein Code angefordert, der hier gültig ist. Ein Code gilt nur dort, wo er angefordert wurde. Bitte fordern Sie einen neuen Code an.',
  oneTimeCodeWait: seconds =>
    `Bitte warten Sie ${seconds < 90 ? (seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`) : `${Math.ceil(seconds / 60)} Minuten`}, bevor Sie einen weiteren Code anfordern.`,
  oneTimeCodeLocked: () =>
    'Es wurden zu oft falsche Codes eingegeben. Bitten Sie den Absender, das Dokument für Sie zu entsperren: Danach können Sie es erneut versuchen.',
  oneTimeCodeUndeliverable: () =>
    'Im Moment kann Ihnen kein Code gesendet werden. Bitte sagen Sie dem Absender Bescheid: Er muss das Programm anbinden, das die Codes weitergibt.',
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
