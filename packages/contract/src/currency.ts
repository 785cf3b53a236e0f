/**
 * Owns money of any currency: a whole number of its smallest unit, read from a decimal and told as one. Never rounds, and
 * refuses an amount that the currency cannot pay. What models cost is counted in dollars elsewhere (`money.ts`).
 */

export type MoneyReading =
  | {
      readonly kind: 'money'
      /** In the smallest unit: cents, yen, fils. */
      readonly minor: number
      /** With all the decimals of the currency. */
      readonly text: string
    }
  | { readonly kind: 'invalid'; readonly reason: string }

/**
 * Reads `12.10`, or a number as its shortest spelling: 0.1 is a tenth here, and the result of a sum in floating point is
 * refused for its many decimals.
 */
export function readMoney(amount: string | number, currency: string): MoneyReading {
  const digits = minorDigits(currency)
  if (digits === undefined) return invalid(`${currency} is no currency. ${currencyRule}.`)
  const [, sign = '', whole = '', fraction = ''] = decimal.exec(String(amount)) ?? []
  if (whole === '') return invalid(`The amount ${amountRule}.`)
  if (fraction.length > digits && /[1-9]/.test(fraction.slice(digits)))
    return invalid(`The amount ${amount} has more decimals than ${currency} has (${digits}).`)
  const minor = Number(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`)
  if (minor === 0) return invalid('The amount is zero.')
  if (Math.abs(minor) > largest) return invalid('The amount is too large.')
  return { kind: 'money', minor, text: amountText(minor, currency) }
}

/** A sum of many may be larger than a number can hold exactly. */
export function amountText(minor: number | bigint, currency: string): string {
  const digits = minorDigits(currency) ?? 2
  const sum = BigInt(minor)
  const figures = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0')
  const sign = sum < 0n ? '-' : ''
  return digits === 0 ? `${sign}${figures}` : `${sign}${figures.slice(0, -digits)}.${figures.slice(-digits)}`
}

/** How many decimals it has; nothing where there is no such currency. Our own table, since stored sums depend on it. */
export function minorDigits(currency: string): number | undefined {
  if (!codes.has(currency)) return undefined
  return withoutTwo.get(currency) ?? 2
}

export const amountRule = 'must be a decimal as 12.10, without signs for thousands or currencies'
export const currencyRule = 'A currency is its ISO code, as EUR'

export function isAmount(amount: string | number): boolean {
  return decimal.test(String(amount))
}

const decimal = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/
/** Far below what a number holds exactly. */
const largest = 10 ** 15

function invalid(reason: string): MoneyReading {
  return { kind: 'invalid', reason }
}

/** ISO 4217, those in use. */
const codes: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
  CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR
  ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
  MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
  SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES
  VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`.split(/\s+/),
)

const withoutTwo: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
])
