/** Refusals and validation errors in Spanish. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Firma',
  initials: 'Iniciales',
  date: 'Fecha',
  name: 'Nombre',
  email: 'Correo electrónico',
  text: 'Texto',
  checkbox: 'Casilla',
  dropdown: 'Opción',
  number: 'Número',
  paragraph: 'Párrafo',
  radio: 'Opción',
  image: 'Imagen',
  attachment: 'Archivo adjunto',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const NOT_OPEN = {
  draft: 'El documento es todavía un borrador: no se puede firmar.',
  sent: 'El documento no se puede firmar.',
  sealing: 'El documento se está sellando: ya no se puede firmar.',
  completed: 'El documento está completado: ya no se puede firmar.',
  declined: 'El documento ha sido rechazado: ya no se puede firmar.',
  voided: 'El documento ha sido anulado: ya no se puede firmar.',
  expired: 'El documento ha caducado: ya no se puede firmar.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'es')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: por favor, rellene este campo`,
  tooLong: (field, most) => `${name(field)}: por favor, use como máximo ${counted(most, 'carácter', 'caracteres')}`,
  tooLongForPlace: (field, about) =>
    `${name(field)}: es demasiado largo para su lugar en el documento. Por favor, use como máximo unos ${counted(about, 'carácter', 'caracteres')}`,
  notAChoice: (field, options) => `${name(field)}: por favor, elija una de estas opciones: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: por favor, introduzca un número, por ejemplo 1250 o 12,50`,
  numberUnclear: (field, larger, smaller) =>
    `${name(field)}: pueden ser dos números. Por favor, introduzca ${larger} o ${smaller}`,
  tooSmall: (field, min) => `${name(field)}: por favor, introduzca como mínimo ${min}`,
  tooLarge: (field, max) => `${name(field)}: por favor, introduzca como máximo ${max}`,
  notADate: field => `${name(field)}: por favor, introduzca una fecha, por ejemplo 2026-12-31`,
  notAnEmail: field => `${name(field)}: por favor, introduzca una dirección de correo electrónico, por ejemplo ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: el valor debe ser «true» o «false»`,
  tickRequired: field => `${name(field)}: por favor, marque la casilla`,
  fileMissing: field => `${name(field)}: por favor, elija un archivo`,
  fileEmpty: field => `${name(field)}: este archivo está vacío. Por favor, elija otro`,
  fileTooLarge: (field, max) =>
    `${name(field)}: este archivo es demasiado grande. Por favor, elija uno de ${size(max)} como máximo`,
  fileWrongType: (field, types) => `${name(field)}: por favor, elija un archivo de uno de estos tipos: ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: este archivo ${type} está dañado o incompleto. Por favor, elija otro o guárdelo de nuevo`,
  fileNeedsPassword: field => `${name(field)}: este PDF solo se abre con una contraseña. Por favor, elija uno sin contraseña`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: esta imagen es demasiado grande. Por favor, elija una de ${megapixels} megapíxeles como máximo`,
  fileTooComplex: field => `${name(field)}: leer este archivo tarda demasiado. Por favor, elija otro o imprímalo en un PDF nuevo`,
  tooManyFiles: () => 'Se han enviado demasiados archivos en poco tiempo. Por favor, espere un minuto e inténtelo de nuevo.',
  fileChanged: field => `${name(field)}: este archivo se ha cambiado en otra ventana. Por favor, compruébelo y finalice de nuevo`,
  filesTooLarge: (field, max) =>
    `${name(field)}: sus archivos superan en conjunto ${size(max)}. Por favor, quite uno o elija uno más pequeño`,
  unprintable: characters =>
    `El texto introducido contiene caracteres que no se pueden imprimir: ${characters}. Por favor, elimínelos o sustitúyalos.`,
  consentMissing: () => 'Por favor, acepte marcando la casilla.',
  deviceKeyMissing: () => 'El remitente le pide que firme además con una clave de su dispositivo. Firme de nuevo y úsela.',
  deviceKeyImpossible: () =>
    'El remitente pide una clave de su dispositivo que este servicio no puede usar: su dirección no es un nombre con https. Avise al remitente.',
  deviceKeyWrong: () =>
    'La firma de su dispositivo no corresponde: el documento, sus datos o la hora han cambiado desde entonces. Use la clave una vez más.',
  signatureMissing: () => 'Por favor, escriba su nombre completo como firma.',
  initialsMissing: () => 'Por favor, escriba sus iniciales.',
  drawingMissing: () => 'El dibujo está vacío. Por favor, dibuje o elija otro método.',
  drawingUnreadable: () => 'No se pudo leer el dibujo. Por favor, dibuje de nuevo.',
  pictureMissing: () => 'Por favor, elija una imagen u otro método.',
  pictureUnreadable: () =>
    'Este archivo no se puede leer como imagen PNG. Por favor, elija un archivo PNG, o haga una captura de pantalla de la imagen.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Esta imagen es demasiado grande. Por favor, elija una de ${megabytes} MB y ${megapixels} megapíxeles como máximo.`,
  pictureEmpty: () =>
    'No se encontró escritura en esta imagen. Por favor, tome la foto de nuevo, más de cerca, sobre papel blanco y con buena luz.',
  markTooLong: most => `Por favor, use como máximo ${counted(most, 'carácter', 'caracteres')}.`,
  documentChanged: () => 'El documento no es el que le mostró esta página. Por favor, vuelva a cargar la página.',
  consentChanged: () =>
    'El texto que usted aceptó ha cambiado entretanto. Por favor, vuelva a cargar la página y léalo de nuevo.',
  receiptLater: () => 'En este momento no se puede generar su justificante. Por favor, inténtelo más tarde.',
  notOpened: () => 'Por favor, abra el documento antes de terminar.',
  signingPeriodOver: () => 'El plazo para firmar este documento ha terminado.',
  nothingForViewers: () => 'Usted recibe una copia de este documento. No tiene nada que firmar.',
  notOpen: status => NOT_OPEN[status] ?? 'El documento no se puede firmar.',
  reasonMissing: () => 'Por favor, diga en pocas palabras por qué lo rechaza.',
  reasonTooLong: most => `Por favor, use como máximo ${counted(most, 'carácter', 'caracteres')}.`,
  nothingToDecline: () => 'Ya no tiene nada que rechazar en este documento.',
  nameMissing: () => 'Por favor, introduzca el nombre de la persona a quien traspasa el documento.',
  addressWrong: () => 'Por favor, introduzca una dirección de correo electrónico, por ejemplo ada@example.com.',
  sameAddress: () => 'Esta es su propia dirección. Por favor, introduzca la de otra persona.',
  addressInUse: () => 'Esta persona ya debe firmar este documento. Por favor, elija a otra.',
  delegationForbidden: () =>
    'El remitente no permite traspasar este documento. Puede firmarlo, o rechazarlo indicando el motivo.',
  nothingToDelegate: () => 'Ya no tiene nada que traspasar en este documento.',
  delegatedOften: () =>
    'Este documento se ha traspasado demasiadas veces hoy. Por favor, inténtelo de nuevo mañana o pida al remitente que indique a la persona correcta.',
  linkUnknown: () =>
    'Este enlace no es válido. Por favor, use el enlace del último correo o pregunte a la persona que se lo envió.',
  linkReplaced: () => 'Este enlace ha sido sustituido por uno más reciente. Por favor, use el enlace del último correo.',
  linkReaddressed: () =>
    'Este enlace ya no funciona: el remitente ha cambiado a quién va dirigido. Si todavía espera el documento, diríjase al remitente.',
  linkHandedOver: to =>
    to === undefined
      ? 'Este documento se ha traspasado a otra persona. Este enlace ya no funciona y aquí ya no hay nada que hacer.'
      : `Usted ha traspasado este documento a ${to}. Su propio enlace ya no funciona y ya no tiene que hacer nada más.`,
  linkAsked: () =>
    'Hace poco ya se pidió un enlace nuevo. Por favor, mire en su buzón, también en la carpeta de correo no deseado. Más tarde podrá pedirlo otra vez.',
  senderAsked: () => 'Hace poco ya se pidió un enlace nuevo al remitente. Más tarde podrá pedirlo otra vez.',
  linkUsed: () =>
    'Este enlace solo se puede abrir una vez y ya se ha abierto, o hay uno más reciente. Por favor, continúe en la ventana en la que lo abrió, o vuelva al lugar donde lo encontró y pida allí uno nuevo.',
  linkTooOld: () =>
    `Este enlace ha caducado: es válido durante ${LINK_MINUTES} minutos. Por favor, vuelva al lugar donde lo encontró y abra el documento desde allí.`,
  sessionOver: () =>
    'Su sesión ha terminado. Por favor, vuelva al lugar donde encontró el enlace y abra el documento desde allí.',
  openByLink: () =>
    'Su sesión ha terminado, o esta página pertenece a otro navegador. Por favor, abra el documento con el enlace que recibió. Si ese enlace solo se abre una vez, pida uno nuevo a quien se lo dio.',
  tooManyLinks: () =>
    'Se han abierto demasiados enlaces no válidos desde su red. Por favor, espere un minuto e inténtelo de nuevo.',
  withdrawn: () => 'El remitente ha anulado este documento. Ya no hay nada que firmar.',
  expired: () => 'El plazo para firmar este documento ha terminado. Por favor, pida al remitente que lo envíe de nuevo.',
  declined: () => 'Este documento ha sido rechazado. Ya no hay nada que firmar.',
  copyExpired: () =>
    `El documento se completó hace más de ${COPY_DAYS} días y ya no se puede descargar aquí. La copia sellada se le envió por correo electrónico.`,
  codeMissing: () => 'Por favor, introduzca el código de acceso.',
  codeWrong: attemptsLeft =>
    `Este código de acceso no es correcto. ${attemptsLeft === 1 ? 'Le queda un intento' : `Le quedan ${attemptsLeft} intentos`}.`,
  codePause: seconds =>
    `Por favor, espere ${counted(seconds, 'segundo', 'segundos')} antes de volver a introducir el código de acceso.`,
  codeLocked: () =>
    'Se introdujo demasiadas veces un código de acceso incorrecto. Por favor, pida al remitente que lo desbloquee: después podrá intentarlo de nuevo.',
  oneTimeCodeMissing: () => 'Por favor, introduzca los seis dígitos del código.',
  oneTimeCodeWrong: attemptsLeft =>
    `Este código no es correcto. Le ${attemptsLeft === 1 ? 'queda un intento' : `quedan ${attemptsLeft} intentos`} con él.`,
  oneTimeCodeDead: () => 'Este código se ha introducido mal cinco veces y ya no es válido. Por favor, solicite un código nuevo.',
  oneTimeCodeUsed: () => 'Este código ya se ha utilizado: cada código vale una sola vez. Por favor, solicite un código nuevo.',
  oneTimeCodeExpired: () =>
    `Este código ha caducado: es válido durante ${CODE_MINUTES} minutos. Por favor, solicite un código nuevo.`,
  oneTimeCodeElsewhere: () =>
    'No hay ningún código solicitado en este navegador que sea válido aquí. Un código solo sirve donde se solicitó. Por favor, solicite un código nuevo.',
  oneTimeCodeWait: seconds =>
    `Por favor, espere ${seconds < 90 ? (seconds === 1 ? '1 segundo' : `${seconds} segundos`) : `${Math.ceil(seconds / 60)} minutos`} antes de solicitar otro código.`,
  oneTimeCodeLocked: () =>
    'Se han introducido códigos incorrectos demasiadas veces. Por favor, pida al remitente que le desbloquee el documento: después podrá intentarlo de nuevo.',
  oneTimeCodeUndeliverable: () =>
    'En este momento no se le puede enviar ningún código. Por favor, avise al remitente: debe conectar el programa que transmite los códigos.',
  foreignForm: () =>
    'Este formulario no se envió desde nuestra propia página. Por favor, vuelva atrás, cargue de nuevo la página e inténtelo otra vez.',
  busy: () => 'El servicio está saturado en este momento. Vuelva a intentarlo dentro de unos segundos.',
  notStored: () =>
    'En este momento no se puede guardar nada. No se ha guardado nada de esta entrada. Por favor, inténtelo de nuevo dentro de un minuto.',
  notReachable: () =>
    'El servicio no puede acceder a sus datos en este momento. No se ha guardado nada. Por favor, inténtelo de nuevo dentro de unos segundos.',
  notConfirmed: () =>
    'La conexión se perdió antes de que el servicio pudiera confirmar el cambio. Puede que se haya guardado: por favor, compruébelo antes de repetirlo.',
}
