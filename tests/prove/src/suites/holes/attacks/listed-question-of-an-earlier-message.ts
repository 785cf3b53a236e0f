/** A stranger has a question asked that was written for an earlier message. */
import type { Attack } from '../attack.ts'
import { asksAfter, letOut, listed } from '../listed-questions.ts'

export const attack: Attack = {
  name: 'listed-question-of-an-earlier-message',
  promise: 'A list of questions serves the message that it was written for, and no later one.',
  mutant: 'wishes-last',
  async run(stage) {
    const scene = await stage.scene()
    scene.looksUp('listed-first', listed)
    const first = await asksAfter(scene, 'listed-first', [{ question: listed }])
    const { session } = first
    const later = await asksAfter(scene, 'listed-then', [{ question: listed }], {
      words: 'Thanks. What is new?',
      session,
    })
    return {
      open: letOut(later).length > 0,
      control: letOut(first).length === 1,
      saw: `later let out: ${letOut(later).join(', ')}`,
    }
  },
}
