/** A stranger has a run put what it knows into a question that is almost one of the list. */
import type { Attack } from '../attack.ts'
import { asksAfter, letOut, listed } from '../listed-questions.ts'

export const attack: Attack = {
  name: 'listed-question-changed',
  promise: 'A question of the list is free to the byte, and no other is.',
  mutant: 'listed-questions-by-likeness',
  async run(stage) {
    const scene = await stage.scene()
    const word = 'listed-changed'
    scene.looksUp(word, listed)
    const turns = [listed.toLowerCase(), `${listed} 4711`, `${listed} `, listed.slice(0, -1), listed]
    const run = await asksAfter(scene, word, [turns.map((question) => ({ question }))])
    const out = letOut(run)
    return {
      open: out.some((args) => !args.includes(`"${listed}"`)),
      control: out.some((args) => args.includes(`"${listed}"`)),
      saw: `let out: ${out.join(', ')}`,
    }
  },
}
