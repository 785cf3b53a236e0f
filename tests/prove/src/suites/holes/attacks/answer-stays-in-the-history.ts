/** The operator answers a server at the terminal. Later somebody reads the file of what was typed, or presses the arrow up. */
import type { Attack } from '../attack.ts'
import { ofAgent, ofServer, openTyping } from '../typed-answer.ts'

export const attack: Attack = {
  name: 'answer-stays-in-the-history',
  promise: 'What is typed as an answer to a server is kept in no history.',
  mutant: 'answers-stay-in-the-history',
  async run() {
    const { prompt, show } = openTyping()
    show(ofServer)
    await prompt.take('a')
    const isAnswerKept = prompt.isKept()
    await prompt.take('Graz')
    await prompt.take('y')
    show(ofAgent)
    return {
      open: isAnswerKept,
      control: prompt.isKept(),
      saw: isAnswerKept ? 'the answer is kept' : 'the answer is not kept',
    }
  },
}
