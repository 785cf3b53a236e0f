/** Says whether a value is well formed for its kind. */
import { isIPv4, isIPv6 } from 'node:net'
import { parseStrict } from '@countersign/contract'
import { z } from 'zod'
import { isEmail, readWebAddress } from './address.ts'
import { answer, brief, computing } from './computing.ts'
import { readDate } from './moment.ts'

const types = [
  'email',
  'url',
  'phone',
  'uuid',
  'ipv4',
  'ipv6',
  'date',
  'json',
  'number',
  'credit_card',
  'iban',
  'hex_color',
] as const

export const validate = computing({
  name: 'validate',
  version: '1',
  description:
    'Check that a value is a well-formed email, URL, phone number, UUID, IP address, date, JSON, card number, IBAN or the like.',
  group: 'validation',
  tags: [
    'check',
    'valid',
    'format',
    'phone',
    'uuid',
    'ip',
    'iban',
    'credit card',
    'verify',
    'correct',
    'real',
    'is it right',
    'proper',
    'well formed',
  ],
  input: z.strictObject({
    value: z.string().max(10_000),
    type: z.enum(types),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be two capital letters such as TR')
      .exactOptional()
      .describe('For phone numbers without +'),
  }),
  describe: ({ value, type }) => `Check the ${type} ${brief(value, 40)}`,
  async compute({ value, type, country }) {
    if (type === 'phone') return answer(await checkPhone(value, country))
    return answer({ valid: checks[type](value) })
  },
})

const checks: Record<Exclude<(typeof types)[number], 'phone'>, (value: string) => boolean> = {
  email: isEmail,
  url: (value) => readWebAddress(value) !== undefined,
  uuid: (value) => /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(value),
  ipv4: isIPv4,
  ipv6: isIPv6,
  date: (value) => /^\d/.test(value) && readDate(value, 'UTC').kind === 'answer',
  json: (value) => parseStrict(value).kind === 'value',
  number: (value) =>
    value.trim() === value && value !== '' && /^[-+.\d]/.test(value) && Number.isFinite(Number(value)),
  credit_card: isCardNumber,
  iban: isIban,
  hex_color: (value) => /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value),
}

async function checkPhone(value: string, country: string | undefined) {
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined
  const phone =
    value.length > 50
      ? undefined
      : parsePhoneNumberFromString(value, { ...(home ? { defaultCountry: home } : {}), extract: false })
  if (!phone?.isValid()) return { valid: false }
  return { valid: true, e164: phone.number, country: phone.country ?? null, kind: phone.getType() ?? null }
}

/** Luhn's check: every second digit from the right is doubled, and the sum ends in zero. */
function isCardNumber(value: string): boolean {
  const digits = value.replace(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const worth = Number(digit) * (1 + (index % 2))
      return total + (worth > 9 ? worth - 9 : worth)
    }, 0)
  return sum % 10 === 0
}

/** The remainder by 97 of the number that the moved letters and digits make is 1. */
function isIban(value: string): boolean {
  const iban = value.replace(/ /g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}
