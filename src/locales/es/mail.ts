/** E-mails in Spanish. */
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Hola, ${name}:`,
  theirMessage: 'Mensaje del remitente:',
  reasonGiven: 'Motivo indicado:',
  open: 'Abrir el documento',
  noAccount: 'El enlace abre el documento en su navegador web. No necesita ninguna cuenta.',
  doBy: time => `Por favor, hágalo a más tardar el ${time}.`,
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
    everyone: title =>
      `Todos han terminado su parte en «${title}». Un sello electrónico protege ahora el documento, de modo que se puede detectar cualquier cambio posterior. El certificado de auditoría, al final del documento, indica quién firmó y cuándo.`,
    attached: 'El PDF sellado va adjunto. Por favor, consérvelo.',
    tooLarge: 'El PDF sellado es demasiado grande para adjuntarlo. Por favor, descárguelo con el enlace de abajo.',
    thirtyDays: 'Puede descargarlo con el enlace de abajo durante 30 días.',
    open: 'Abrir el documento sellado',
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
    ask: whom => `Si todavía desea firmar, diríjase a ${whom}.`,
  },
  delegated: {
    subject: title => `Traspasado: ${title}`,
    has: (from, to, title) =>
      `${from} ha traspasado «${title}» a ${to}. El primer enlace enviado ya no funciona; se ha enviado uno nuevo por correo a ${to}.`,
    notMeant: 'Si no está de acuerdo, puede anular el documento.',
  },
  codeLocked: {
    subject: title => `Código de acceso bloqueado: ${title}`,
    has: (name, title) =>
      `El código de acceso de «${title}» se introdujo mal demasiadas veces con el enlace de ${name}. Ya no admite más intentos.`,
    whatToDo:
      'Por favor, pregunte a esa persona si fue ella. En ese caso, dígale el código otra vez y envíele un recordatorio del documento: así tendrá nuevos intentos.',
  },
  mailFailed: {
    subject: title => `Correo no entregado: ${title}`,
    has: (name, title) => `El correo a ${name} sobre «${title}» no se pudo entregar. No se harán más intentos.`,
    answer: 'Respuesta del servidor de correo:',
    whatToDo: 'Por favor, compruebe la dirección. Si es incorrecta, anule el documento y envíelo de nuevo con la correcta.',
  },
  sealingFailed: {
    subject: title => `Aún sin sellar: ${title}`,
    has: title =>
      `Todos han terminado «${title}», pero el documento aún no se pudo sellar. Nadie tiene que volver a firmar: el sellado se repetirá automáticamente.`,
    cause: 'Causa:',
  },
  foot: {
    sentFor: organisation => `Enviado por Signet en nombre de ${organisation}.`,
    questions: contact => `¿Tiene preguntas? Diríjase a ${contact}.`,
    notBinding: environment =>
      `Este mensaje procede del entorno «${environment}», que no es de producción. Nada de lo que se firme allí está pensado para obligar a nadie.`,
  },
}
