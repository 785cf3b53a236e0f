/** Writes a text in an encoding and reads it back. Refuses what is not of the encoding, or not text. */
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, type ComputationResult, computing, refuse } from './computing.ts'

const encodings = ['base64', 'base64url', 'url', 'hex', 'html'] as const
type Encoding = (typeof encodings)[number]

export const encodeDecode = computing({
  name: 'encode_decode',
  version: '1',
  description: 'Encode or decode a text in base64, base64url, url (percent), hex or html.',
  group: 'textUtils',
  tags: [
    'base64',
    'percent-encoding',
    'hex',
    'escape',
    'unescape',
    'html entities',
    'decode',
    'encode',
    'urlencode',
  ],
  input: z.strictObject({
    text,
    operation: z.enum(['encode', 'decode']),
    encoding: z.enum(encodings).default('base64'),
  }),
  describe: ({ operation, encoding }) =>
    `${operation === 'encode' ? 'Encode a text as' : 'Decode a text from'} ${encoding}`,
  compute({ text: given, operation, encoding }) {
    return operation === 'encode' ? answer(encode(given, encoding)) : decode(given, encoding)
  },
})

function encode(given: string, encoding: Encoding): string {
  if (encoding === 'url') return encodeURIComponent(given)
  if (encoding === 'html') return given.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
  return Buffer.from(given).toString(encoding)
}

function decode(given: string, encoding: Encoding): ComputationResult {
  if (encoding === 'url') return decodePercent(given)
  if (encoding === 'html')
    return answer(given.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{1,6}));/g, entity))
  const plain = given.replace(/\s+/g, '')
  if (!shapes[encoding].test(plain)) return refuse(`The text is not ${encoding}.`)
  const bytes = Buffer.from(plain, encoding)
  try {
    return answer(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return refuse(`These are ${bytes.length} bytes that are not text in UTF-8.`)
  }
}

const shapes = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/,
  base64url: /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/,
  hex: /^(?:[\da-fA-F]{2})*$/,
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
])

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities.get(name) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  const isLetter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isLetter ? String.fromCodePoint(code) : whole
}

function decodePercent(given: string): ComputationResult {
  try {
    return answer(decodeURIComponent(given))
  } catch {
    return refuse('The text has a % that begins no character in UTF-8.')
  }
}
