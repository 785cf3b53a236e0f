/** Owns the words and signs by which a receipt is read: in English and German, and the totals of some other languages. */
import type { Expense } from '@countersign/contract'

/** The surest first: a later word may also stand over a part of the sum. */
export const totalWords: readonly RegExp[] = [
  /\b(grand total|total due|amount due|balance due|total to pay|amount paid|zu zahlen|endbetrag|gesamtbetrag|gesamtsumme|net à payer|à payer|a pagar|importe total|te betalen)/i,
  /\b(total|totale|totaal|summe|gesamt|betrag|montant|toplam|ukupno|razem|suma|celkem)\b/i,
]

/** Lines with an amount that is no total and nothing that was bought. */
export const besideTotal =
  /sub[\s-]?total|zwischensumme|sous[\s-]total|subtotale|\b(tax|vat|mwst|ust|iva|tva|btw|pdv|netto|net|brutto|change|rückgeld|zurück|cash|bar|gegeben|tendered|card|karte|visa|mastercard|maestro|girocard|saved|points|punkte|items|artikel)\b/i

/** No shop is called so. */
export const notMerchant =
  /\b(receipt|invoice|rechnung|quittung|kassenbon|beleg|kundenbeleg|date|datum|tel|phone|fax|www|http|vat|ust|tax|order|table|tisch|welcome|willkommen|copy|kopie|page|total|summe)\b|@/i

export const currencySigns: readonly (readonly [sign: RegExp, currency: string])[] = [
  [/€/g, 'EUR'],
  [/£/g, 'GBP'],
  [/¥/g, 'JPY'],
  [/₹/g, 'INR'],
  [/₺/g, 'TRY'],
  [/₩/g, 'KRW'],
  [/₴/g, 'UAH'],
  [/zł/gi, 'PLN'],
  [/Kč/g, 'CZK'],
  [/\$/g, 'USD'],
]

/** Signs that several currencies have. */
export const sharedSigns: ReadonlySet<string> = new Set(['USD', 'JPY'])

/** By the first three letters, in English and German. */
export const months: Readonly<Record<string, string>> = {
  jan: '01',
  feb: '02',
  mar: '03',
  mär: '03',
  apr: '04',
  may: '05',
  mai: '05',
  jun: '06',
  jul: '07',
  aug: '08',
  sep: '09',
  oct: '10',
  okt: '10',
  nov: '11',
  dec: '12',
  dez: '12',
}

/** The first that fits is taken: what says more about the shop comes before what many shops sell. */
export const categoryWords: readonly (readonly [category: Expense['category'], words: RegExp])[] = [
  ['health', /\b(pharmacy|apotheke|drugstore|clinic|dental|dentist|zahnarzt|hospital|optician|optik)/i],
  ['travel', /\b(hotel|hostel|pension|airline|airways|flight|flug|airbnb|booking\.com)/i],
  [
    'transport',
    /\b(fuel|petrol|diesel|tankstelle|taxi|uber|bus|train|bahn|metro|parking|parkhaus|toll|maut)/i,
  ],
  ['subscription', /\b(subscription|abonnement|abo\b|monthly plan|netflix|spotify)/i],
  ['entertainment', /\b(cinema|kino|theat|museum|concert|konzert|zoo)/i],
  ['utilities', /\b(electricity|strom|water bill|gas bill|internet|broadband|telekom|mobile plan)/i],
  ['education', /\b(bookshop|buchhandlung|bookstore|university|universität|course|kurs|school|schule)/i],
  ['housing', /\b(rent|miete|furniture|möbel|hardware store|baumarkt|plumber)/i],
  [
    'food',
    /\b(supermarket|supermarkt|grocer|market|restaurant|caf[eé]|coffee|bakery|bäckerei|konditorei|pizz|bistro|deli|rewe|lidl|aldi|edeka|tesco|burger|bread|brot|milk|milch)/i,
  ],
  ['shopping', /\b(clothing|fashion|mode|shoes|schuhe|electronics|elektronik|store|shop|boutique)/i],
]
