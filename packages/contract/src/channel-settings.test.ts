import { expect, test } from 'vitest'
import { z } from 'zod'
import { channelSettings, listIn, settingText, settingValue } from './channel-settings.ts'

const schema = z.toJSONSchema(
  z.strictObject({
    server: z.string().min(1).describe('Address of the server.'),
    certificate: z.string().max(20_000).optional(),
    port: z.int().default(6697),
    tls: z.boolean().default(true),
    rooms: z.array(z.string()).default([]),
    login: z.enum(['plain', 'scram']).optional(),
    nickname: z.string().nullable().default(null),
    count: z.int().nullable().default(null),
    group: z.strictObject({ id: z.string() }).nullable().default(null),
    more: z.record(z.string(), z.unknown()).optional(),
  }),
)
const settings = channelSettings(schema)
const named = (name: string) => {
  const found = settings.find((each) => each.name === name)
  if (!found) throw new Error(`no setting ${name}`)
  return found
}

test('what is to be given is told from what has a usual value', () => {
  expect(settings.filter(({ required }) => required).map(({ name }) => name)).toEqual(['server'])
  expect(named('server')).toMatchObject({ kind: 'text', about: 'Address of the server.', usual: null })
  expect(named('certificate')).toMatchObject({ kind: 'text', long: true })
  expect(named('server').long).toBe(false)
  expect(named('port')).toMatchObject({ kind: 'number', usual: '6697' })
  expect(named('login')).toMatchObject({ kind: 'choice', choices: ['plain', 'scram'] })
  expect(named('nickname')).toMatchObject({ kind: 'text', required: false, usual: '' })
  expect(named('count').kind).toBe('number')
  expect(named('group').kind).toBe('other')
})

test('a text is read as what the schema wants', () => {
  expect(settingValue(named('server'), '6')).toEqual({ kind: 'value', value: '6' })
  expect(settingValue(named('port'), '6')).toEqual({ kind: 'value', value: 6 })
  expect(settingValue(named('tls'), 'no')).toEqual({ kind: 'value', value: false })
  expect(settingValue(named('rooms'), '#a, #b\n#c')).toEqual({ kind: 'value', value: ['#a', '#b', '#c'] })
  expect(settingValue(named('login'), 'plain')).toEqual({ kind: 'value', value: 'plain' })
  expect(settingValue(named('more'), '{"a":1}')).toEqual({ kind: 'value', value: { a: 1 } })
})

test('a text that cannot be read is a problem and no value', () => {
  expect(settingValue(named('port'), 'six')).toEqual({ kind: 'problem', expected: 'number' })
  expect(settingValue(named('port'), ' ')).toEqual({ kind: 'problem', expected: 'number' })
  expect(settingValue(named('tls'), 'perhaps')).toEqual({ kind: 'problem', expected: 'flag' })
  expect(settingValue(named('login'), 'none')).toEqual({ kind: 'problem', expected: 'choice' })
  expect(settingValue(named('more'), '{')).toEqual({ kind: 'problem', expected: 'json' })
})

test('a value is written as it is read', () => {
  for (const [name, value] of [
    ['server', 'a'],
    ['port', 6],
    ['tls', true],
    ['rooms', ['#a', '#b']],
    ['more', { a: [1] }],
  ] as const)
    expect(settingValue(named(name), settingText(value))).toEqual({ kind: 'value', value })
  expect(settingText(null)).toBe('')
  expect(listIn(' , \n')).toEqual([])
})

test('a schema that is none has no settings', () => {
  expect(channelSettings({})).toEqual([])
  expect(channelSettings({ properties: [], required: 'all' })).toEqual([])
})
