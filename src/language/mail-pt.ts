/** Portuguese: the mails. */
import type { MailWords } from './mail-en.ts'

export const mailPt: MailWords = {
  greeting: name => `Olá, ${name}!`,
  theirMessage: 'Mensagem para si:',
  reasonGiven: 'Motivo indicado:',
  open: 'Abrir o documento',
  noAccount: 'A ligação abre o documento no seu navegador Web. Não precisa de ter uma conta.',
  doBy: time => `Por favor, faça-o até ${time}.`,
  forYouAlone: 'A ligação é só para si: por favor, não a reencaminhe.',
  invitation: {
    subject: {
      signer: title => `Assine, por favor: ${title}`,
      approver: title => `Aprove, por favor: ${title}`,
      viewer: title => `Leia, por favor: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} pede-lhe que assine «${title}».`,
      approver: (organisation, title) => `${organisation} pede-lhe que aprove «${title}».`,
      viewer: (organisation, title) => `${organisation} pede-lhe que leia «${title}».`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Lembrete para assinar: ${title}`,
      approver: title => `Lembrete para aprovar: ${title}`,
      viewer: title => `Lembrete para ler: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} continua à espera de que assine «${title}».`,
      approver: (organisation, title) => `${organisation} continua à espera de que aprove «${title}».`,
      viewer: (organisation, title) => `${organisation} continua à espera de que leia «${title}».`,
    },
  },
  completed: {
    subject: title => `Concluído: ${title}`,
    everyone: title =>
      `Todos terminaram o que tinham a fazer em «${title}». Uma assinatura digital sela agora o documento, para que se possam detetar alterações posteriores. As últimas páginas indicam quem assinou e quando.`,
    attached: 'O PDF selado segue em anexo. Por favor, guarde-o.',
    tooLarge: 'O PDF selado é demasiado grande para um e-mail: por favor, descarregue-o com a ligação abaixo.',
    thirtyDays: 'Pode descarregá-lo com a ligação abaixo durante 30 dias.',
    open: 'Abrir o documento selado',
  },
  declined: {
    subject: title => `Recusado: ${title}`,
    has: (name, title) => `${name ?? 'Um destinatário'} recusou «${title}». Já ninguém precisa de assinar o documento.`,
  },
  voided: {
    subject: title => `Anulado: ${title}`,
    toSender: title => `O documento «${title}» foi anulado.`,
    toRecipient: (organisation, title) => `${organisation} anulou «${title}». Já não precisa de fazer nada.`,
  },
  expired: {
    subject: title => `Expirado: ${title}`,
    inTime: title =>
      `O documento «${title}» não foi assinado por todos a tempo e expirou. As ligações do documento já não funcionam.`,
    ask: whom => `Se ainda quiser assinar, contacte, por favor, ${whom}.`,
  },
  handedOver: {
    subject: title => `Passado a outra pessoa: ${title}`,
    has: (from, to, title) =>
      `${from} passou «${title}» a ${to}. A ligação enviada em primeiro lugar já não funciona; foi enviada por e-mail uma nova a ${to}.`,
    notMeant: 'Se não concordar, pode anular o documento.',
  },
  codeLocked: {
    subject: title => `Código de acesso errado demasiadas vezes: ${title}`,
    has: (name, title) =>
      `O código de acesso de «${title}» foi introduzido incorretamente demasiadas vezes através da ligação de ${name}. Já não aceita mais tentativas.`,
    whatToDo:
      'Por favor, pergunte a essa pessoa se foi ela própria. Se sim, diga-lhe o código outra vez e envie-lhe um lembrete do documento: isso permite novas tentativas.',
  },
  foot: {
    sentFor: organisation => `Enviado pelo Signet em nome de ${organisation}.`,
    questions: contact => `Tem perguntas? Contacte ${contact}.`,
    notBinding: environment =>
      `Esta mensagem vem do ambiente «${environment}»: nada do que aqui for assinado pretende vincular alguém.`,
  },
}
