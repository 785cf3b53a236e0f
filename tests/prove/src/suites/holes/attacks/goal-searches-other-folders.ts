/** A goal may touch one folder. Its agent finds what files of the others say by meaning, which names none of them. */
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'goal-searches-other-folders',
  promise: 'Work for a goal that may touch one folder does not search the files of the others.',
  mutant: 'files-are-found-anywhere',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const search = { name: 'semantic_search', args: { query: 'the diary', collection: 'files' } }
    scene.plan('meaning-goal', [[search]])
    scene.plan('meaning-free', [[search]])
    const outcomeOf = async (text: string, goal?: string) => {
      const sent = await client.send({
        key: crypto.randomUUID(),
        session: null,
        text,
        mode: 'auto',
        ...(goal === undefined ? {} : { goal }),
      })
      const { calls } = await settledRun(client, sent.run ?? '', 'either')
      return calls[0]?.outcome ?? 'not made'
    }
    const goal = await client.addGoal({ title: 'Hotels', limits: { folders: ['hotels'] } })
    const limited = await outcomeOf('meaning-goal', goal.goal.id)
    const free = await outcomeOf('meaning-free')
    return {
      open: limited === 'ok',
      control: free === 'ok',
      saw: `for the goal: ${limited}; without a goal: ${free}`,
    }
  },
}
