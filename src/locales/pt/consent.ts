/** The consent to sign electronically and the sentence of intent, in Portuguese. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `Aceito receber, assinar e conservar este documento por via eletrónica em vez de em papel. ${
      environment === undefined
        ? 'Com a minha assinatura eletrónica, pretendo vincular-me tal como com uma assinatura manuscrita.'
        : `Isto é um teste no ambiente «${environment}»: com a minha assinatura eletrónica, não pretendo vincular-me.`
    }`,
    `Posso pedir a ${ask}, sem encargos, uma cópia em papel ou a possibilidade de assinar em papel. Enquanto não terminar, posso retirar este consentimento recusando o documento. Este consentimento aplica-se apenas a este documento.`,
    'Para ler e conservar o documento, preciso de um endereço de e-mail, de um navegador Web e de um programa que mostre ficheiros PDF. Quando todos tiverem terminado, terei à minha disposição uma cópia do documento selado.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `Aceito receber, aprovar e conservar este documento por via eletrónica em vez de em papel. Não aponho nenhuma assinatura. ${
      environment === undefined
        ? 'Com a minha aprovação, dada com o meu nome, pretendo vincular-me.'
        : `Isto é um teste no ambiente «${environment}»: com a minha aprovação, não pretendo vincular-me.`
    }`,
    `Posso pedir a ${ask}, sem encargos, uma cópia em papel ou a possibilidade de aprovar em papel. Enquanto não terminar, posso retirar este consentimento recusando o documento. Este consentimento aplica-se apenas a este documento.`,
    'Para ler e conservar o documento, preciso de um endereço de e-mail, de um navegador Web e de um programa que mostre ficheiros PDF. Quando todos tiverem terminado, terei à minha disposição uma cópia do documento selado.',
  ],
  intent: {
    signer: 'Ao premir o botão, assino este documento.',
    approver: 'Ao premir o botão, aprovo este documento.',
    viewer: 'Ao premir o botão, confirmo que li este documento.',
  },
}
