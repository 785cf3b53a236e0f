/** A program leaves a question behind while it waits for all the answers that it may, and has it asked when nothing is left. */
import { until } from '../../../until.ts'
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

/** As many answers as a program may wait for. */
const waits = 32

export const attack: Attack = {
  name: 'program-keeps-questions-for-later',
  promise: 'A question begins within the limits of the moment at which it begins.',
  mutant: 'placed-questions-begin-any-time',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene, { limits: { messagesPerHour: 100 } })
    const gate = Promise.withResolvers<void>()
    stage.afterwards(() => gate.resolve())
    let begun = 0
    scene.plan('waits-long', [
      async () => {
        begun += 1
        await gate.promise
        return []
      },
    ])
    scene.plan('kept', [])
    const held: Promise<Response>[] = []
    for (let each = 0; each < waits; each += 1) {
      held.push(program.ask(`waits-long ${each}`))
      // Only a few may be under way of which no model has heard.
      await until(() => begun > each, 20_000)
    }
    const key = { 'idempotency-key': 'for later' }
    const keep = () =>
      program.post(
        '/chat/completions',
        { model: 'reception', messages: [{ role: 'user', content: 'kept' }] },
        key,
      )
    const refused = await keep()
    gate.resolve()
    const answered = await Promise.all(held)
    await scene.gateway.client.changeProgram(program.name, { limits: { dailyUsd: 0 } })
    const fresh = await program.ask('kept in other words')
    const later = await keep()
    return {
      open: later.ok,
      control: answered.every(({ ok }) => ok) && refused.status === 429 && fresh.status === 429,
      saw: `the question that was left behind was answered with ${later.status}`,
    }
  },
}
