/**
 * The words of labels beside blanks, by language. All are in the form of `normalizeLabel`: without
 * case, accents and Arabic marks. A word list is a text with phrases separated by commas.
 */
import type { Language } from '../../core/language.ts'

export interface LabelWords {
  signature: readonly string[]
  date: readonly string[]
  name: readonly string[]
  initials: readonly string[]
  place: readonly string[]
  email: readonly string[]
  /** Parties of contracts. A line with nothing but such a word is for a signature. */
  party: readonly string[]
  /** Words that change nothing about the meaning of a label. */
  filler: readonly string[]
  /** After a comma at the end of a label, as in "Berlin, den", they announce a date. */
  dateEnding: readonly string[]
  /** The blanks below such a note are not for the signers. */
  office: readonly string[]
  /** The most frequent words, which tell the language. */
  stop: ReadonlySet<string>
}

const list = (text: string): string[] => text.split(',').map(phrase => phrase.trim())

const EN: LabelWords = {
  signature: list('signature, signatures, signed, sign here, authorised signatory, authorized signatory, signatory, signed by'),
  date: list('date, dated, date signed'),
  name: list('name, names, surname, forename'),
  initials: list('initials, initial, initial here'),
  place: list('place'),
  email: list('email, email address'),
  party: list(
    'landlord, landlords, tenant, tenants, lessor, lessee, seller, sellers, buyer, buyers, vendor, purchaser, employer, employee, client, customer, contractor, subcontractor, consultant, supplier, company, licensor, licensee, lender, borrower, guarantor, witness, witnesses, provider, service provider, disclosing party, receiving party, owner, agent, principal, partner, parent, guardian, applicant, insured, party a, party b, first party, second party, patient, participant, authorised representative, authorized representative, representative, for the company, on behalf of',
  ),
  filler: list(
    'of, the, a, by, and, or, for, full, first, last, middle, family, given, print, printed, legal, your, block, letters, here, in, please, typed, type, on, behalf, s, authorised, authorized, today, electronic, handwritten',
  ),
  dateEnding: list('on'),
  office: list('office use, official use, internal use, do not write below'),
  stop: new Set(list('the, and, of, to, in, this, shall, by, for, any, with, be, is, or, that, agreement')),
}

const DE: LabelWords = {
  signature: list(
    'unterschrift, unterschriften, unterzeichnet, unterzeichner, unterzeichnerin, gez, signatur, firmenstempel und unterschrift, stempel und unterschrift, stempel unterschrift',
  ),
  date: list('datum'),
  name: list('name, vorname, nachname, druckbuchstaben, familienname, zuname'),
  initials: list('kurzel, handzeichen, initialen, paraphe'),
  place: list('ort'),
  email: list('email, email adresse'),
  party: list(
    'vermieter, vermieterin, mieter, mieterin, verkaufer, verkauferin, kaufer, kauferin, arbeitgeber, arbeitgeberin, arbeitnehmer, arbeitnehmerin, auftraggeber, auftraggeberin, auftragnehmer, auftragnehmerin, kunde, kundin, darlehensgeber, darlehensnehmer, burge, zeuge, zeugin, gesellschafter, geschaftsfuhrer, geschaftsfuhrung, kontoinhaber, versicherungsnehmer, antragsteller, antragstellerin, erziehungsberechtigte, erziehungsberechtigter, sorgeberechtigte, lizenzgeber, lizenznehmer, verpachter, pachter, dienstleister, vollmachtgeber, bevollmachtigter',
  ),
  filler: list(
    'der, die, das, des, dem, in, und, oder, bzw, vollstandiger, voller, bitte, von, fur, beider, eigenhandige, heute, innen, in druckschrift',
  ),
  dateEnding: list('den, am'),
  office: list('amtsgebrauch, nur fur den dienstgebrauch, wird vom amt ausgefullt, interne vermerke, nicht ausfullen'),
  stop: new Set(list('der, die, das, und, ist, nicht, mit, von, fur, wird, zu, auf, den, dem, ein, eine, sich, werden, im')),
}

const FR: LabelWords = {
  signature: list('signature, signatures, signe, signataire, lu et approuve, cachet et signature, bon pour accord'),
  date: list('date, fait le'),
  name: list('nom, prenom, noms, prenoms'),
  initials: list('paraphe, paraphes, initiales'),
  place: list('lieu, fait a'),
  email: list('email, courriel, adresse email, adresse electronique'),
  party: list(
    'bailleur, bailleresse, locataire, preneur, vendeur, vendeuse, acheteur, acheteuse, acquereur, employeur, employe, employee, salarie, salariee, client, cliente, prestataire, fournisseur, mandant, mandataire, preteur, emprunteur, caution, temoin, gerant, representant legal, le bailleur, le locataire, proprietaire, donneur d ordre',
  ),
  filler: list(
    'de, du, des, la, le, les, l, d, et, ou, en, complet, majuscules, lettres, votre, pour, precedee, mention, manuscrite, son, representant',
  ),
  dateEnding: list('le'),
  office: list('reserve a l administration, cadre reserve, ne rien inscrire'),
  stop: new Set(list('le, la, les, des, et, du, une, un, est, dans, pour, par, que, sur, au, aux, qui, ce, cette')),
}

const ES: LabelWords = {
  signature: list('firma, firmas, firmado, fdo, firmante, firma y sello'),
  date: list('fecha'),
  name: list('nombre, nombres, apellido, apellidos'),
  initials: list('iniciales'),
  place: list('lugar'),
  email: list('email, correo, correo electronico'),
  party: list(
    'arrendador, arrendadora, arrendatario, arrendataria, vendedor, vendedora, comprador, compradora, empleador, empleadora, empleado, empleada, trabajador, trabajadora, cliente, contratista, proveedor, prestador, prestamista, prestatario, avalista, testigo, empresa, representante legal, mandante, mandatario, propietario, inquilino',
  ),
  filler: list('de, del, la, el, los, las, y, o, completo, por, su, en, mayusculas, letra'),
  dateEnding: list('a'),
  office: list('uso interno, uso oficial, a rellenar por la administracion'),
  stop: new Set(list('el, la, los, las, de, del, y, que, en, una, un, es, por, con, para, se, al, su, o')),
}

const IT: LabelWords = {
  signature: list(
    'firma, firme, firmato, sottoscrizione, timbro e firma, firma leggibile, firma per accettazione, letto confermato e sottoscritto',
  ),
  date: list('data, li'),
  name: list('nome, cognome, nominativo'),
  initials: list('sigla, iniziali'),
  place: list('luogo'),
  email: list('email, posta elettronica'),
  party: list(
    'locatore, locatrice, conduttore, conduttrice, venditore, venditrice, acquirente, compratore, datore di lavoro, lavoratore, lavoratrice, dipendente, cliente, committente, appaltatore, fornitore, prestatore, mutuante, mutuatario, fideiussore, testimone, societa, legale rappresentante, mandante, mandatario, proprietario, inquilino',
  ),
  filler: list('di, del, della, dello, dei, la, il, lo, le, i, e, o, completo, per, in, stampatello, l'),
  dateEnding: list('li, il'),
  office: list('riservato all ufficio, uso interno'),
  stop: new Set(list('il, la, di, del, della, e, che, in, un, una, per, con, non, si, al, alla, dei, le, da, nel')),
}

const PT: LabelWords = {
  signature: list('assinatura, assinaturas, assinado, assinante, assinatura e carimbo'),
  date: list('data'),
  name: list('nome, sobrenome, apelido'),
  initials: list('rubrica, iniciais'),
  place: list('local, lugar'),
  email: list('email, correio eletronico'),
  party: list(
    'locador, locadora, locatario, locataria, senhorio, arrendatario, vendedor, vendedora, comprador, compradora, empregador, empregadora, empregado, empregada, trabalhador, trabalhadora, cliente, contratante, contratada, contratado, fornecedor, prestador, mutuante, mutuario, fiador, testemunha, empresa, representante legal, proprietario, inquilino',
  ),
  filler: list('de, do, da, dos, das, o, a, os, as, e, ou, completo, por, em, letra'),
  dateEnding: list('em'),
  office: list('uso interno, reservado aos servicos'),
  stop: new Set(list('o, a, os, as, de, do, da, dos, e, que, em, um, uma, para, com, nao, no, na, ao, pelo, pela')),
}

const NL: LabelWords = {
  signature: list('handtekening, handtekeningen, ondertekening, getekend, ondertekend'),
  date: list('datum, d d'),
  name: list('naam, voornaam, achternaam, namen'),
  initials: list('paraaf, parafen, initialen'),
  place: list('plaats'),
  email: list('email, emailadres, email adres'),
  party: list(
    'verhuurder, huurder, verkoper, koper, werkgever, werknemer, opdrachtgever, opdrachtnemer, klant, leverancier, aannemer, kredietgever, kredietnemer, borg, getuige, vennootschap, directeur, licentiegever, licentienemer, eigenaar, volmachtgever, gemachtigde',
  ),
  filler: list('van, de, het, een, en, of, volledige, voor, in, blokletters, uw, namens'),
  dateEnding: list('op, d d'),
  office: list('kantoorgebruik, voorbehouden aan de administratie'),
  stop: new Set(list('de, het, een, en, van, in, is, dat, voor, met, op, te, aan, wordt, niet, of, zijn, worden')),
}

const PL: LabelWords = {
  signature: list('podpis, podpisy, podpisano, podpisu, czytelny podpis, pieczec i podpis'),
  date: list('data, dnia, dn'),
  name: list('imie, nazwisko, imiona'),
  initials: list('parafka, parafa, inicjaly'),
  place: list('miejscowosc, miejsce'),
  email: list('email, adres email, poczta elektroniczna'),
  party: list(
    'wynajmujacy, wynajmujaca, wynajmujacego, najemca, najemcy, sprzedajacy, sprzedajacego, sprzedawca, sprzedawcy, kupujacy, kupujacego, nabywca, pracodawca, pracodawcy, pracownik, pracownika, zleceniodawca, zleceniodawcy, zleceniobiorca, zleceniobiorcy, zamawiajacy, zamawiajacego, wykonawca, wykonawcy, klient, klienta, pozyczkodawca, pozyczkobiorca, poreczyciel, swiadek, mocodawca, pelnomocnik, wlasciciel',
  ),
  filler: list('i, w, na, z, oraz, lub, drukowanymi, literami, pelne, czytelny, odreczny'),
  dateEnding: list('dnia, dn'),
  office: list('wypelnia urzad, wypelnia organ'),
  stop: new Set(list('i, w, na, z, do, nie, sie, jest, oraz, o, przez, od, za, lub, po, ze, dla, umowy, strony')),
}

const AR: LabelWords = {
  signature: list('توقيع, امضاء, التوقيع, الامضاء, توقيعات, الموقع'),
  date: list('تاريخ, التاريخ'),
  name: list('اسم, الاسم, اللقب, لقب'),
  initials: list('الاحرف الاولى, احرف اولى'),
  place: list('مكان, المكان, المدينة'),
  email: list('البريد, البريد الالكتروني, email'),
  party: list(
    'المؤجر, المستأجر, البائع, المشتري, صاحب العمل, العامل, الموظف, العميل, المقاول, الطرف الاول, الطرف الثاني, الشاهد, الكفيل, الشركة, المقرض, المقترض, المورد',
  ),
  filler: list('من, في, و, الكامل, كامل, على'),
  dateEnding: list('بتاريخ'),
  office: list('للاستخدام الرسمي, لاستعمال الادارة'),
  stop: new Set(list('في, من, على, الى, هذا, هذه, ان, التي, الذي, عن, او, مع, بين, كل')),
}

export const LABEL_WORDS: Readonly<Record<Language, LabelWords>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  it: IT,
  pt: PT,
  nl: NL,
  pl: PL,
  ar: AR,
}
