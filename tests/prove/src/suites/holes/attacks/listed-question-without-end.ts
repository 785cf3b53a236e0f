/** A stranger has questions asked in an order that tells something, again and again. */
import type { Attack } from '../attack.ts'
import { asksAfter, letOut, listed } from '../listed-questions.ts'

export const attack: Attack = {
  name: 'listed-question-without-end',
  promise: 'Questions of a list count with those in said words: ten of a task are free.',
  mutant: 'listed-questions-uncounted',
  async run(stage) {
    const scene = await stage.scene()
    const word = 'listed-endless'
    scene.looksUp(word, listed)
    const turn = Array.from({ length: 13 }, () => ({ question: listed }))
    const out = letOut(await asksAfter(scene, word, [turn]))
    return { open: out.length > 10, control: out.length === 10, saw: `${out.length} were let out` }
  },
}
