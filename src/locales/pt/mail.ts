/** E-mails in Portuguese. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Olá, ${name}!`,
  messageFrom: name => `Mensagem de ${name}:`,
  reasonGiven: 'Motivo indicado:',
  open: 'Abrir o documento',
  opens: {
    signer:
      'O link abre o documento no seu navegador Web. Aí pode lê-lo e depois assiná-lo ou recusar. Não precisa de conta nem de palavra-passe.',
    approver:
      'O link abre o documento no seu navegador Web. Aí pode lê-lo e depois aprová-lo ou recusar. Não precisa de conta nem de palavra-passe.',
    viewer: 'O link abre o documento no seu navegador Web, onde o pode ler. Não precisa de conta nem de palavra-passe.',
  },
  linkHint: 'Se o botão não funcionar, abra este endereço no seu navegador Web:',
  doBy: time => `Por favor, faça-o até ${time}.`,
  handedOverBy: name => `O pedido era para ${name}, que o passou a si.`,
  forYouAlone: 'O link é só seu: por favor, não o reencaminhe.',
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
      signer: (organisation, title) => `${organisation} ainda aguarda que assine «${title}».`,
      approver: (organisation, title) => `${organisation} ainda aguarda que aprove «${title}».`,
      viewer: (organisation, title) => `${organisation} ainda aguarda que leia «${title}».`,
    },
  },
  completed: {
    subject: title => `Concluído: ${title}`,
    everyone: title => `Todos terminaram a sua parte em «${title}». O documento está agora selado.`,
    sealMeans:
      'O selo eletrónico protege o documento, para que se possa detetar qualquer alteração posterior. O certificado de auditoria, no fim do documento, indica quem assinou e quando.',
    attached: 'O PDF selado segue em anexo. Por favor, guarde-o.',
    tooLarge: 'O PDF selado é demasiado grande para ser anexado. Por favor, descarregue-o com o link.',
    thirtyDays: `Pode descarregá-lo com o link durante ${COPY_DAYS} dias.`,
    open: 'Abrir o documento selado',
  },
  receipt: {
    subject: title => `O seu comprovativo: ${title}`,
    signed: title => `Assinou «${title}».`,
    approved: title => `Aprovou «${title}».`,
    attached:
      'O seu comprovativo segue em anexo: um ficheiro que termina em «.eml». Prova o que confirmou e quando. Por favor, guarde-o: pode ser verificado sem este serviço.',
    whenAll: 'Receberá o documento selado quando todos tiverem terminado.',
  },
  declined: {
    subject: title => `Recusado: ${title}`,
    has: (name, title) => `${name ?? 'Um destinatário'} recusou «${title}». Já não é necessário assinar o documento.`,
  },
  voided: {
    subject: title => `Anulado: ${title}`,
    toSender: title => `O documento «${title}» foi anulado.`,
    toRecipient: (organisation, title) => `${organisation} anulou «${title}». Já não precisa de fazer nada.`,
  },
  expired: {
    subject: title => `Expirado: ${title}`,
    inTime: title => `Nem todos assinaram «${title}» a tempo e o documento expirou. Os links já não funcionam.`,
    ask: whom => `Se o documento ainda for necessário, contacte, por favor, ${whom}.`,
  },
  finishedBefore: {
    signed: 'Já assinou este documento, que não será concluído nem selado.',
    approved: 'Já aprovou este documento, que não será concluído nem selado.',
  },
  delegated: {
    subject: title => `Passado a outra pessoa: ${title}`,
    has: (from, to, title) =>
      `${from} passou «${title}» a ${to}. O primeiro link enviado já não funciona; foi enviado por e-mail um novo a ${to}.`,
    notMeant: 'Se não concordar, pode anular o documento.',
  },
  linkRequested: {
    subject: title => `Pede um novo link: ${title}`,
    has: (name, title) => `${name} abriu o link para «${title}», que expirou, e pede um novo.`,
    whatToDo: 'O documento pode ser duplicado na sua página e enviado de novo.',
  },
  oneTimeCode: {
    subject: organisation => `O seu código para o documento de ${organisation}`,
    is: code => `O seu código é ${code}`,
    minutes: minutes => `Introduza-o na página onde o pediu. É válido durante ${minutes} minutos e apenas nesse navegador.`,
    tellNobody:
      'Não comunique este código a ninguém, nem ao remetente. Se não o pediu, pode ignorar esta mensagem: sem o código ninguém pode abrir o documento.',
  },
  codeLocked: {
    subject: title => `Demasiados códigos errados: ${title}`,
    has: (name, title) =>
      `Foi introduzido um código errado demasiadas vezes para «${title}» através do link de ${name}. Já não são aceites mais tentativas.`,
    whatToDo: {
      accessCode:
        'Por favor, pergunte a essa pessoa se foi ela própria. Se sim, diga-lhe o código de acesso outra vez e desbloqueie-o na página do documento: isso permite novas tentativas.',
      oneTimeCode:
        'Por favor, pergunte a essa pessoa se foi ela própria. Se sim, desbloqueie-lhe o documento na página dele: depois poderá pedir um novo código.',
      signingLink:
        'Por favor, pergunte a essa pessoa se foi ela própria. Se sim, diga-lhe o código de acesso outra vez. Uma hora depois da última tentativa, um novo link de assinatura permite outras.',
    },
  },
  mailFailed: {
    subject: title => `E-mail não entregue: ${title}`,
    has: (name, title) => `O e-mail para ${name} sobre «${title}» não pôde ser entregue. Não haverá mais tentativas.`,
    answer: 'A resposta do servidor de correio:',
    whatToDo: 'Verifique o endereço. Se estiver errado, corrija-o na página do documento: o e-mail será enviado de novo.',
  },
  sealingFailed: {
    subject: title => `Ainda não selado: ${title}`,
    has: title =>
      `Todos terminaram «${title}», mas o documento ainda não pôde ser selado. Ninguém tem de assinar de novo: o serviço volta a tentar por si.`,
    cause: 'A causa:',
  },
  foot: {
    sentFor: organisation => `Enviado em nome de ${organisation} pelo Signet, o seu serviço de assinatura de documentos.`,
    sent: 'Enviado pelo Signet, um serviço de assinatura de documentos.',
    linksLead: host => `Os links desta mensagem levam apenas a ${host}.`,
    questions: whom => `Tem perguntas? Responda a esta mensagem ou escreva para ${whom}.`,
    notBinding: environment =>
      `Esta mensagem vem do ambiente «${environment}», que não é de produção. Nada do que lá for assinado se destina a vincular alguém.`,
  },
  sample: {
    document: 'Contrato de prestação de serviços',
    message: 'Este é o contrato de que falámos.',
  },
}
