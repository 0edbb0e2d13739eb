/** Refusals and validation errors in Portuguese. */
import type { DocumentStatus } from '../../core/document.ts'
import type { FieldType } from '../../core/field.ts'
import type { MessageCatalogue, NamedField } from '../../core/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Assinatura',
  initials: 'Rubrica',
  date: 'Data',
  name: 'Nome',
  email: 'E-mail',
  text: 'Texto',
  checkbox: 'Caixa de verificação',
  dropdown: 'Escolha',
  number: 'Número',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const NOT_OPEN = {
  draft: 'O documento ainda é um rascunho: não pode ser assinado.',
  sent: 'O documento não pode ser assinado.',
  sealing: 'O documento está a ser selado: já não pode ser assinado.',
  completed: 'O documento está concluído: já não pode ser assinado.',
  declined: 'O documento foi recusado: já não pode ser assinado.',
  voided: 'O documento foi anulado: já não pode ser assinado.',
  expired: 'O documento expirou: já não pode ser assinado.',
} satisfies Record<DocumentStatus, string> as Record<string, string>

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: por favor, preencha este campo`,
  tooLong: (field, most) => `${name(field)}: por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}`,
  notAChoice: (field, options) => `${name(field)}: por favor, escolha uma destas opções: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: por favor, introduza um número, por exemplo 1250 ou 12,50`,
  notAnEmail: field => `${name(field)}: por favor, introduza um endereço de e-mail, por exemplo ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: o valor tem de ser «true» ou «false»`,
  tickRequired: field => `${name(field)}: por favor, assinale a caixa`,
  unprintable: characters =>
    `O texto introduzido contém caracteres que não se podem imprimir: ${characters}. Por favor, elimine-os ou substitua-os.`,
  consentMissing: () => 'Por favor, aceite assinar por via eletrónica, assinalando a caixa.',
  signatureMissing: () => 'Por favor, escreva o seu nome completo como assinatura.',
  initialsMissing: () => 'Por favor, escreva a sua rubrica.',
  drawingMissing: () => 'O desenho está vazio. Por favor, desenhe ou escolha outro método.',
  drawingUnreadable: () => 'Não foi possível ler o desenho. Por favor, desenhe de novo.',
  pictureMissing: () => 'Por favor, escolha uma imagem ou outro método.',
  pictureUnreadable: () =>
    'Este ficheiro não pode ser lido como imagem PNG. Por favor, escolha um ficheiro PNG, ou faça uma captura de ecrã da imagem.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Esta imagem é demasiado grande. Por favor, escolha uma de ${megabytes} MB e ${megapixels} megapíxeis no máximo.`,
  pictureEmpty: () =>
    'Não foi encontrada tinta nesta imagem. Por favor, fotografe de novo: mais de perto, em papel branco e com boa luz.',
  markTooLong: most => `Por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}.`,
  documentChanged: () => 'O documento não é o que esta página lhe mostrou. Por favor, volte a carregar a página.',
  consentChanged: () => 'O texto que aceitou mudou entretanto. Por favor, volte a carregar a página e leia-o de novo.',
  notOpened: () => 'Por favor, abra o documento antes de terminar.',
  signingPeriodOver: () => 'O prazo para assinar este documento terminou.',
  nothingForViewers: () => 'Recebe uma cópia deste documento. Não tem nada para assinar.',
  notOpen: status => NOT_OPEN[status] ?? 'O documento não pode ser assinado.',
  reasonMissing: () => 'Por favor, diga em poucas palavras por que motivo recusa.',
  reasonTooLong: most => `Por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}.`,
  nothingToDecline: () => 'Já não tem nada para recusar neste documento.',
  nameMissing: () => 'Por favor, introduza o nome da pessoa a quem passa o documento.',
  addressWrong: () => 'Por favor, introduza um endereço de e-mail, por exemplo ada@example.com.',
  sameAddress: () => 'Este é o seu próprio endereço. Por favor, introduza o de outra pessoa.',
  addressInUse: () => 'Esta pessoa já deve assinar este documento. Por favor, escolha outra.',
  delegationForbidden: () =>
    'O remetente não permite passar este documento a outra pessoa. Pode assiná-lo, ou recusá-lo indicando o motivo.',
  nothingToDelegate: () => 'Já não tem nada para passar a outra pessoa neste documento.',
  linkUnknown: () => 'Este link não é válido. Por favor, use o link do último e-mail ou pergunte à pessoa que o enviou.',
  openByMail: () =>
    'A sua sessão terminou, ou esta página pertence a outro navegador. Por favor, abra o documento com o link do seu e-mail.',
  tooManyLinks: () =>
    'Foram abertos demasiados links não válidos a partir da sua rede. Por favor, aguarde um minuto e tente de novo.',
  withdrawn: () => 'O remetente anulou este documento. Já não há nada para assinar.',
  expired: () => 'O prazo para assinar este documento terminou. Por favor, peça ao remetente que o envie de novo.',
  declined: () => 'Este documento foi recusado. Já não há nada para assinar.',
  copyExpired: () =>
    'O documento foi concluído há mais de 30 dias e já não pode ser descarregado aqui. A cópia selada foi-lhe enviada por e-mail.',
  codeMissing: () => 'Por favor, introduza o código de acesso.',
  codeWrong: attemptsLeft =>
    `Este código de acesso não está correto. ${attemptsLeft === 1 ? 'Tem mais uma tentativa' : `Tem mais ${attemptsLeft} tentativas`}.`,
  codePause: seconds =>
    `Por favor, aguarde ${counted(seconds, 'segundo', 'segundos')} antes de tentar de novo o código de acesso.`,
  codeLocked: () =>
    'O código de acesso foi introduzido incorretamente demasiadas vezes. Por favor, peça um lembrete ao remetente: dá-lhe novas tentativas.',
  foreignForm: () =>
    'Este formulário não foi enviado a partir da nossa página. Por favor, volte atrás, recarregue a página e tente de novo.',
  busy: () => 'O serviço está sobrecarregado neste momento. Tente novamente dentro de alguns segundos.',
  notStored: () =>
    'Neste momento não é possível guardar dados. Nada foi guardado. Por favor, tente novamente dentro de um minuto.',
  notReachable: () =>
    'O serviço não consegue aceder aos seus dados neste momento. Nada foi guardado. Por favor, tente novamente dentro de alguns segundos.',
  notConfirmed: () =>
    'A ligação foi interrompida antes de o serviço poder confirmar a alteração. Esta pode ter sido guardada: por favor, verifique antes de a repetir.',
}
