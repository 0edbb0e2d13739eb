/** Spanish: the mails. */
import type { MailWords } from './mail-en.ts'

export const mailEs: MailWords = {
  greeting: name => `Hola, ${name}:`,
  theirMessage: 'Mensaje para usted:',
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
      signer: title => `Recordatorio; por favor, firme: ${title}`,
      approver: title => `Recordatorio; por favor, apruebe: ${title}`,
      viewer: title => `Recordatorio; por favor, lea: ${title}`,
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
      `Todos han terminado con «${title}». Una firma digital sella ahora el documento, de modo que puedan detectarse cambios posteriores. Sus últimas páginas indican quién firmó y cuándo.`,
    attached: 'El PDF sellado va adjunto. Por favor, consérvelo.',
    tooLarge: 'El PDF sellado es demasiado grande para un correo: por favor, descárguelo con el enlace de abajo.',
    thirtyDays: 'Puede descargarlo con el enlace de abajo durante 30 días.',
    open: 'Abrir el documento sellado',
  },
  declined: {
    subject: title => `Rechazado: ${title}`,
    has: (name, title) => `${name ?? 'Un destinatario'} ha rechazado «${title}». Ya nadie tiene que firmar el documento.`,
  },
  voided: {
    subject: title => `Anulado: ${title}`,
    toSender: title => `El documento «${title}» ha sido anulado.`,
    toRecipient: (organisation, title) => `${organisation} ha anulado «${title}». Usted ya no tiene que hacer nada.`,
  },
  expired: {
    subject: title => `Caducado: ${title}`,
    inTime: title => `El documento «${title}» no fue firmado a tiempo por todos y ha caducado. Sus enlaces ya no funcionan.`,
    ask: whom => `Si todavía desea firmar, por favor, diríjase a ${whom}.`,
  },
  handedOver: {
    subject: title => `Traspasado: ${title}`,
    has: (from, to, title) =>
      `${from} ha traspasado «${title}» a ${to}. El enlace enviado primero ya no funciona; se ha enviado uno nuevo por correo a ${to}.`,
    notMeant: 'Si no lo desea, puede anular el documento.',
  },
  codeLocked: {
    subject: title => `Código de acceso erróneo demasiadas veces: ${title}`,
    has: (name, title) =>
      `El código de acceso de «${title}» se introdujo mal demasiadas veces con el enlace de ${name}. Ya no admite más intentos.`,
    whatToDo:
      'Por favor, pregunte a esa persona si fue ella. En ese caso, dígale el código otra vez y envíele un recordatorio del documento: así tendrá nuevos intentos.',
  },
  foot: {
    sentFor: organisation => `Enviado por Signet en nombre de ${organisation}.`,
    questions: contact => `¿Tiene preguntas? Diríjase a ${contact}.`,
    notBinding: environment =>
      `Este mensaje procede del entorno «${environment}»: nada de lo que se firme aquí pretende obligar a nadie.`,
  },
}
