/** The operator takes the reading back, and a stranger has its question asked all the same. */
import type { Attack } from '../attack.ts'
import { asksAfter, letOut, listed } from '../listed-questions.ts'

export const attack: Attack = {
  name: 'listed-question-taken-back',
  promise: 'A question of a reading that was taken back asks, and is told to no model.',
  mutant: 'wishes-stay',
  async run(stage) {
    const scene = await stage.scene()
    const word = 'listed-back'
    const paint = 'Does the recycling yard in Uppsala take paint?'
    scene.looksUp(word, listed, paint)
    const own = { question: 'What does Vera owe?' }
    const run = await asksAfter(scene, word, [{ question: listed }, own, own, { question: paint }])
    const { client } = scene.gateway
    for (const { id } of await client.askedFor(run.session)) await client.takeBack(id)
    const after = await scene.approve(run)
    const out = letOut(after)
    return {
      open: out.some((args) => args.includes(paint)),
      control: out.length > 0 && after.detail.calls.some(({ result }) => result.includes(paint)),
      saw: `let out: ${out.join(', ')}`,
    }
  },
}
