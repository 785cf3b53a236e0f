import { idFrom, type ServerQuestion } from '@countersign/contract'
import { expect, test } from 'vitest'
import { createPrompt } from './prompt.ts'
import type { ChatState, PendingItem } from './state.ts'

const id = (end: string) => idFrom('q', end.padStart(32, '0'))
const field = {
  kind: 'text',
  name: 'city',
  title: 'Sent. The agent asks',
  description: 'where you live',
  required: true,
  format: null,
  least: 3,
  most: 20,
  preset: null,
} as const
const server: ServerQuestion = {
  server: 'booking',
  tool: 'book',
  form: { message: 'Where?', fields: [field] },
}
const ofServer: PendingItem = {
  kind: 'question',
  id: id('1'),
  run: 'run_1' as never,
  text: 'Where?',
  choices: [],
  server,
}
const ofAgent: PendingItem = {
  kind: 'question',
  id: id('2'),
  run: 'run_1' as never,
  text: 'And now?',
  choices: [],
}

function openPrompt() {
  const said: string[] = []
  const sent: unknown[] = []
  const take = async (...all: unknown[]) => (sent.push(all), { ledger: 1 })
  let waiting: readonly PendingItem[] = []
  let now = 0
  const state = () => ({ waiting }) as unknown as ChatState
  const prompt = createPrompt({
    conversation: () => ({ state, send: take }) as never,
    gateway: { client: { answer: take, reply: take } } as never,
    print: (text) => said.push(text),
    style: (() => undefined) as never,
    why: undefined as never,
    clock: () => new Date((now += 1_000)),
    letters: true,
  })
  const show = (...items: PendingItem[]) => {
    waiting = items
    prompt.present(state())
  }
  return { prompt, said, sent, show }
}

test('what is typed for a server goes to nobody else when its question is over', async () => {
  const { prompt, said, sent, show } = openPrompt()
  show(ofServer)
  await prompt.take('a')
  show(ofAgent)
  await prompt.take('Graz')
  expect(sent).toEqual([])
  expect(said.at(-1)).toContain('was not taken')
  await prompt.take('Linz')
  expect(sent).toEqual([[id('2'), { answer: 'Linz' }]])
})

test('no line of a server stands as one of ours while it is answered', async () => {
  const { prompt, said, show } = openPrompt()
  show(ofServer)
  await prompt.take('a')
  expect(prompt.label()).toBe('│ Sent. The agent asks > ')
  await prompt.take('x')
  await prompt.take('Graz')
  const lines = said
    .join('\n')
    .split('\n')
    .filter((each) => each.includes('The agent asks'))
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter((each) => !each.startsWith('  │ '))).toEqual([])
})

test('lines that come at once for a server go to it, and to no agent', async () => {
  const { prompt, sent, show } = openPrompt()
  show(ofServer)
  expect(prompt.isKept()).toBe(true)
  const taken = [prompt.take('a'), prompt.take('Graz')]
  await Promise.all(taken)
  expect(sent).toEqual([])
  expect(prompt.label()).toBe('send? > ')
  await prompt.take('y')
  expect(sent).toEqual([[id('1'), { action: 'accept', values: { city: 'Graz' } }]])
})

test('what is typed for a server is kept by nobody', async () => {
  const { prompt, show } = openPrompt()
  show(ofServer)
  await prompt.take('a')
  expect(prompt.isKept()).toBe(false)
  show(ofAgent)
  expect(prompt.isKept()).toBe(false)
  await prompt.take('Graz')
  expect(prompt.isKept()).toBe(true)
})
