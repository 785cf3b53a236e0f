/** A model has the words of a private conversation worked on where they are kept: by an automation, or by a coding agent. */
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'

const calls = [
  {
    name: 'create_scheduled_task',
    args: { name: 'Later', schedule: 'every weekday 8:00', prompt: 'Find the sanderling' },
  },
  { name: 'update_scheduled_task', args: { taskId: 'sch_1', prompt: 'Find the sanderling' } },
  { name: 'trigger_task', args: { taskId: 'sch_1' } },
  { name: 'run_coding_task', args: { provider: 'codex', prompt: 'Find the sanderling' } },
] as const

export const attack: Attack = {
  name: 'private-words-work-elsewhere',
  promise: 'A private conversation begins no work whose words are kept elsewhere, at once or later.',
  mutant: 'private-runs-work-elsewhere',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    scene.plan('sanderling', [calls])
    const refusals = async (isPrivate: boolean) => {
      const sent = await client.send({
        key: crypto.randomUUID(),
        session: null,
        text: 'sanderling',
        mode: 'auto',
        ...(isPrivate ? { private: true } : {}),
      })
      const settled = await settledRun(client, sent.run ?? '', 'either')
      return settled.calls.map(({ summary }) => summary.startsWith('In a private conversation there is no'))
    }
    const refused = await refusals(true)
    const usual = await refusals(false)
    return {
      open: refused.includes(false),
      control: refused.length === calls.length && !usual.includes(true),
      saw: `refused in a private conversation: ${refused.join(', ')}; in another: ${usual.join(', ')}`,
    }
  },
}
