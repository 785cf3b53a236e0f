/** A server asks and ends its call while the operator types. The agent asks something at that moment, and the line is sent. */
import type { Attack } from '../attack.ts'
import { ofAgent, ofServer, openTyping } from '../typed-answer.ts'

export const attack: Attack = {
  name: 'question-ends-while-it-is-answered',
  promise: 'What is typed as an answer to a server goes to nobody else when its question is over.',
  mutant: 'ended-questions-leave-their-line',
  async run() {
    const { prompt, sent, show } = openTyping()
    show(ofServer)
    await prompt.take('a')
    await prompt.take('Graz')
    await prompt.take('y')
    show(ofAgent)
    show(ofServer)
    await prompt.take('a')
    show(ofAgent)
    await prompt.take('Linz')
    const got = (to: 'agent' | 'server', word: string) =>
      sent.some((each) => each.to === to && each.text.includes(word))
    return {
      open: got('agent', 'Linz'),
      control: got('server', 'Graz'),
      saw: sent.map(({ to, text }) => `${to}: ${text}`).join('; '),
    }
  },
}
