/** Owns a conversation at a terminal in which a server asks for a city, and what is typed there goes where it goes. */

import { createPrompt } from '../../../../../packages/cli/src/chat/prompt.ts'
import type { ChatState, PendingItem } from '../../../../../packages/cli/src/chat/state.ts'
import { idFrom, type ServerQuestion } from '../../../../../packages/contract/src/index.ts'
import { cityQuestion } from '../../../../../packages/kernel/src/testing/server-asks.ts'

const run = idFrom('run', '1'.padStart(32, '0'))
const question = (end: string): Extract<PendingItem, { kind: 'question' }> => ({
  kind: 'question',
  id: idFrom('q', end.padStart(32, '0')),
  run,
  text: 'Where?',
  choices: [],
})
const server: ServerQuestion = {
  server: 'booking',
  tool: 'book',
  form: cityQuestion.form,
}

export const ofServer: PendingItem = { ...question('1'), server }
export const ofAgent: PendingItem = question('2')

export function openTyping() {
  const sent: { readonly to: 'agent' | 'server'; readonly text: string }[] = []
  const taker =
    (to: 'agent' | 'server') =>
    (...all: unknown[]) => {
      sent.push({ to, text: JSON.stringify(all) })
      return Promise.resolve({ ledger: 1 })
    }
  let waiting: readonly PendingItem[] = []
  let now = 0
  const state = () => ({ waiting }) as unknown as ChatState
  const prompt = createPrompt({
    conversation: () => ({ state, send: taker('agent') }) as never,
    gateway: { client: { answer: taker('agent'), reply: taker('server') } } as never,
    print: () => undefined,
    style: (() => undefined) as never,
    why: (() => undefined) as never,
    clock: () => {
      now += 1_000
      return new Date(now)
    },
    letters: true,
  })
  return {
    prompt,
    sent,
    show(item: PendingItem) {
      waiting = [item]
      prompt.present(state())
    },
  }
}
