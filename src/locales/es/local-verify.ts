/** Texts of the page that verifies files on the reader's device, in Spanish. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Vea quién firmó un documento, cuándo, y si se ha modificado desde entonces.',
  files: 'PDF firmado, paquete de pruebas (ZIP) o recibo (EML)',
  choose: 'Elegir archivos',
  drop: 'o suéltelos aquí',
  stays: 'Sus archivos no salen de este dispositivo. Esta página funciona sin internet, y no envía ni guarda nada.',
  staysHere: organisation => `Su navegador verifica el archivo por sí mismo: no se envía a ${organisation}.`,
  keep: 'Guardar la página de verificación (verify.html), que funciona sin este servicio y sin internet',
  language: 'Idioma',
  reading: (name, percent) => `Leyendo ${name}: ${percent} %`,
  checking: (name, seconds) => `Verificando ${name}: ${seconds} s`,
  cancel: 'Cancelar',
  cancelled: 'Cancelado.',
  clear: 'Vaciar',
  print: 'Imprimir',
  problems: {
    empty: {
      heading: 'Archivo vacío',
      sentence: 'Este archivo no tiene contenido. Descárguelo de nuevo o pídalo otra vez al remitente.',
    },
    tooLarge: {
      heading: 'Demasiado grande para esta página',
      sentence: 'Esta página admite archivos de hasta 100 MB. Verifique este con el programa: signet verify ARCHIVO.',
    },
    unknownKind: {
      heading: 'Ni un PDF ni un paquete de pruebas',
      sentence:
        'Esta página verifica archivos PDF firmados, paquetes de pruebas (ZIP) y recibos (EML). Elija el archivo que recibió, no una imagen ni una copia en otro formato.',
    },
    locked: {
      heading: 'Solo se abre con contraseña',
      sentence: 'Este PDF está cifrado y no se puede verificar. Pida al remitente el archivo sin contraseña.',
    },
    damagedPack: {
      heading: 'Paquete de pruebas incompleto',
      sentence:
        'Este ZIP está dañado o no es un paquete de pruebas. Descárguelo de nuevo. Si solo contiene un PDF firmado, descomprímalo y elija el PDF.',
    },
    wrongCertificate: {
      heading: 'No es un certificado',
      sentence:
        'Este archivo no contiene ningún certificado legible. Los certificados son archivos PEM o DER, por ejemplo seal.pem.',
    },
    unreadable: {
      heading: 'No se puede abrir',
      sentence: 'El navegador no puede leer este archivo. Quizá se movió o se modificó desde que lo eligió: elíjalo de nuevo.',
    },
    memory: {
      heading: 'Memoria insuficiente',
      sentence:
        'Este archivo necesita más memoria de la que tiene el navegador. Cierre otras ventanas o use un dispositivo más potente.',
    },
    stopped: {
      heading: 'Interrumpido',
      sentence:
        'La verificación terminó de forma inesperada, así que no se sabe nada de este archivo. Inténtelo de nuevo o use otro navegador.',
    },
    tooLong: {
      heading: 'Tardó demasiado',
      sentence:
        'La verificación se detuvo a los 5 minutos, así que no se sabe nada de este archivo. Verifíquelo con el programa: signet verify ARCHIVO.',
    },
  },
  trust: {
    label: 'Origen de la confianza',
    given: names => `Los certificados que usted aportó: ${names}`,
    pack: 'El certificado del propio paquete. Compare su huella con la que la organización le haya dado por otra vía.',
    instance: organisation => `Los certificados de este servicio, ${organisation}`,
    none: 'Todavía nada: no se aportó ningún certificado del remitente. Elíjalo junto con el archivo, por ejemplo seal.pem.',
    heading: 'Certificados en los que confía',
    hint: 'Los certificados (PEM o DER) que elija o suelte aquí se consideran de confianza. Acepte solo los de alguien que conozca.',
    purpose: name => `Para qué vale ${name}`,
    signers: 'firmas y sellos',
    timestamps: 'sellos de tiempo',
    remove: name => `Quitar ${name}`,
    fingerprint: 'Huella del certificado del sello (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Válido', sentence: title => `Las pruebas de ${title} están completas y sin modificar.`, advice: [] },
      validByPack: {
        heading: 'Completo y sin modificar, según su propio certificado',
        sentence: title =>
          `Las pruebas de ${title} están completas y concuerdan entre sí, pero solo el paquete dice de quién es el certificado.`,
        advice: [
          'Cualquiera puede crear un certificado con cualquier nombre. Compare la huella de abajo con la que le haya dado la organización, o elija su certificado junto con el paquete.',
        ],
      },
      notValid: {
        heading: 'No válido',
        sentence: title => `Las pruebas de ${title} se modificaron, están incompletas o se contradicen.`,
        advice: ['No se fíe de este paquete. Los detalles técnicos indican qué falló. Pida un paquete nuevo al remitente.'],
      },
      unknown: {
        heading: 'Sin modificar, pero de origen desconocido',
        sentence: title => `Las pruebas de ${title} concuerdan, pero el sello no es de un certificado en el que usted confíe.`,
        advice: [
          'Cualquiera puede crear un certificado con cualquier nombre. Pida el certificado al remitente por una vía que ya conozca.',
        ],
      },
      notChecked: {
        heading: 'Verificado solo en parte',
        sentence: title => `Una parte de las pruebas de ${title} no se puede verificar aquí.`,
        advice: ['Esto no significa que se haya modificado. Los detalles técnicos indican qué parte es y por qué.'],
      },
    },
    source:
      'Los nombres y las horas proceden del registro de auditoría del paquete, que el sello cubre. Las horas son las del reloj del servicio.',
    erased: 'Una persona cuyo nombre se borró',
    person: {
      openedFromApp: 'abierto en la aplicación web por la persona con la sesión iniciada, no desde un enlace enviado por correo',
      from: address => `desde ${address}`,
      consent: version => `consentimiento ${version}`,
      deviceKey: 'y además con una clave de su propio dispositivo',
      deviceKeyUnverified: 'y además con una clave de su propio dispositivo, el dispositivo no verificó a su usuario',
      sealedEntry: number => `entrada ${number} del registro, cubierta por el sello`,
      entry: number => `entrada ${number} del registro`,
    },
    checks: 'Qué se verificó',
    outcomes: { passed: 'Correcto', failed: 'Falló', 'not-checked': 'No verificado', note: 'Nota' },
    sealedFile: 'El PDF sellado del paquete',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Recibo válido',
        sentence: ({ organisation, name, title, time }) => `${organisation} confirmó que ${name} firmó ${title} el ${time}.`,
        advice: [
          'Elija también el paquete de pruebas del documento: la página dirá entonces si el registro contiene todavía esta firma.',
        ],
      },
      validWithLog: {
        heading: 'Recibo válido, y el registro concuerda',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} confirmó que ${name} firmó ${title} el ${time}, y su registro contiene todavía esta firma.`,
        advice: [],
      },
      notValid: {
        heading: 'No válido',
        sentence: () => 'Este recibo se modificó, o se contradice o contradice el archivo elegido con él.',
        advice: [
          'Los detalles técnicos indican qué falló. Si el recibo es auténtico y el registro lo contradice, el registro se modificó: conserve ambos archivos.',
        ],
      },
      unknown: {
        heading: 'Sin modificar, pero de origen desconocido',
        sentence: ({ organisation, name, title, time }) =>
          `Este recibo dice que ${name} firmó ${title} el ${time}, pero aquí no se sabe si procede realmente de ${organisation}.`,
        advice: [
          'Cualquiera puede crear un certificado con cualquier nombre. Elija también el certificado de la organización, o compare la huella de abajo con la que le haya dado.',
        ],
      },
      notChecked: {
        heading: 'Verificado solo en parte',
        sentence: ({ name, title, time }) =>
          `Este recibo dice que ${name} firmó ${title} el ${time}, pero una parte no se puede verificar aquí.`,
        advice: ['Los detalles técnicos indican qué parte es y por qué.'],
      },
    },
    source: 'Lo dice el recibo, que el servicio emitió al firmar.',
    itself: 'El recibo',
  },
  validAdvice: 'El certificado de auditoría al final del archivo indica quién firmó y cuándo.',
  about: {
    heading: '¿Es auténtica esta página?',
    version: version => `Página de verificación de Signet ${version}.`,
    check:
      'Una página falsificada podría llamar válido a cualquier archivo. El certificado de auditoría de un documento imprime el SHA-256 de su página de verificación. Compárelo con lo que muestra uno de estos comandos para este archivo:',
    limits:
      'La página no necesita ningún servicio. Lo que no puede saber: qué certificados se revocaron después de crearse el archivo, y qué hay en los registros de la organización.',
  },
  record: {
    ask: organisation => `Preguntar a ${organisation} por su registro de este archivo`,
    sends: 'Solo se envía la huella del archivo (SHA-256).',
    known: (organisation, time) => `El registro de ${organisation} contiene exactamente este archivo: se completó el ${time}.`,
    unknown: 'El registro no contiene este archivo, o ya no: los registros se eliminan cuando termina su plazo de conservación.',
    failed: 'El servicio no respondió. Inténtelo más tarde.',
    upload: 'Enviar el archivo para ver los nombres del registro',
  },
}
