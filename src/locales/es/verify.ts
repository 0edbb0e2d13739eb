/** Texts of the page that verifies a PDF, in Spanish. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Este archivo no se ha modificado desde que se firmó o se selló'
const CHANGED = 'Este archivo se ha modificado desde que se firmó o se selló, pero solo como permite su autor'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK = 'Pregunte al remitente si el archivo es auténtico, en un número de teléfono o una dirección que usted ya conozca.'

export const verify: VerifyTexts = {
  title: 'Verificar un PDF firmado',
  lead: 'Compruebe si un PDF se modificó después de firmarse o sellarse, y quién lo firmó.',
  file: 'Archivo PDF',
  choose: 'Elegir un archivo',
  drop: 'o soltarlo aquí',
  notKept: organisation => `${organisation} verifica el archivo y no lo conserva.`,
  submit: 'Verificar',
  another: 'Verificar otro archivo',
  languages: 'Idiomas',
  documentTitle: 'Documento',
  fileName: 'Archivo',
  sealedBy: 'Sellado por',
  people: 'Quién firmó',
  signedOn: time => `firmó el ${time}`,
  approvedOn: time => `aprobó el ${time}`,
  fromRecord:
    'Los nombres y las horas proceden de los registros de este servicio. El certificado de auditoría al final del archivo también los muestra.',
  isInRecord: ({ sealer, time }) =>
    `Los registros de este servicio contienen exactamente este archivo: ${sealer} lo selló el ${time} y no se ha modificado desde entonces.`,
  quoted: name => `«${name}»`,
  verdicts: {
    validHere: {
      heading: 'Válido',
      sentence: ({ sealer, time }) => `Este es exactamente el archivo que ${sealer} selló el ${time}.`,
      advice: [],
    },
    valid: {
      heading: 'Válido',
      sentence: ({ sealer }) => `Este archivo no se ha modificado desde que ${sealer} lo selló.`,
      advice: [
        'Este servicio no tiene, o ya no tiene, ningún registro de este archivo: los registros se eliminan cuando termina su plazo de conservación. El certificado de auditoría al final del archivo indica quién firmó y cuándo.',
      ],
    },
    validChanged: {
      heading: 'Válido al firmarse, modificado después',
      sentence: ({ signer }) =>
        `Este archivo fue firmado válidamente por ${signer} y después se modificó de forma visible, como permite su autor.`,
      advice: ['Lea cada cambio de la lista: quienes firmaron antes no lo han firmado.'],
    },
    notValid: {
      heading: 'No válido',
      sentence: () => 'Este archivo se modificó después de firmarse o sellarse, o contiene una firma que no es auténtica.',
      advice: ['No se fíe de este archivo. Pida el original al remitente.'],
    },
    notChecked: {
      heading: 'No verificado',
      sentence: () => 'Una firma de este archivo no se puede verificar aquí, o usa un método demasiado débil.',
      advice: [
        'Esto no significa que el archivo se haya modificado. Quizá otro programa pueda verificarla: los detalles técnicos indican por qué aquí no es posible.',
      ],
    },
    unreadable: {
      heading: 'Ilegible',
      sentence: () => 'Este archivo no es un PDF, está dañado o solo se abre con una contraseña.',
      advice: [
        'Descargue el archivo de nuevo o pida al remitente que se lo vuelva a enviar. Si solo se abre con una contraseña, pida el original sin ella.',
      ],
    },
    unknown: {
      heading: 'Sin modificar, pero de origen desconocido',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, pero aquí no se sabe si procede realmente de ${signer}.`,
      advice: [
        'Cualquiera puede crear un certificado con cualquier nombre.',
        'Si el certificado de auditoría al final del archivo indica la dirección de otro servicio, verifique allí el archivo, siempre que sepa a quién pertenece esa dirección.',
        'También puede pedir al remitente, en un número de teléfono que usted ya conozca, la huella del certificado y compararla con la de los detalles técnicos.',
      ],
    },
    revoked: {
      heading: 'Sin modificar, pero el certificado fue revocado',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, pero el certificado de ${signer} fue revocado y nada demuestra que entonces aún fuera válido.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Sin modificar, pero el certificado ha caducado',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, pero el certificado de ${signer} ha caducado y ningún sello de tiempo de confianza demuestra que entonces aún fuera válido.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Sin firmar',
      sentence: () =>
        'Este archivo no contiene ninguna firma electrónica ni ningún sello: nada indica quién lo hizo ni si se modificó.',
      advice: [
        'Ni la imagen de una firma ni una página que parece un certificado de auditoría protegen un archivo. Una copia impresa, escaneada o guardada de nuevo ha perdido su sello: pida al remitente el propio archivo sellado.',
      ],
    },
    onlyTimestamped: {
      heading: 'Sin firmar, solo con sello de tiempo',
      sentence: () => 'Un sello de tiempo indica cuándo existía este archivo, pero no quién lo hizo.',
      advice: [],
    },
  },
  changes: {
    heading: 'Cambios después de la firma',
    field: (name, before, after) => `Campo ${name}: antes ${before}, ahora ${after}`,
    comment: type => `Comentario (${type})`,
    signature: name => `Firma visible ${name}`,
    property: (name, before, after) => `Propiedad del documento ${name}: antes ${before}, ahora ${after}`,
    empty: 'vacío',
    page: n => `página ${n}`,
    noPage: 'en ninguna página',
  },
  details: {
    heading: 'Detalles técnicos',
    sha256: 'Huella del archivo (SHA-256)',
    remarks: 'Observaciones',
    additions: 'Cambios posteriores permitidos',
    signature: n => `Firma o sello ${n}`,
    timestamp: n => `Sello de tiempo del documento ${n}`,
    name: 'Nombre en el certificado',
    unknown: 'desconocido',
    content: 'Contenido firmado',
    certificate: 'Certificado',
    time: 'Sello de tiempo',
    timeBy: (time, authority) => `${time}, de ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, de ${authority}, en quien aquí no se confía`,
    claimedTime: 'Hora indicada en la firma, sin prueba',
    fingerprint: 'Huella del certificado (SHA-256)',
    result: 'Resultado (ETSI EN 319 102-1)',
    level: 'Nivel',
    noLevel: 'no es una firma PAdES básica',
    field: 'Campo',
    none: 'ninguno',
    integrity: {
      intact: 'Sin modificar',
      broken: 'Modificado, o distinto del que se firmó',
      'not-checked': 'No se pudo verificar',
    },
    trust: {
      trusted: 'De confianza aquí',
      unknown: 'Sin confianza aquí',
      revoked: 'Revocado',
      expired: 'Caducado',
    },
    certificates: 'Certificados de este servicio, para verificar sus archivos sin conexión',
    otherPrograms:
      'Otros programas pueden decir otra cosa. Firefox dice de toda firma PAdES que no se ha podido verificar, porque no conoce este formato. Acrobat da por desconocido al firmante hasta que recibe el certificado. Nada de ello va en contra del archivo.',
  },
}
