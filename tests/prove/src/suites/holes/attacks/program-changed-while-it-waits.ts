/** While a program waits for a private answer, the operator closes that to it; or another gateway gives it another token. */
import { until } from '../../../until.ts'
import { type AskingProgram, letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const answer = 'Done.'

export const attack: Attack = {
  name: 'program-changed-while-it-waits',
  promise: 'An answer is for who the program is when it comes: what was taken from it meanwhile is gone.',
  mutant: 'programs-stay-as-they-came',
  async run(stage) {
    const scene = await stage.ownScene()
    const other = await scene.installation.start()
    /** What is told of a question during which something is changed. */
    async function during(word: string, change: (program: AskingProgram) => Promise<unknown>) {
      const program = await letIn(scene, { agents: ['assistant'], role: 'trusted', private: true })
      const gate = Promise.withResolvers<void>()
      stage.afterwards(() => gate.resolve())
      scene.plan(word, [
        async () => {
          await gate.promise
          return [{ name: 'list_notes', args: {} }]
        },
      ])
      const asked = program.ask(word, 'assistant').then((response) => response.text())
      await until(() => scene.shown(word) !== '', 20_000)
      await change(program)
      gate.resolve()
      return asked
    }
    const untouched = await during('waits-as-it-is', async () => undefined)
    const closed = await during('waits-and-is-closed', ({ name }) =>
      scene.gateway.client.changeProgram(name, { private: false }),
    )
    const rotated = await during('waits-and-is-rotated', ({ name }) => other.client.rotateProgram(name))
    const told = (text: string) => text.includes(answer)
    return {
      open: told(closed) || told(rotated),
      control: told(untouched) && closed.includes('something private') && rotated.includes('invalid_api_key'),
      saw: `closed to private answers it heard ${told(closed) ? 'one' : 'none'}, and by its old token ${told(rotated) ? 'one' : 'none'}`,
    }
  },
}
