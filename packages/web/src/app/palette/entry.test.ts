import { Zap } from 'lucide-react'
import { expect, test } from 'vitest'
import { words } from '../../words/frame.tsx'
import { screenActions } from './actions.ts'
import { foundEntries, type PaletteEntry, type PaletteGroup } from './entry.ts'
import { asFound } from './folders.ts'

const entry = (group: PaletteGroup, label: string, rest: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: label,
  group,
  label,
  icon: Zap,
  run: () => {},
  ...rest,
})

const actions = screenActions.map(({ id }) =>
  entry('actions', words.palette.does[id].label, words.palette.does[id]),
)
const firstFor = (query: string) => foundEntries(actions, query)[0]?.label

test.each([
  ['new chat', 'New chat'],
  ['add goal', 'Add a goal'],
  ['provider', 'Add a model provider'],
  ['api key', 'Add a model provider'],
  ['secret', 'Add a secret'],
  ['budget', 'Set a cost limit'],
  ['autonomy', 'Choose the level of autonomy'],
  ['backup', 'Export my data'],
  ['agent', 'Add an agent'],
  ['phone', 'Pair a device'],
  ['verify', 'Verify the ledger'],
  ['deutsch', 'Change the language'],
])('%s finds the action that a person means', (query, label) => {
  expect(firstFor(query)).toBe(label)
})

test('what a thing is called comes before what else is known of it', () => {
  const rows = [entry('tools', 'list_files', { also: 'budget' }), entry('tools', 'budget_report')]
  expect(foundEntries(rows, 'budget').map(({ label }) => label)).toEqual(['budget_report', 'list_files'])
})

test('a tool that is called alike does not push an action aside when it comes', () => {
  expect(foundEntries([entry('tools', 'add_goal'), ...actions], 'add goal')[0]?.label).toBe('Add a goal')
})

test('nothing typed shows a few of each, and nothing like it shows nothing', () => {
  const rows = Array.from({ length: 9 }, (_, number) => entry('conversations', `Talk ${number}`))
  expect(foundEntries(rows, '')).toHaveLength(4)
  expect(foundEntries(rows, 'zzz')).toEqual([])
})

test('a file is opened in its folder, and a folder as one', () => {
  expect(asFound({ path: 'notes/a b.md', name: 'a b.md', kind: 'file' }).to).toBe('/files/notes?file=a+b.md')
  expect(asFound({ path: 'notes', name: 'notes', kind: 'folder' }).to).toBe('/files/notes')
})
