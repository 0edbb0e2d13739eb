/** The consent to sign electronically and the sentence of intent, in Spanish. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `Acepto recibir, firmar y conservar este documento en forma electrónica en lugar de en papel. ${
      environment === undefined
        ? 'Con mi firma electrónica quiero obligarme igual que con una firma manuscrita.'
        : `Esto es una prueba en el entorno «${environment}»: con mi firma electrónica no quiero obligarme.`
    }`,
    `Puedo pedir a ${ask}, sin coste alguno, una copia en papel o la posibilidad de firmar en papel. Mientras no haya terminado, puedo retirar este consentimiento rechazando el documento. Este consentimiento vale solo para este documento.`,
    'Para leer y conservar el documento necesito una dirección de correo electrónico, un navegador web y un programa que muestre archivos PDF. Cuando todos hayan terminado, tendré a mi disposición una copia del documento sellado.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `Acepto recibir, aprobar y conservar este documento en forma electrónica en lugar de en papel. No pongo ninguna firma. ${
      environment === undefined
        ? 'Con mi aprobación, dada con mi nombre, quiero obligarme.'
        : `Esto es una prueba en el entorno «${environment}»: con mi aprobación no quiero obligarme.`
    }`,
    `Puedo pedir a ${ask}, sin coste alguno, una copia en papel o la posibilidad de aprobar en papel. Mientras no haya terminado, puedo retirar este consentimiento rechazando el documento. Este consentimiento vale solo para este documento.`,
    'Para leer y conservar el documento necesito una dirección de correo electrónico, un navegador web y un programa que muestre archivos PDF. Cuando todos hayan terminado, tendré a mi disposición una copia del documento sellado.',
  ],
  intent: {
    signer: 'Al pulsar el botón, firmo este documento.',
    approver: 'Al pulsar el botón, apruebo este documento.',
    viewer: 'Al pulsar el botón, confirmo que he leído este documento.',
  },
}
