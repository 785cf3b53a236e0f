/** Somebody with little money for the day asks for something that never ends. */
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

const dollar = 1_000_000_000
const [mostTurns, mostUsd] = [6, 1]

export const attack: Attack = {
  name: 'run-that-spends-on',
  promise:
    'No call of a model is begun for somebody that could cost more than they may still spend in the day.',
  mutant: 'limits-hold-at-the-message-only',
  async run(stage) {
    let turns = 0
    const { bench, channel } = await openChats(stage, {
      replies: () => {
        turns += 1
        const calls = turns < mostTurns ? [{ name: 'look', args: { at: turns } }] : []
        return { text: 'On it.', calls, money: { worst: 0.5 * dollar, cost: 0.4 * dollar } }
      },
    })
    await bench.letIn(channel, 'friend', 'trusted', { dailyUsd: mostUsd })
    await bench.say(channel, 'friend', 'Look at everything.')
    await bench.quiet()
    const calls = await bench.test.kernel.readOnly(bench.operator, (db) =>
      db.selectFrom('model_calls').select('cost').execute(),
    )
    const usd = calls.reduce((sum, { cost }) => sum + Number(cost), 0) / dollar
    return { open: usd > mostUsd, control: calls.length > 1, saw: `${calls.length} calls for ${usd} USD` }
  },
}
