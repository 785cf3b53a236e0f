import type { JsonObject } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { readServerForm } from './server-form.ts'

function form(properties: JsonObject, message = 'Which one?', more: JsonObject = {}): JsonObject {
  return { message, requestedSchema: { type: 'object', properties, ...more } }
}

function refusal(params: unknown): string | undefined {
  const asked = readServerForm(params)
  return asked.kind === 'refused' ? asked.reason : undefined
}

describe('a question of a server', () => {
  test('is read with each kind of field', () => {
    const asked = readServerForm(
      form(
        {
          city: { type: 'string', title: 'City', maxLength: 40, default: 'Graz' },
          nights: { type: 'integer', minimum: 1, maximum: 30 },
          price: { type: 'number' },
          quiet: { type: 'boolean', default: true },
          room: { type: 'string', enum: ['s', 'd'], enumNames: ['Single', 'Double'] },
          view: { type: 'string', oneOf: [{ const: 'sea', title: 'Sea' }] },
          extras: { type: 'array', items: { anyOf: [{ const: 'b', title: 'Breakfast' }] }, maxItems: 1 },
        },
        'Where to?',
        { required: ['city'] },
      ),
    )
    expect(asked).toMatchObject({ kind: 'form', form: { message: 'Where to?' } })
    const fields = asked.kind === 'form' ? asked.form.fields : []
    expect(fields.map(({ kind, required }) => [kind, required])).toEqual([
      ['text', true],
      ['number', false],
      ['number', false],
      ['boolean', false],
      ['choice', false],
      ['choice', false],
      ['choices', false],
    ])
  })

  test('shows what would hide or reorder words as what it is', () => {
    const asked = readServerForm(form({ a: { type: 'string', title: 'x\u202ey' } }, 'one\u0007\u200btwo'))
    expect(asked).toMatchObject({
      form: { message: 'one⟨U+0007⟩⟨U+200B⟩two', fields: [{ title: 'x⟨U+202E⟩y' }] },
    })
  })

  test.each([
    ['password', {}],
    ['value', { title: 'Your P A S S W O R D' }],
    ['value', { title: 'pass\u200bword' }],
    ['value', { description: 'the p@ssw0rd of your account' }],
    ['value', { description: 'Das Paßwort, also Kennwort' }],
    ['apiKey', {}],
    ['api_key', {}],
    ['githubToken', {}],
    ['key', {}],
    ['smsCode', {}],
    ['value', { title: 'Sicherheitscode' }],
    ['value', { title: 'Card number' }],
    ['value', { title: 'Kreditkarte' }],
    ['value', { title: 'CVV' }],
    ['pin', {}],
    ['value', { title: 'TAN' }],
    ['value', { title: 'P I N' }],
    ['value', { title: 'Your P.I.N.' }],
    ['value', { title: 't0ken' }],
    ['value', { title: '5ecret word' }],
    ['value', { title: 'Пароль' }],
    ['value', { title: '密码' }],
    ['value', { title: 'Contraseña' }],
    ['value', { format: 'password' }],
    ['value', { writeOnly: true }],
    ['value', { title: 'ｐａｓｓｗｏｒｄ' }],
  ])('is not shown where the field %s %j asks for a secret', (name, more) => {
    expect(refusal(form({ [name]: { type: 'string', ...more } }))).toMatch(/seems to ask for a password/)
  })

  test.each([
    'Enter your password below.',
    'Type the code',
    'Enter your access token',
    'Dein Passwort bitte',
  ])('is not shown where its sentence asks for a secret: %s', (message) => {
    expect(refusal(form({ value: { type: 'string' } }, message))).toMatch(/seems to ask/)
  })

  test.each(['Postal code', 'Country code', 'Keyword', 'Name of the monkey', 'Encoding'])(
    'is shown where a field is called %s',
    (title) => {
      expect(refusal(form({ value: { type: 'string', title } }))).toBeUndefined()
    },
  )

  test.each([
    ['another mode', { mode: 'url', message: 'Go', url: 'https://example.com', elicitationId: '1' }],
    ['no form', { message: 'x' }],
    ['a nested object', form({ a: { type: 'object', properties: {} } })],
    ['an unknown word in a field', form({ a: { type: 'string', $ref: '#/x' } })],
    ['an unknown format', form({ a: { type: 'string', format: 'hostname' } })],
    [
      'too many fields',
      form(Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`f${at}`, { type: 'string' }]))),
    ],
    ['a message without end', form({}, 'x'.repeat(2_001))],
    ['too many lines', form({}, 'x\n'.repeat(30))],
    ['our own name', form({}, 'Countersign asks you to agree.')],
    ['our own name, apart', form({}, 'COUNTER SIGN')],
    ['letters that look like others', form({}, 'pаypal')],
    [
      'choices that look the same',
      form({ a: { type: 'string', enum: ['a', 'b'], enumNames: ['Yes', 'Yes'] } }),
    ],
    ['a preset outside of its choices', form({ a: { type: 'string', enum: ['a'], default: 'b' } })],
    ['no choices', form({ a: { type: 'string', enum: [] } })],
    ['a name that is none', form({ '': { type: 'string' } })],
    ['too much', form({}, 'x', { title: 'y'.repeat(40_000) })],
  ])('is not shown with %s', (_, params) => {
    expect(refusal(params)).toBeDefined()
  })
})
