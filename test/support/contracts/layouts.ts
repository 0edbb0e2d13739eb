/** Layouts of signature blocks that differ from the usual ones, as real forms have them. */
import { captioned, leader, page, type SampleContract } from './contracts.ts'

const block = (content: string): string => `<div style="flex:1">${content}</div>`
const space = (height: number): string => `<div style="height:${height}px"></div>`
const rule = (field: string, style = ''): string => `<div class="rule" data-field="${field}" style="${style}"></div>`

/** As in tax forms: one ruled row with small labels before it. */
const taxForm = page(
  'en',
  `<h1>Request for Taxpayer Number</h1><p>Under penalties of perjury, I certify that the number shown on this form is my correct number, and that I am not subject to withholding. The signature is required of any person who is named in the form.</p>
  <table><tr><td style="width:70px"><b>Sign Here</b></td><td style="border-right:0;width:150px">Signature of U.S. person</td><td data-field="signature" style="border-left:1px solid #000;height:44px;width:260px"></td><td style="width:50px">Date</td><td data-field="date"></td></tr></table>`,
  'sans',
)

const nda = page(
  'en',
  `<h1>Mutual Non-Disclosure Agreement</h1><p>Each party may disclose to the other certain information that is confidential. The receiving party shall protect it with the same care as its own, and shall use it for the purpose of the agreement only.</p>
  <div class="two">${block(`<p><b>Disclosing Party</b></p>${space(30)}<p>Signature: ${leader('_', 20, 'signature')}</p><p>Print Name: ${leader('_', 19, 'name')}</p><p>Date Signed: ${leader('_', 18, 'date')}</p>`)}
  ${block(`<p><b>Receiving Party</b></p>${space(30)}<p>Signature: ${leader('_', 20, 'signature')}</p><p>Print Name: ${leader('_', 19, 'name')}</p><p>Date Signed: ${leader('_', 18, 'date')}</p>`)}</div>`,
)

const germanEmployment = page(
  'de',
  `<h1>Arbeitsvertrag</h1><p>Das Arbeitsverhältnis beginnt am ersten des Monats und wird auf unbestimmte Zeit geschlossen. Die ersten sechs Monate gelten als Probezeit, in der das Verhältnis mit einer Frist von zwei Wochen von beiden Seiten gekündigt werden kann.</p>
  <p style="margin-top:40px">Berlin, den ${leader('_', 18, 'date')}</p>
  <div class="two" style="text-align:center">${captioned('(Arbeitgeber)', 'signature')}${captioned('(Arbeitnehmer)', 'signature')}</div>`,
)

const italianHeads = page(
  'it',
  `<h1>Contratto di locazione</h1><p>Il locatore concede in locazione al conduttore, che accetta, l'unità immobiliare che è descritta nella premessa. Il canone è versato in rate mensili con bonifico, e la durata del contratto è di quattro anni dalla data di inizio.</p>
  <p>Letto, approvato e sottoscritto</p>
  <div class="two" style="text-align:center">${block(`<p>Il Locatore</p>${space(40)}${rule('signature')}`)}${block(`<p>Il Conduttore</p>${space(40)}${rule('signature')}`)}</div>`,
)

const spanishFdo = page(
  'es',
  `<h1>Contrato de trabajo</h1><p>El trabajador prestará sus servicios en el centro de trabajo de la empresa, con la categoría que se indica en el anexo. La jornada es de cuarenta horas por semana, que se reparten de lunes a viernes con los descansos que establece la ley.</p>
  <div class="two">${block(`${space(40)}<p>Fdo.: ${leader('_', 24, 'signature')}</p><p>Nombre y apellidos: ${leader('_', 14, 'name')}</p>`)}${block(`${space(40)}<p>Fdo.: ${leader('_', 24, 'signature')}</p><p>Fecha: ${leader('_', 20, 'date')}</p>`)}</div>`,
)

const frenchBox = page(
  'fr',
  `<h1>Devis n° 12</h1><p>Le présent devis est valable pour une durée de deux mois. Pour l'accepter, le client le retourne signé avec la mention qui est dans le cadre, et les travaux commencent dans le mois qui suit.</p>
  <table style="margin-top:40px"><tr><td data-field="date" style="height:70px;width:50%;vertical-align:top;font-size:12px">Date :</td><td data-field="signature" style="vertical-align:top;font-size:12px">Signature du client :</td></tr></table>`,
  'sans',
)

const polishEllipses = page(
  'pl',
  `<h1>Umowa zlecenia</h1><p>Zleceniodawca zleca, a Zleceniobiorca przyjmuje do wykonania czynności, które są opisane w załączniku do umowy. Wynagrodzenie jest płatne po wykonaniu zlecenia na podstawie rachunku, w terminie czternastu dni od jego doręczenia.</p>
  <div class="two" style="text-align:center">${block(`${space(30)}${leader('…', 16, 'signature')}<div class="caption">Zleceniodawca</div>`)}${block(`${space(30)}${leader('…', 16, 'signature')}<div class="caption">Zleceniobiorca</div>`)}</div>`,
)

const dutchTable = page(
  'nl',
  `<h1>Machtigingsformulier</h1><p>Met de ondertekening van dit formulier geeft u toestemming aan de vereniging om een bedrag van uw rekening te laten afschrijven. Als u het niet eens bent met de afschrijving kunt u het bedrag laten terugboeken, dat is binnen acht weken mogelijk.</p>
  <table><tr><td style="width:30%">Naam</td><td data-field="name" style="height:34px"></td></tr><tr><td>Plaats en datum</td><td data-field="text,date"></td></tr><tr><td>Handtekening</td><td data-field="signature" style="height:60px"></td></tr></table>`,
  'sans',
)

const portugueseDashed = page(
  'pt',
  `<h1>Termo de responsabilidade</h1><p>Declaro que recebi o equipamento em bom estado e que sou o responsável pela sua guarda. Em caso de perda, comprometo-me com a reparação do dano, e a devolver o equipamento no fim do contrato.</p>
  <p style="margin-top:30px">Nome completo: ${leader('_', 36, 'name')}</p>
  <div style="width:300px;margin-top:60px"><div data-field="signature" style="border-top:1px dashed #000"></div><div class="caption">Assinatura</div></div>`,
)

const arabicCaptions = page(
  'ar',
  `<h1>عقد عمل</h1><p>تم الاتفاق بين صاحب العمل والموظف على أن يعمل الموظف لدى صاحب العمل من تاريخ هذا العقد، وعلى أن يلتزم في عمله بكل ما في اللائحة من أحكام، وأن يحافظ على أسرار العمل.</p>
  <div class="two" style="text-align:center">${captioned('توقيع صاحب العمل', 'signature')}${captioned('توقيع الموظف', 'signature')}</div>`,
)

const bilingual = page(
  'de',
  `<h1>Geheimhaltungsvereinbarung / Non-Disclosure Agreement</h1><p>Die Parteien werden die Informationen nicht an Dritte weitergeben und nur für den Zweck der Vereinbarung nutzen.</p><p>The parties shall not disclose the information to any third party and shall use it for the purpose of the agreement only.</p>
  <div class="two">${captioned('Ort, Datum / Place, Date', 'text,date')}${captioned('Unterschrift / Signature', 'signature')}</div>`,
)

const short = (caption: string, field: string, { width = 90, style = '' } = {}): string =>
  block(`${space(40)}${rule(field, `width:${width}px;${style}`)}<div class="caption" style="font-size:16px">${caption}</div>`)

/** Lines that are shorter than the words below them. */
const shortLines = page(
  'de',
  `<h1>Arbeitsvertrag</h1><p>Das Arbeitsverhältnis beginnt am ersten des Monats und wird auf unbestimmte Zeit geschlossen. Die ersten sechs Monate gelten als Probezeit, in der das Verhältnis mit einer Frist von zwei Wochen von beiden Seiten gekündigt werden kann.</p>
  <div class="two">${short('Unterschrift des Arbeitgebers', 'signature')}${short('Unterschrift des Arbeitnehmers', 'signature')}</div>
  <div class="two" style="text-align:center">${short('Unterschrift der Erziehungsberechtigten', 'signature', { style: 'margin:0 auto' })}${short('Datum der Unterschrift', 'date', { width: 80, style: 'margin:0 auto' })}</div>`,
)

/** Not one of the frequent words that tell a language. */
const labelsOnly = page(
  'de',
  `<h1>Urlaubsantrag</h1><p>Vorname: ${leader('_', 30, 'name')}</p><p>Datum: ${leader('_', 20, 'date')}</p>
  <div style="width:300px;margin-top:60px">${captioned('Unterschrift', 'signature')}</div>`,
)

/** Without a blank for a signer. */
const attendance = page(
  'en',
  `<h1>Attendance</h1><table><tr><th>Name</th><th>Department</th><th>Signature</th></tr>${Array.from({ length: 12 }, (_, i) => `<tr><td>Person ${i}</td><td>Sales</td><td>present</td></tr>`).join('')}</table>
  <h2>Signature policy</h2><p>The signature of each person is kept with the date. Name tags are worn by all.</p><div class="rule" style="width:200px;margin-top:60px"></div><p class="caption">See the annex for the date of the next meeting and for the name of the chair.</p>`,
)

const bankDetails = page(
  'de',
  `<h1>Rechnung</h1><p>Wir danken für den Auftrag und bitten um Zahlung des Betrages bis zum Ende des Monats auf das unten genannte Konto. Das Datum der Lieferung ist das Datum der Rechnung.</p>
  <table><tr><td style="width:30%">Name der Bank</td><td>Musterbank</td></tr><tr><td>Datum</td><td>01.11.2026</td></tr><tr><td>Bemerkung</td><td></td></tr></table><div class="rule" style="width:250px;margin-top:50px"></div><p class="caption">Amtsgericht Berlin, HRB 12345</p>`,
)

export const LAYOUTS: readonly SampleContract[] = [
  { name: 'en-tax-form', html: taxForm },
  { name: 'en-nda', html: nda },
  { name: 'de-employment', html: germanEmployment },
  { name: 'it-lease-headings', html: italianHeads },
  { name: 'es-employment', html: spanishFdo },
  { name: 'fr-quote-boxes', html: frenchBox },
  { name: 'pl-order', html: polishEllipses },
  { name: 'nl-mandate', html: dutchTable },
  { name: 'pt-declaration', html: portugueseDashed },
  { name: 'ar-employment', html: arabicCaptions },
  { name: 'de-en-nda', html: bilingual },
  { name: 'de-short-lines', html: shortLines },
  { name: 'de-labels-only', html: labelsOnly },
  { name: 'en-attendance', html: attendance },
  { name: 'de-invoice', html: bankDetails },
]
