/** A stranger has a run put what it knows into the answers to choose from. */
import type { Attack } from '../attack.ts'
import { asksAfter, letOut, listed } from '../listed-questions.ts'

export const attack: Attack = {
  name: 'listed-question-with-options',
  promise: 'With a question of the list go only options that the operator said.',
  mutant: 'listed-options-unread',
  async run(stage) {
    const scene = await stage.scene()
    const word = 'listed-options'
    scene.looksUp(word, listed)
    const among = (...options: string[]) => ({ question: listed, answer: { kind: 'one_of', options } })
    const run = await asksAfter(scene, word, [[among('Vera', '4711'), among('paint', 'tip')]])
    const out = letOut(run)
    return {
      open: out.some((args) => args.includes('4711')),
      control: out.some((args) => args.includes('paint')),
      saw: `let out: ${out.join(', ')}`,
    }
  },
}
