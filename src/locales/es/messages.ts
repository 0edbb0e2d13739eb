/** Refusals and validation errors in Spanish. */
import type { DocumentStatus } from '../../core/document.ts'
import type { FieldType } from '../../core/field.ts'
import type { MessageCatalogue, NamedField } from '../../core/message.ts'

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
} satisfies Record<DocumentStatus, string> as Record<string, string>

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: por favor, rellene este campo`,
  tooLong: (field, most) => `${name(field)}: por favor, use como máximo ${counted(most, 'carácter', 'caracteres')}`,
  notAChoice: (field, options) => `${name(field)}: por favor, elija una de estas opciones: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: por favor, introduzca un número, por ejemplo 1250 o 12,50`,
  notAnEmail: field => `${name(field)}: por favor, introduzca una dirección de correo electrónico, por ejemplo ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: el valor debe ser «true» o «false»`,
  tickRequired: field => `${name(field)}: por favor, marque la casilla`,
  unprintable: characters =>
    `El texto introducido contiene caracteres que no se pueden imprimir: ${characters}. Por favor, elimínelos o sustitúyalos.`,
  consentMissing: () => 'Por favor, acepte firmar electrónicamente marcando la casilla.',
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
  linkUnknown: () =>
    'Este enlace no es válido. Por favor, use el enlace del último correo o pregunte a la persona que se lo envió.',
  openByMail: () =>
    'Su sesión ha terminado, o esta página pertenece a otro navegador. Por favor, abra el documento con el enlace de su correo.',
  tooManyLinks: () =>
    'Se han abierto demasiados enlaces no válidos desde su red. Por favor, espere un minuto e inténtelo de nuevo.',
  withdrawn: () => 'El remitente ha anulado este documento. Ya no hay nada que firmar.',
  expired: () => 'El plazo para firmar este documento ha terminado. Por favor, pida al remitente que lo envíe de nuevo.',
  declined: () => 'Este documento ha sido rechazado. Ya no hay nada que firmar.',
  copyExpired: () =>
    'El documento se completó hace más de 30 días y ya no se puede descargar aquí. La copia sellada se le envió por correo electrónico.',
  codeMissing: () => 'Por favor, introduzca el código de acceso.',
  codeWrong: attemptsLeft =>
    `Este código de acceso no es correcto. ${attemptsLeft === 1 ? 'Le queda un intento' : `Le quedan ${attemptsLeft} intentos`}.`,
  codePause: seconds =>
    `Por favor, espere ${counted(seconds, 'segundo', 'segundos')} antes de volver a introducir el código de acceso.`,
  codeLocked: () =>
    'Se introdujo demasiadas veces un código de acceso incorrecto. Por favor, pida al remitente un recordatorio: después podrá intentarlo de nuevo.',
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
