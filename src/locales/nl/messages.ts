/** Refusals and validation errors in Dutch. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Handtekening',
  initials: 'Paraaf',
  date: 'Datum',
  name: 'Naam',
  email: 'E-mailadres',
  text: 'Tekst',
  checkbox: 'Selectievakje',
  dropdown: 'Keuze',
  number: 'Getal',
  paragraph: 'Alinea',
  radio: 'Keuze',
  image: 'Afbeelding',
  attachment: 'Bijlage',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const NOT_OPEN = {
  draft: 'Het document is nog een concept: het kan niet worden ondertekend.',
  sent: 'Het document kan niet worden ondertekend.',
  sealing: 'Het document wordt verzegeld: het kan niet meer worden ondertekend.',
  completed: 'Het document is voltooid: het kan niet meer worden ondertekend.',
  declined: 'Het document is geweigerd: het kan niet meer worden ondertekend.',
  voided: 'Het document is ingetrokken: het kan niet meer worden ondertekend.',
  expired: 'Het document is verlopen: het kan niet meer worden ondertekend.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'nl')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: vul dit veld in`,
  tooLong: (field, most) => `${name(field)}: gebruik hoogstens ${counted(most, 'teken', 'tekens')}`,
  tooLongForPlace: (field, about) =>
    `${name(field)}: dit is te lang voor de plaats in het document. Gebruik hoogstens ongeveer ${counted(about, 'teken', 'tekens')}`,
  notAChoice: (field, options) => `${name(field)}: kies een van deze mogelijkheden: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: voer een getal in, bijvoorbeeld 1250 of 12,50`,
  numberUnclear: (field, larger, smaller) => `${name(field)}: dit kunnen twee getallen zijn. Voer ${larger} of ${smaller} in`,
  tooSmall: (field, min) => `${name(field)}: voer ten minste ${min} in`,
  tooLarge: (field, max) => `${name(field)}: voer ten hoogste ${max} in`,
  notADate: field => `${name(field)}: voer een datum in, bijvoorbeeld 2026-12-31`,
  notAnEmail: field => `${name(field)}: voer een e-mailadres in, bijvoorbeeld ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: de waarde moet “true” of “false” zijn`,
  tickRequired: field => `${name(field)}: vink het vakje aan`,
  fileMissing: field => `${name(field)}: kies een bestand`,
  fileEmpty: field => `${name(field)}: dit bestand is leeg. Kies een ander bestand`,
  fileTooLarge: (field, max) => `${name(field)}: dit bestand is te groot. Kies er een van hoogstens ${size(max)}`,
  fileWrongType: (field, types) => `${name(field)}: kies een bestand van een van deze typen: ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: dit ${type}-bestand is beschadigd of onvolledig. Kies een ander bestand, of sla het opnieuw op`,
  fileNeedsPassword: field =>
    `${name(field)}: deze pdf kan alleen met een wachtwoord worden geopend. Kies er een zonder wachtwoord`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: deze afbeelding is te groot. Kies er een van hoogstens ${megapixels} megapixels`,
  fileTooComplex: field =>
    `${name(field)}: dit bestand lezen duurt te lang. Kies een ander bestand, of druk het af naar een nieuwe pdf`,
  tooManyFiles: () => 'Er zijn in korte tijd te veel bestanden verzonden. Wacht een minuut en probeer het opnieuw.',
  fileChanged: field => `${name(field)}: dit bestand is in een ander venster gewijzigd. Controleer het en rond daarna opnieuw af`,
  filesTooLarge: (field, max) =>
    `${name(field)}: uw bestanden zijn samen groter dan ${size(max)}. Verwijder er een, of kies een kleiner bestand`,
  unprintable: characters =>
    `Uw invoer bevat tekens die niet kunnen worden afgedrukt: ${characters}. Verwijder of vervang deze tekens.`,
  consentMissing: () => 'Ga akkoord door het vakje aan te vinken.',
  deviceKeyMissing: () =>
    'De afzender vraagt u ook met een sleutel van uw apparaat te tekenen. Teken opnieuw en gebruik die dan.',
  deviceKeyImpossible: () =>
    'De afzender vraagt om een sleutel van uw apparaat, die deze dienst niet kan gebruiken: het adres is geen naam met https. Laat het de afzender weten.',
  deviceKeyWrong: () =>
    'De handtekening van uw apparaat klopt niet: het document, uw invoer of de tijd is sindsdien veranderd. Gebruik de sleutel nog een keer.',
  signatureMissing: () => 'Typ uw volledige naam als uw handtekening.',
  initialsMissing: () => 'Typ uw paraaf.',
  drawingMissing: () => 'De tekening is leeg. Teken iets, of kies een andere methode.',
  drawingUnreadable: () => 'De tekening kon niet worden gelezen. Teken opnieuw.',
  pictureMissing: () => 'Kies een afbeelding, of kies een andere methode.',
  pictureUnreadable: () =>
    'Dit bestand kan niet als PNG-afbeelding worden gelezen. Kies een PNG-bestand, of maak een schermafbeelding van de afbeelding.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Deze afbeelding is te groot. Kies er een van hoogstens ${megabytes} MB en ${megapixels} megapixels.`,
  pictureEmpty: () =>
    'In deze afbeelding is geen inkt gevonden. Maak een nieuwe foto: van dichterbij, op wit papier en bij goed licht.',
  markTooLong: most => `Gebruik hoogstens ${counted(most, 'teken', 'tekens')}.`,
  documentChanged: () => 'Het document is niet het document dat deze pagina u heeft getoond. Laad de pagina opnieuw.',
  consentChanged: () =>
    'De tekst waarmee u akkoord bent gegaan, is intussen gewijzigd. Laad de pagina opnieuw en lees de tekst nog eens.',
  receiptLater: () => 'Uw bewijs kan op dit moment niet worden gemaakt. Probeer het later opnieuw.',
  notOpened: () => 'Open het document voordat u afrondt.',
  signingPeriodOver: () => 'De termijn om dit document te ondertekenen is verstreken.',
  nothingForViewers: () => 'U ontvangt een kopie van dit document. U hoeft niets te ondertekenen.',
  notOpen: status => NOT_OPEN[status] ?? 'Het document kan niet worden ondertekend.',
  reasonMissing: () => 'Zeg in een paar woorden waarom u weigert.',
  reasonTooLong: most => `Gebruik hoogstens ${counted(most, 'teken', 'tekens')}.`,
  nothingToDecline: () => 'In dit document is er voor u niets meer te weigeren.',
  nameMissing: () => 'Voer de naam van uw collega in.',
  addressWrong: () => 'Voer een e-mailadres in, bijvoorbeeld ada@example.com.',
  sameAddress: () => 'Dit is uw eigen adres. Voer het adres van een collega in.',
  addressInUse: () => 'Deze persoon moet dit document al ondertekenen. Kies iemand anders.',
  delegationForbidden: () =>
    'De afzender staat niet toe dat u dit document overdraagt. U kunt het ondertekenen, of weigeren met opgave van een reden.',
  nothingToDelegate: () => 'In dit document is er voor u niets meer over te dragen.',
  delegatedOften: () =>
    'Dit document is vandaag te vaak overgedragen. Probeer het morgen opnieuw, of vraag de afzender om de juiste persoon in te vullen.',
  linkUnknown: () =>
    'Deze link is niet geldig. Gebruik de link uit de laatste e-mail, of vraag het aan de persoon van wie u de link kreeg.',
  linkReplaced: () => 'Deze link is vervangen door een nieuwere. Gebruik de link uit de laatste e-mail.',
  linkReaddressed: () =>
    'Deze link werkt niet meer: de afzender heeft gewijzigd voor wie hij is. Neem contact op met de afzender als u het document nog verwacht.',
  linkHandedOver: to =>
    to === undefined
      ? 'Dit document is aan iemand anders overgedragen. Deze link werkt niet meer, en er is hier niets meer te doen.'
      : `U hebt dit document overgedragen aan ${to}. Uw eigen link werkt niet meer, en u hoeft niets meer te doen.`,
  linkAsked: () =>
    'Kort geleden is al om een nieuwe link gevraagd. Kijk in uw mailbox, ook in de map met ongewenste e-mail. Later kunt u het opnieuw vragen.',
  senderAsked: () => 'De afzender is kort geleden al om een nieuwe link gevraagd. Later kunt u het opnieuw vragen.',
  linkUsed: () =>
    'Deze link kan maar één keer worden geopend en is al geopend, of er is een nieuwere. Ga verder in het venster waarin u hem hebt geopend, of ga terug naar de plaats waar u hem hebt gevonden en vraag daar om een nieuwe.',
  linkTooOld: () =>
    `Deze link is verlopen: hij is ${LINK_MINUTES} minuten geldig. Ga terug naar de plaats waar u hem hebt gevonden en open het document van daaruit.`,
  sessionOver: () =>
    'Uw sessie is beëindigd. Ga terug naar de plaats waar u de link hebt gevonden en open het document van daaruit.',
  openByLink: () =>
    'Uw sessie is beëindigd, of deze pagina hoort bij een andere browser. Open het document met de link die u hebt gekregen. Kan die link maar één keer worden geopend, vraag dan om een nieuwe aan wie u hem gaf.',
  tooManyLinks: () => 'Vanuit uw netwerk zijn te veel ongeldige links geopend. Wacht een minuut en probeer het opnieuw.',
  withdrawn: () => 'De afzender heeft dit document ingetrokken. Er is niets meer te ondertekenen.',
  expired: () => 'De termijn om dit document te ondertekenen is verstreken. Vraag de afzender het opnieuw te verzenden.',
  declined: () => 'Dit document is geweigerd. Er is niets meer te ondertekenen.',
  copyExpired: () =>
    `Het document is meer dan ${COPY_DAYS} dagen geleden voltooid en kan hier niet meer worden gedownload. De verzegelde kopie is u per e-mail toegezonden.`,
  codeMissing: () => 'Voer de toegangscode in.',
  codeWrong: attemptsLeft =>
    `Deze toegangscode is niet juist. U hebt ${attemptsLeft === 1 ? 'nog één poging' : `nog ${attemptsLeft} pogingen`}.`,
  codePause: seconds => `Wacht ${counted(seconds, 'seconde', 'seconden')} voordat u de toegangscode opnieuw probeert.`,
  codeLocked: () =>
    'De toegangscode is te vaak onjuist ingevoerd. Vraag de afzender om hem vrij te geven: daarna kunt u het opnieuw proberen.',
  oneTimeCodeMissing: () => 'Voer de zes cijfers van de code in.',
  oneTimeCodeWrong: attemptsLeft =>
    `Deze code is niet juist. U hebt er nog ${attemptsLeft === 1 ? 'één poging' : `${attemptsLeft} pogingen`} mee.`,
  oneTimeCodeDead: () => 'Deze code is vijf keer verkeerd ingevoerd en is niet meer geldig. Vraag een nieuwe code aan.',
  oneTimeCodeUsed: () => 'Deze code is al gebruikt: elke code is één keer geldig. Vraag een nieuwe code aan.',
  oneTimeCodeExpired: () => `Deze code is verlopen: hij is ${CODE_MINUTES} minuten geldig. Vraag een nieuwe code aan.`,
  oneTimeCodeElsewhere: () =>
    'Er is in deze browser geen code aangevraagd die hier geldig is. Een code werkt alleen waar die is aangevraagd. Vraag een nieuwe code aan.',
  oneTimeCodeWait: seconds =>
    `Wacht ${seconds < 90 ? (seconds === 1 ? '1 seconde' : `${seconds} seconden`) : `${Math.ceil(seconds / 60)} minuten`} voordat u nog een code aanvraagt.`,
  oneTimeCodeLocked: () =>
    'Er zijn te vaak verkeerde codes ingevoerd. Vraag de afzender om het document voor u vrij te geven: daarna kunt u het opnieuw proberen.',
  oneTimeCodeUndeliverable: () =>
    'Er kan u op dit moment geen code worden gestuurd. Laat het de afzender weten: die moet het programma koppelen dat de codes doorgeeft.',
  foreignForm: () =>
    'Dit formulier is niet vanaf onze eigen pagina verzonden. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  busy: () => 'De dienst is op dit moment overbelast. Probeer het over enkele seconden opnieuw.',
  notStored: () => 'Op dit moment kan er niets worden opgeslagen. Er is niets opgeslagen. Probeer het over een minuut opnieuw.',
  notReachable: () =>
    'De dienst kan op dit moment niet bij zijn gegevens. Er is niets opgeslagen. Probeer het over enkele seconden opnieuw.',
  notConfirmed: () =>
    'De verbinding werd verbroken voordat de dienst de wijziging kon bevestigen. Ze is mogelijk opgeslagen: controleer dit voordat u ze herhaalt.',
}
