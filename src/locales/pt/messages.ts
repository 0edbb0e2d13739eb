/** Portuguese: what the rules say. */
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
    `O que introduziu contém caracteres que este serviço não consegue reproduzir: ${characters}. Por favor, escreva de novo sem eles.`,
  consentMissing: () => 'Por favor, aceite assinar por via eletrónica, assinalando a caixa.',
  signatureMissing: () => 'Por favor, escreva o seu nome completo como assinatura.',
  initialsMissing: () => 'Por favor, escreva a sua rubrica.',
  drawingMissing: () => 'Por favor, desenhe no retângulo ou escolha outra forma.',
  drawingUnreadable: () => 'Não foi possível ler o desenho. Por favor, desenhe de novo.',
  pictureMissing: () => 'Por favor, escolha uma imagem ou outra forma.',
  pictureUnreadable: () =>
    'Este ficheiro não pode ser lido como imagem PNG. Por favor, escolha um ficheiro PNG, ou faça uma captura de ecrã da imagem.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Esta imagem é demasiado grande. Por favor, escolha uma de ${megabytes} MB e ${megapixels} megapíxeis no máximo.`,
  pictureEmpty: () =>
    'Não foi encontrada tinta nesta imagem. Por favor, fotografe de novo: mais de perto, em papel branco e com boa luz.',
  markTooLong: most => `Por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}.`,
  documentChanged: () => 'O documento que lhe foi mostrado não é o que vai ser assinado. Por favor, volte a carregar a página.',
  consentChanged: () => 'O texto que aceitou mudou entretanto. Por favor, volte a carregar a página e leia-o de novo.',
  notOpened: () => 'Por favor, abra o documento antes de terminar.',
  signingPeriodOver: () => 'O prazo para assinar este documento terminou.',
  nothingForViewers: () => 'Recebe uma cópia deste documento; não tem nada para assinar.',
  notOpen: status => NOT_OPEN[status] ?? 'O documento não pode ser assinado.',
  reasonMissing: () => 'Por favor, diga em poucas palavras por que motivo recusa.',
  reasonTooLong: most => `Por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}.`,
  nothingToDecline: () => 'Neste documento não tem nada pendente que possa recusar.',
  nameMissing: () => 'Por favor, introduza o nome da pessoa a quem passa o documento.',
  addressWrong: () => 'Por favor, introduza um endereço de e-mail, por exemplo ada@example.com.',
  sameAddress: () => 'Por favor, indique outra pessoa: este é o seu próprio endereço.',
  addressInUse: () => 'Esta pessoa já está entre os signatários deste documento. Por favor, indique outra.',
  delegationForbidden: () =>
    'O remetente não quer que outra pessoa o faça em seu lugar. Pode assinar, ou recusar indicando o motivo.',
  nothingToDelegate: () => 'Neste documento não tem nada pendente que possa passar a outra pessoa.',
  linkUnknown: () => 'Este link não é válido. Por favor, use o link do último e-mail ou pergunte à pessoa que o enviou.',
  openByMail: () =>
    'Por favor, abra o documento com o link do seu e-mail; esta página pertence a outro navegador ou está aberta há demasiado tempo.',
  tooManyLinks: () => 'Foram abertos a partir daqui demasiados links não válidos. Por favor, aguarde um minuto.',
  withdrawn: () => 'O remetente anulou este documento. Já não há nada para assinar.',
  expired: () => 'O prazo para assinar este documento terminou. Por favor, peça ao remetente que o envie de novo.',
  declined: () => 'Este documento foi recusado. Já não há nada para assinar.',
  copyExpired: () =>
    'O documento foi concluído há mais de 30 dias e já não está disponível aqui. A cópia selada foi-lhe enviada por e-mail.',
  codeMissing: () => 'Por favor, introduza o código de acesso.',
  codeWrong: triesLeft =>
    `Este código de acesso não está correto. ${triesLeft === 1 ? 'Tem mais uma tentativa' : `Tem mais ${triesLeft} tentativas`}.`,
  codePause: seconds =>
    `Por favor, aguarde ${counted(seconds, 'segundo', 'segundos')} antes de tentar de novo o código de acesso.`,
  codeLocked: () =>
    'O código de acesso foi introduzido incorretamente demasiadas vezes. Por favor, peça um lembrete ao remetente: dá-lhe novas tentativas.',
  foreignForm: () =>
    'Este formulário não foi enviado a partir da nossa página. Por favor, volte atrás, recarregue a página e tente de novo.',
  busy: () => 'O serviço está sobrecarregado neste momento. Tente novamente dentro de alguns segundos.',
}
