/**
 * Contracts and forms as word processors and browsers write them, in nine languages. An element
 * with `data-field` is a blank that a signer fills in; its value names the types, comma separated.
 */

export interface SampleContract {
  name: string
  html: string
}

const STYLE = `
  @page { size: A4; margin: 0 }
  * { box-sizing: border-box }
  body { margin: 0; width: 794px; padding: 72px 80px; font: 15px/1.5 "Liberation Serif", serif; color: #111 }
  h1 { font-size: 24px } h2 { font-size: 17px; margin: 18px 0 4px } p { margin: 6px 0 }
  .two { display: flex; gap: 60px; margin-top: 70px } .two > div { flex: 1 }
  .rule { border-top: 1px solid #000; height: 0 } .caption { font-size: 12px; padding-top: 2px }
  .fill { display: inline-block; border-bottom: 1px solid #000; width: 220px; height: 14px }
  table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #000; padding: 5px 8px; text-align: start }
  .sans { font-family: "Liberation Sans", sans-serif; font-size: 13px }
`

export const page = (language: string, body: string, kind = ''): string =>
  `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><meta charset="utf-8"><style>${STYLE}</style><body class="${kind}">${body}</body></html>`

export const leader = (character: string, count: number, field: string): string =>
  `<span data-field="${field}">${character.repeat(count)}</span>`

export const captioned = (caption: string, field: string, style = ''): string =>
  `<div style="${style}"><div class="rule" data-field="${field}"></div><div class="caption">${caption}</div></div>`

const english = page(
  'en',
  `<h1>Consulting Agreement</h1>
  <p>This Agreement is made between Northwind Ltd (the "Company") and the undersigned (the "Consultant"). The parties agree to the terms that follow, and the signature of each party below shall be binding as of the date of signing.</p>
  <h2>1. Services</h2><p>The Consultant shall provide advice on the design of the warehouse. Name and address of the bank account for payments are stated in Annex A. The delivery date of each report is agreed in writing.</p>
  <h2>2. Fees</h2><p>The Company shall pay the fees within 30 days of the date of the invoice.</p>
  <h2>3. Term</h2><p>This Agreement ends on the 31st day of December and may be renewed by the parties in writing.</p>
  <p style="margin-top:40px">IN WITNESS WHEREOF, the parties have executed this Agreement.</p>
  <div class="two"><div><p><b>NORTHWIND LTD</b></p><p style="margin-top:40px">By: ${leader('_', 28, 'signature')}</p><p style="margin-top:14px">Name: ${leader('_', 25, 'name')}</p><p>Title: ${'_'.repeat(25)}</p><p>Date: ${leader('_', 25, 'date')}</p></div>
  <div><p><b>CONSULTANT</b></p><p style="margin-top:40px">By: ${leader('_', 28, 'signature')}</p><p style="margin-top:14px">Name: ${leader('_', 25, 'name')}</p><p>Title: ${'_'.repeat(25)}</p><p>Date: ${leader('_', 25, 'date')}</p></div></div>`,
)

const englishLease = page(
  'en',
  `<h1>Residential Lease</h1><p>The landlord and the tenant agree to the lease of the flat at 5 Hill Road. The rent is to be paid on the first day of each month. This lease is governed by the law of England.</p>
  <p>Each page is initialled by the tenant. Initials: ${leader('_', 12, 'initials')}</p>
  <div class="two">${captioned('Landlord signature', 'signature')}${captioned('Date', 'date')}</div>
  <div class="two">${captioned('Tenant signature', 'signature')}${captioned('Date', 'date')}</div>`,
)

const englishForm = page(
  'en',
  `<h1>Consent form</h1><p>Please read the information sheet and sign this form in the presence of a member of the staff. Your data will be kept for the time that the law demands.</p>
  <table><tr><td style="width:40%">Name of participant</td><td data-field="name" style="height:38px"></td></tr>
  <tr><td>Date of birth</td><td data-field="text"></td></tr><tr><td>Email</td><td data-field="email"></td></tr>
  <tr><td>Signature</td><td data-field="signature" style="height:56px"></td></tr><tr><td>Date</td><td data-field="date"></td></tr></table>
  <h2>For office use only</h2><table><tr><td style="width:40%">Signature</td><td style="height:40px"></td></tr></table>`,
  'sans',
)

const german = page(
  'de',
  `<h1>Mietvertrag über Wohnraum</h1><p>Zwischen Frau Clara Vogt (Vermieterin) und dem unterzeichnenden Mieter wird der folgende Vertrag geschlossen. Die Unterschrift beider Parteien ist für die Wirksamkeit erforderlich; das Datum der Übergabe wird im Protokoll festgehalten. Die Firma des Hausverwalters ist im Anhang genannt.</p>
  <h2>§ 1 Mieträume</h2><p>Vermietet wird die Wohnung im zweiten Obergeschoss mit allen dazu gehörenden Räumen und dem Keller.</p>
  <h2>§ 2 Miete</h2><p>Die Miete ist im Voraus zu zahlen, und zwar bis zum dritten Werktag eines Monats auf das Konto der Vermieterin.</p>
  <div class="two">${captioned('Ort, Datum', 'text,date')}${captioned('Ort, Datum', 'text,date')}</div>
  <div class="two">${captioned('Unterschrift Vermieterin', 'signature')}${captioned('Unterschrift Mieter', 'signature')}</div>`,
)

const germanOneLine = page(
  'de',
  `<h1>Vollmacht</h1><p>Hiermit bevollmächtige ich die genannte Person, mich in allen Angelegenheiten des Vereins zu vertreten. Die Vollmacht ist nicht übertragbar und kann jederzeit von mir widerrufen werden.</p>
  <p style="margin-top:30px">Name, Vorname: ${leader('_', 30, 'name')}</p><p>Geburtsdatum: ${'_'.repeat(20)}</p>
  <p style="margin-top:60px"><span data-field="text,date,signature">${'_'.repeat(52)}</span></p><p class="caption">Ort, Datum, Unterschrift</p>`,
)

const germanForm = page(
  'de',
  `<h1>Antrag auf Mitgliedschaft</h1><p>Ich beantrage die Aufnahme in den Verein und erkenne die Satzung an. Die Daten werden nur für die Verwaltung der Mitglieder verwendet und nicht an Dritte weitergegeben.</p>
  <table><tr><td style="width:35%">Nachname, Vorname</td><td data-field="name" style="height:34px"></td></tr><tr><td>Straße und Hausnummer</td><td></td></tr><tr><td>E-Mail</td><td data-field="email"></td></tr>
  <tr><td>Datum</td><td data-field="date"></td></tr><tr><td>Unterschrift der Antragstellerin</td><td data-field="signature" style="height:60px"></td></tr></table>
  <p style="margin-top:24px">Nur für den Dienstgebrauch</p><p>Datum: ${'_'.repeat(20)} Unterschrift: ${'_'.repeat(20)}</p>`,
  'sans',
)

const french = page(
  'fr',
  `<h1>Bail d'habitation</h1><p>Entre les soussignés, le bailleur et le locataire, il est convenu ce qui suit. Le présent bail est conclu pour une durée de trois ans, et la signature des parties vaut accord sur les conditions qui sont dans ce contrat.</p>
  <h2>Article 1</h2><p>Le loyer est payable au début de chaque mois par virement sur le compte du bailleur.</p>
  <p style="margin-top:40px">Fait à ${leader('_', 20, 'text')}, le ${leader('_', 16, 'date')}</p>
  <div class="two"><div><p>Signature du bailleur :</p><p style="margin-top:60px">${leader('.', 60, 'signature')}</p></div><div><p>Signature du locataire :</p><p style="margin-top:60px">${leader('.', 60, 'signature')}</p></div></div>`,
)

const frenchCaptions = page(
  'fr',
  `<h1>Contrat de prestation de services</h1><p>Le prestataire réalise pour le client les travaux décrits dans une annexe, qui est jointe à ce contrat et en fait partie. Les prix sont ceux de la liste en vigueur.</p>
  <div class="two">${captioned('Nom et prénom', 'name')}${captioned('Date', 'date')}</div>
  <div class="two">${captioned('Signature du client', 'signature')}${captioned('Signature du prestataire', 'signature')}</div>`,
)

const spanish = page(
  'es',
  `<h1>Contrato de arrendamiento</h1><p>En la ciudad de Sevilla, reunidos el arrendador y el arrendatario, acuerdan las cláusulas que se exponen a continuación. La firma de las partes se realiza por duplicado y con los efectos que la ley establece.</p>
  <h2>Primera</h2><p>El arrendador cede el uso de la vivienda al arrendatario para su residencia.</p>
  <p style="margin-top:40px">Lugar: ${leader('_', 20, 'text')} Fecha: ${leader('_', 16, 'date')}</p>
  <p style="margin-top:70px">Firma del arrendador: ${leader('_', 32, 'signature')}</p><p style="margin-top:50px">Firma del arrendatario: ${leader('_', 32, 'signature')}</p>`,
)

const italian = page(
  'it',
  `<h1>Contratto di prestazione d'opera</h1><p>Con la presente scrittura il committente affida al prestatore i lavori che sono descritti nel capitolato. La firma delle parti è apposta in calce, e la data di consegna non è vincolante per il prestatore.</p>
  <p>Il compenso è versato dal committente in una sola rata, al termine dei lavori.</p>
  <table style="margin-top:50px"><tr><td style="width:30%">Luogo e data</td><td data-field="text,date" style="height:40px"></td></tr><tr><td>Firma del committente</td><td data-field="signature" style="height:60px"></td></tr><tr><td>Firma del prestatore</td><td data-field="signature" style="height:60px"></td></tr></table>`,
)

const portuguese = page(
  'pt',
  `<h1>Contrato de prestação de serviços</h1><p>As partes acordam os termos do contrato, que entra em vigor na data da assinatura. O prestador realiza os trabalhos para o contratante com os meios que são da sua escolha, e não pode ceder o contrato a terceiros.</p>
  <p style="margin-top:40px">Local: ${leader('_', 20, 'text')} Data: ${leader('_', 16, 'date')}</p>
  <div style="width:320px;margin:70px auto 0;text-align:center">${captioned('Assinatura do contratante', 'signature')}</div>
  <div style="width:320px;margin:60px auto 0;text-align:center">${captioned('Assinatura do prestador', 'signature')}</div>`,
)

const dutch = page(
  'nl',
  `<h1>Arbeidsovereenkomst</h1><p>De werkgever en de werknemer zijn het volgende overeengekomen. De werknemer treedt in dienst voor een periode van een jaar, en wordt betaald aan het einde van de maand. Het reglement van de onderneming is van toepassing op deze overeenkomst.</p>
  <p style="margin-top:40px">Plaats: ${leader('.', 40, 'text')} Datum: ${leader('.', 40, 'date')}</p>
  <p style="margin-top:60px">Handtekening werkgever: ${leader('.', 60, 'signature')}</p><p style="margin-top:60px">Handtekening werknemer: ${leader('.', 60, 'signature')}</p>`,
)

const polish = page(
  'pl',
  `<h1>Umowa najmu lokalu</h1><p>Strony zawierają umowę najmu lokalu na czas nieokreślony. Wynajmujący oświadcza, że jest właścicielem lokalu i że nie jest on obciążony prawami osób trzecich. Czynsz jest płatny z góry do dziesiątego dnia każdego miesiąca, na rachunek wynajmującego. Data wydania lokalu i firma zarządcy są podane w załączniku.</p>
  <p style="margin-top:30px">Miejscowość: ${leader('.', 40, 'text')} Data: ${leader('.', 40, 'date')}</p>
  <div class="two" style="text-align:center"><div><div>${leader('.', 60, 'signature')}</div><div class="caption">(podpis Wynajmującego)</div></div><div><div>${leader('.', 60, 'signature')}</div><div class="caption">(podpis Najemcy)</div></div></div>`,
)

const arabic = page(
  'ar',
  `<h1>عقد إيجار</h1><p>تم الاتفاق بين المؤجر والمستأجر على هذا العقد الذي يبدأ من تاريخ توقيع الطرفين. يدفع المستأجر الأجرة في أول كل شهر، ولا يجوز له أن يؤجر العين إلى الغير من دون موافقة المؤجر.</p>
  <p style="margin-top:40px">المكان: ${leader('_', 18, 'text')} &nbsp; التاريخ: ${leader('_', 18, 'date')}</p>
  <p style="margin-top:70px">توقيع المؤجر: ${leader('_', 28, 'signature')}</p><p style="margin-top:60px">توقيع المستأجر: ${leader('_', 28, 'signature')}</p>`,
  'arabic',
)

/** Without a blank for a signer. */
const invoice = page(
  'en',
  `<h1>Invoice 2026-118</h1><table><tr><th>Date</th><th>Name</th><th>Amount</th></tr>${[1, 2, 3, 4].map(n => `<tr><td>0${n}.11.2026</td><td>Service ${n}</td><td>${n}00.00</td></tr>`).join('')}<tr><td></td><td>Total</td><td>1000.00</td></tr></table>
  <p style="margin-top:30px">The date of delivery is the date of the invoice. This invoice is valid without a signature.</p><p>Name of bank: Example Bank</p><div class="rule" style="width:300px;margin-top:40px"></div><p class="caption">Page 1 of 1</p>`,
)

const contents = page(
  'de',
  `<h1>Inhalt</h1>${['Unterschrift', 'Datum', 'Name des Kindes', 'Firma'].map((title, i) => `<p>${title} ${'.'.repeat(80)} ${i + 3}</p>`).join('')}
  <h2>Notizen</h2>${Array.from({ length: 12 }, () => '<div class="rule" style="width:300px;margin-top:24px"></div>').join('')}
  <p><u>Die Unterschrift</u> wird in der Regel am Ende geleistet.</p>`,
)

const article = page(
  'es',
  `<h1>La firma Ortega</h1><p>La firma fue fundada en el año 1920 y es una de las más antiguas de la región. La fecha de la fundación y el nombre del fundador se encuentran en el registro.</p>
  <p><u>La firma y el nombre</u> son una marca de la casa, que no se puede usar sin permiso.</p><table><tr><td>Fecha</td><td>3 de mayo</td></tr><tr><td>Nombre</td><td>Ortega</td></tr></table>`,
)

export const CONTRACTS: readonly SampleContract[] = [
  { name: 'en-consulting', html: english },
  { name: 'en-lease', html: englishLease },
  { name: 'en-consent-form', html: englishForm },
  { name: 'de-lease', html: german },
  { name: 'de-authority', html: germanOneLine },
  { name: 'de-application-form', html: germanForm },
  { name: 'fr-lease', html: french },
  { name: 'fr-services', html: frenchCaptions },
  { name: 'es-lease', html: spanish },
  { name: 'it-services', html: italian },
  { name: 'pt-services', html: portuguese },
  { name: 'nl-employment', html: dutch },
  { name: 'pl-lease', html: polish },
  { name: 'ar-lease', html: arabic },
  { name: 'en-invoice', html: invoice },
  { name: 'de-contents', html: contents },
  { name: 'es-article', html: article },
]
