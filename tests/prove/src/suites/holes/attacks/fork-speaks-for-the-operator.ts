/** The operator has `run fork` send the message of an automation again with effects, and it comes as their own words. */
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { fieldOf, runCommand } from '../command-line.ts'
import type { Scene } from '../stage.ts'

const trigger = { kind: 'cron', expression: '0 8 * * *', zone: 'UTC' } as const

export const attack: Attack = {
  name: 'fork-speaks-for-the-operator',
  promise: 'What is sent again in a fork stays the words of whoever said them.',
  mutant: 'forks-are-the-operators',
  async run(stage) {
    const scene = await stage.ownScene()
    const { installation, gateway } = scene
    const plan = [[{ name: 'write_file', args: { path: 'fork-words/Makefile', content: 'all:' } }]]
    scene.plan('fork-tick', plan)
    scene.plan('fork-own', plan)
    const { schedule } = await gateway.client.addSchedule({
      name: 'Forked',
      trigger,
      does: { kind: 'prompt', text: 'fork-tick' },
    })
    await gateway.client.runSchedule(schedule.id)
    const first = await runOf(scene, schedule.id)
    const own = await scene.run('fork-own')
    const forked = async (run: string) => {
      const { output } = await runCommand(['run', 'fork', run, '--no-simulate', '--json'], {
        environment: { COUNTERSIGN_HOME: installation.home },
        nodeArguments: stage.nodeArguments,
      })
      return whoAsked(scene, fieldOf(output, 'run'))
    }
    const whose = { automation: await forked(first), operator: await forked(own.id) }
    return {
      open: whose.automation === 'operator',
      control: whose.operator === 'operator' && (await whoAsked(scene, first)) === 'schedule',
      saw: `the message of an automation came from: ${whose.automation}; the operator's: ${whose.operator}`,
    }
  },
}

/** Who stands first on the card that the run waits with. */
async function whoAsked(scene: Scene, run: string): Promise<string> {
  const { approvals } = await scene.settled(run)
  return approvals.find(({ state }) => state === 'pending')?.card.chain[0]?.kind ?? 'nobody'
}

async function runOf({ gateway }: Scene, schedule: string): Promise<string> {
  let run: string | null = null
  await until(async () => {
    run = (await gateway.client.occurrences(schedule))[0]?.run ?? null
    return run !== null
  }, 30_000)
  if (run === null) throw new Error('The automation did not run.')
  return run
}
