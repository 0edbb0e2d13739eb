/** Spanish: what a person agrees to and the sentence of intent. */
import type { ActWords } from './act-en.ts'

export const actEs: ActWords = {
  consent: ask => [
    'Acepto recibir, firmar y conservar este documento en forma electrónica en lugar de en papel. Mi firma electrónica tiene por objeto obligarme igual que una hecha a mano.',
    `Puedo pedir a ${ask}, sin coste alguno, una copia en papel o la posibilidad de firmar en papel en su lugar. Mientras no haya terminado, puedo retirar este consentimiento rechazando el documento más abajo. El consentimiento vale solo para este documento.`,
    'Para leer y conservar el documento necesito una dirección de correo electrónico, un navegador web y un programa que muestre archivos PDF. Cuando todos hayan terminado, se me envía por correo electrónico una copia del documento sellado.',
  ],
  failure: {
    notFound: 'No encontrado',
    notPossible: 'No es posible',
    over: 'Ya no es posible',
    wait: 'Por favor, espere',
    ask: contact => `¿Tiene preguntas? Diríjase a ${contact}.`,
  },
  intent: {
    signer: 'Al pulsar el botón, firmo este documento.',
    approver: 'Al pulsar el botón, apruebo este documento.',
    viewer: 'Al pulsar el botón, confirmo que he leído este documento.',
  },
}
