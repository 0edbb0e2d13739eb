/** E-mails in Spanish. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Hola, ${name}:`,
  messageFrom: name => `Mensaje de ${name}:`,
  reasonGiven: 'Motivo indicado:',
  open: 'Abrir el documento',
  opens: {
    signer:
      'El enlace abre el documento en su navegador web. Allí puede leerlo y después firmarlo o rechazarlo. No necesita cuenta ni contraseña.',
    approver:
      'El enlace abre el documento en su navegador web. Allí puede leerlo y después aprobarlo o rechazarlo. No necesita cuenta ni contraseña.',
    viewer: 'El enlace abre el documento en su navegador web para que pueda leerlo. No necesita cuenta ni contraseña.',
  },
  linkHint: 'Si el botón no funciona, abra esta dirección en su navegador web:',
  doBy: time => `Por favor, hágalo a más tardar el ${time}.`,
  handedOverBy: name => `La solicitud era para ${name}, que se la ha traspasado a usted.`,
  forYouAlone: 'El enlace es solo para usted: por favor, no lo reenvíe.',
  invitation: {
    subject: {
      signer: title => `Por favor, firme: ${title}`,
      approver: title => `Por favor, apruebe: ${title}`,
      viewer: title => `Por favor, lea: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} le pide que firme «${title}».`,
      approver: (organisation, title) => `${organisation} le pide que apruebe «${title}».`,
      viewer: (organisation, title) => `${organisation} le pide que lea «${title}».`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Recordatorio para firmar: ${title}`,
      approver: title => `Recordatorio para aprobar: ${title}`,
      viewer: title => `Recordatorio para leer: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} sigue esperando que usted firme «${title}».`,
      approver: (organisation, title) => `${organisation} sigue esperando que usted apruebe «${title}».`,
      viewer: (organisation, title) => `${organisation} sigue esperando que usted lea «${title}».`,
    },
  },
  completed: {
    subject: title => `Completado: ${title}`,
    everyone: title => `Todos han terminado su parte en «${title}». El documento ya está sellado.`,
    sealMeans:
      'El sello electrónico protege el documento, de modo que se puede detectar cualquier cambio posterior. El certificado de auditoría, al final del documento, indica quién firmó y cuándo.',
    attached: 'El PDF sellado va adjunto. Por favor, consérvelo.',
    tooLarge: 'El PDF sellado es demasiado grande para adjuntarlo. Por favor, descárguelo con el enlace.',
    thirtyDays: `Puede descargarlo con el enlace durante ${COPY_DAYS} días.`,
    open: 'Abrir el documento sellado',
  },
  receipt: {
    subject: title => `Su justificante: ${title}`,
    signed: title => `Ha firmado «${title}».`,
    approved: title => `Ha aprobado «${title}».`,
    attached:
      'Su justificante va adjunto: un archivo que termina en «.eml». Prueba qué ha confirmado y cuándo. Por favor, consérvelo: se puede verificar sin este servicio.',
    whenAll: 'Recibirá el documento sellado cuando todos hayan terminado.',
  },
  declined: {
    subject: title => `Rechazado: ${title}`,
    has: (name, title) => `${name ?? 'Un destinatario'} ha rechazado «${title}». El documento ya no se puede firmar.`,
  },
  voided: {
    subject: title => `Anulado: ${title}`,
    toSender: title => `El documento «${title}» ha sido anulado.`,
    toRecipient: (organisation, title) => `${organisation} ha anulado «${title}». Usted ya no tiene que hacer nada.`,
  },
  expired: {
    subject: title => `Caducado: ${title}`,
    inTime: title => `No todos firmaron «${title}» a tiempo y el documento ha caducado. Sus enlaces de firma ya no funcionan.`,
    ask: whom => `Si el documento sigue siendo necesario, diríjase a ${whom}.`,
  },
  finishedBefore: {
    signed: 'Usted ya ha firmado este documento, que no se completará ni se sellará.',
    approved: 'Usted ya ha aprobado este documento, que no se completará ni se sellará.',
  },
  delegated: {
    subject: title => `Traspasado: ${title}`,
    has: (from, to, title) =>
      `${from} ha traspasado «${title}» a ${to}. El primer enlace enviado ya no funciona; se ha enviado uno nuevo por correo a ${to}.`,
    notMeant: 'Si no está de acuerdo, puede anular el documento.',
  },
  linkRequested: {
    subject: title => `Pide un enlace nuevo: ${title}`,
    has: (name, title) => `${name} ha abierto el enlace a «${title}», que ha caducado, y pide uno nuevo.`,
    whatToDo: 'El documento se puede duplicar en su página y enviar de nuevo.',
  },
  oneTimeCode: {
    subject: organisation => `Su código para el documento de ${organisation}`,
    is: code => `Su código es ${code}`,
    minutes: minutes =>
      `Introdúzcalo en la página en la que lo solicitó. Es válido durante ${minutes} minutos y solo en ese navegador.`,
    tellNobody:
      'No comunique este código a nadie, tampoco al remitente. Si no lo ha solicitado, puede ignorar este correo: sin el código nadie puede abrir el documento.',
  },
  codeLocked: {
    subject: title => `Demasiados códigos incorrectos: ${title}`,
    has: (name, title) =>
      `Se introdujo un código incorrecto demasiadas veces para «${title}» con el enlace de ${name}. Ya no se admiten más intentos.`,
    whatToDo: {
      accessCode:
        'Por favor, pregunte a esa persona si fue ella. En ese caso, dígale otra vez el código de acceso y desbloquéelo en la página del documento: así tendrá nuevos intentos.',
      oneTimeCode:
        'Por favor, pregunte a esa persona si fue ella. En ese caso, desbloquéele el documento en su página: después podrá solicitar un código nuevo.',
      signingLink:
        'Por favor, pregunte a esa persona si fue ella. En ese caso, dígale otra vez el código de acceso. Una hora después del último intento, un nuevo enlace de firma permitirá otros.',
    },
  },
  mailFailed: {
    subject: title => `Correo no entregado: ${title}`,
    has: (name, title) => `El correo a ${name} sobre «${title}» no se pudo entregar. No se harán más intentos.`,
    answer: 'Respuesta del servidor de correo:',
    whatToDo: 'Compruebe la dirección. Si es incorrecta, corríjala en la página del documento: el correo se enviará de nuevo.',
  },
  sealingFailed: {
    subject: title => `Aún sin sellar: ${title}`,
    has: title =>
      `Todos han terminado «${title}», pero el documento aún no se pudo sellar. Nadie tiene que volver a firmar: el sellado se repetirá automáticamente.`,
    cause: 'Causa:',
  },
  foot: {
    sentFor: organisation => `Enviado en nombre de ${organisation} por Signet, su servicio para firmar documentos.`,
    sent: 'Enviado por Signet, un servicio para firmar documentos.',
    linksLead: host => `Los enlaces de este mensaje llevan únicamente a ${host}.`,
    questions: whom => `¿Tiene preguntas? Responda a este mensaje o escriba a ${whom}.`,
    notBinding: environment =>
      `Este mensaje procede del entorno «${environment}», que no es de producción. Nada de lo que se firme allí está pensado para obligar a nadie.`,
  },
  sample: {
    document: 'Contrato de servicios',
    message: 'Este es el contrato del que hablamos.',
  },
}
