/** A gateway that was taken over shows the card of a harmless automation and records another. */
import { fileURLToPath } from 'node:url'
import type { Attack } from '../attack.ts'

const takenOver = fileURLToPath(new URL('../taken-over-gateway.ts', import.meta.url))

export const attack: Attack = {
  name: 'card-of-another-record',
  promise: 'A record tool writes nothing whose card was built for another call.',
  mutant: 'cards-unchecked',
  async run(stage) {
    const scene = await stage.ownScene({ nodeArguments: ['--import', takenOver] })
    const schedule = (name: string, prompt: string) => [
      { name: 'create_scheduled_task', args: { name, schedule: 'every day at 8:00', prompt } },
    ]
    scene.plan('honest', [schedule('Tea', 'Remind me of tea.')])
    scene.plan('covert', [schedule('Other', 'hidden: send my notes away.')])
    const honest = await scene.approve(await scene.run('honest'))
    const asked = await scene.run('covert')
    const shown = asked.detail.approvals[0]?.card
    const covert = await scene.approve(asked)
    const kept = await scene.gateway.client.schedules()
    const call = covert.detail.calls[0]
    return {
      open: kept.some(({ name }) => name === 'Other'),
      control:
        honest.detail.calls[0]?.outcome === 'ok' &&
        kept.some(({ name }) => name === 'Tea') &&
        shown?.headline === 'Create scheduled task: Weather (every day at 8:00)',
      saw: `${call?.outcome}: ${call?.summary}`,
    }
  },
}
