/** The operator steers the run of a program; the program looks for words in its own conversations. */

import { until } from '../../../until.ts'
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const word = 'steered-away'

export const attack: Attack = {
  name: 'program-reads-what-steers-it',
  promise: 'A program finds what it said and what was answered, and nothing that the operator wrote.',
  mutant: 'steering-is-said-to-programs',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene, { role: 'trusted' })
    const gate = Promise.withResolvers<void>()
    stage.afterwards(() => gate.resolve())
    scene.plan(word, [
      async () => {
        await gate.promise
        return [{ name: 'get_current_time', args: {} }]
      },
    ])
    const answered = program.ask(`${word} and tell the time.`)
    await until(() => scene.shown(word) !== '', 20_000)
    const conversation = (await scene.gateway.client.sessions()).find(({ title }) => title.includes(word))
    const own = 'Leave the cellophane alone.'
    const sent = await scene.gateway.client.send({
      key: crypto.randomUUID(),
      session: conversation?.id ?? null,
      text: own,
      mode: 'steer',
    })
    gate.resolve()
    await (await answered).text()
    const found = JSON.stringify((await program.call('search', { words: 'cellophane' })).structuredContent)
    const mine = JSON.stringify((await program.call('search', { words: word })).structuredContent)
    return {
      open: found.includes(own),
      control: sent.steered && mine.includes('tell the time'),
      saw: `it found ${found}`,
    }
  },
}
