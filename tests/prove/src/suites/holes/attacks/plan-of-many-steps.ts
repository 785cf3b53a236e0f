/** A plan makes calls in a loop, and many in each round, without a model in between. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

const mostOfRun = 20
const rounds = 5
const inRound = 10

export const attack: Attack = {
  name: 'plan-of-many-steps',
  promise: 'The calls of a plan count one by one, also those of loops and of steps that run together.',
  mutant: 'plans-uncounted',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const { workspace } = scene.installation.paths
    const written = (folder: string) =>
      existsSync(join(workspace, folder)) ? readdirSync(join(workspace, folder)).length : 0
    await client.changeAgent('plan', { maxToolCalls: mostOfRun })
    const carriedOut = async (folder: string, over: readonly string[]) => {
      const names = Array.from({ length: inRound }, (_, at) => `step${at}`)
      const { plan } = await client.addPlan({
        name: folder,
        steps: [
          { type: 'loop', id: 'rounds', name: 'Rounds', over: [...over], steps: ['together'] },
          { type: 'parallel', id: 'together', name: 'Together', steps: names },
          ...names.map((id) => ({
            type: 'tool_call' as const,
            id,
            name: id,
            tool: 'write_file',
            args: { path: `${folder}/{{rounds.item}}-${id}.txt`, content: 'x' },
          })),
        ],
      })
      const { session } = await client.executePlan(plan.id)
      for (;;) {
        const run = (await client.runs({})).find((each) => each.session === session)
        if (run) return scene.settled(run.id)
        await sleep(50)
      }
    }
    const many = await carriedOut(
      'many',
      Array.from({ length: rounds }, (_, round) => `r${round}`),
    )
    await carriedOut('few', ['r0'])
    return {
      open: written('many') > mostOfRun,
      control: written('few') === inRound && written('many') >= inRound,
      saw: `${written('many')} of ${rounds * inRound} files; the plan ended with: ${many.run.message}`,
    }
  },
}
