import type { ChannelKindView, ChannelView } from '@countersign/contract'
import { expect, test } from 'vitest'
import {
  channelProblems,
  channelValues,
  nameIn,
  secretField,
  settingField,
  storedChannel,
} from './channel-fields.ts'

const common: Omit<ChannelKindView, 'kind' | 'secrets' | 'settings'> = {
  title: '',
  about: '',
  steps: [],
  direction: 'both',
  bindable: true,
  decides: 2,
  groups: true,
  web: false,
}
const telegram: ChannelKindView = {
  ...common,
  kind: 'telegram',
  secrets: [{ name: 'token', label: 'Token', optional: false }],
  settings: {},
}
const irc: ChannelKindView = {
  ...common,
  kind: 'irc',
  secrets: [{ name: 'password', label: 'Password', optional: true }],
  settings: {
    properties: {
      server: { type: 'string' },
      port: { type: 'integer', default: 6697 },
      rooms: { type: 'array', items: { type: 'string' } },
    },
    required: ['server'],
  },
}
const kinds = [telegram, irc]
const fresh = { taken: ['chat'], kept: false }
const wrong = (problems: Readonly<Record<string, string | undefined>>) =>
  Object.keys(problems).filter((name) => problems[name] !== undefined)

test('a channel is stored as its kind wants it, and what was left empty is left out', () => {
  const values = {
    ...channelValues(kinds),
    kind: 'irc',
    [settingField('irc', 'server')]: ' irc.example.org ',
    [settingField('irc', 'rooms')]: '#a\n#b',
    // What was typed for another kind goes nowhere.
    [secretField('telegram', 'token')]: '12345:abcdef',
  }
  expect(wrong(channelProblems(values, irc, fresh))).toEqual([])
  expect(nameIn(values)).toBe('irc')
  expect(storedChannel(values, irc)).toEqual({
    kind: 'irc',
    settings: { server: 'irc.example.org', rooms: ['#a', '#b'] },
    secrets: {},
    choices: {},
  })
})

test('what is needed is asked for, and a name that is taken is refused', () => {
  const values = { ...channelValues(kinds), name: 'chat' }
  expect(wrong(channelProblems(values, telegram, fresh))).toEqual(['name', secretField('telegram', 'token')])
  const port = { ...values, name: 'club', kind: 'irc', [settingField('irc', 'port')]: 'six' }
  expect(wrong(channelProblems(port, irc, fresh))).toEqual([
    settingField('irc', 'server'),
    settingField('irc', 'port'),
  ])
})

test('a channel that is there begins as it is, and keeps its secrets', () => {
  const channel = { name: 'club', kind: 'irc', settings: { server: 'a', port: 6, rooms: ['#a', '#b'] } }
  const values = channelValues([irc], channel as unknown as ChannelView)
  expect(wrong(channelProblems(values, irc, { taken: [], kept: true }))).toEqual([])
  expect(storedChannel(values, irc)).toMatchObject({ settings: channel.settings, secrets: {} })
  const short = { ...values, [secretField('irc', 'password')]: 'abc' }
  expect(wrong(channelProblems(short, irc, { taken: [], kept: true }))).toEqual([
    secretField('irc', 'password'),
  ])
})
