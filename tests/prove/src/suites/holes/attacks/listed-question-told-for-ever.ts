/** A stranger has a run ask the web again and again, so that the list keeps answering and nobody is asked. */
import type { Attack } from '../attack.ts'
import { asksAfter, listed } from '../listed-questions.ts'

export const attack: Attack = {
  name: 'listed-question-told-for-ever',
  promise:
    'A model is told the free questions once for each message; then its own asks, and nothing of it is let out.',
  mutant: 'listed-questions-told-always',
  async run(stage) {
    const scene = await stage.scene()
    const word = 'listed-told'
    scene.looksUp(word, listed)
    const own = { question: 'What does Vera owe?' }
    const { detail } = await asksAfter(scene, word, [own, own, own])
    const asked = detail.calls.filter(({ tool }) => tool === 'read_web')
    const told = asked.filter(({ result }) => result.includes(listed))
    return {
      open: told.length > 1,
      control:
        told.length > 0 && detail.calls.every(({ tool, outcome }) => tool !== 'read_web' || outcome !== 'ok'),
      saw: `${told.length} of ${asked.length} were told`,
    }
  },
}
