/** Owns an installation whose operator wrote that the assistant never writes one file, and the ways to have others do it. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { taskText } from '@countersign/contract'
import { homePaths } from '@countersign/contract/node'
import type { PlayedRun, RunPlan, Stage } from './stage.ts'

const rule = `@id("agents.assistant")
@why("the assistant leaves the diary alone")
forbid (principal, action == Action::"call", resource == Tool::"write_file")
when { context.agent == "assistant" && context.paths.contains("diary.txt") };
`

/** The file that is forbidden, and one that is not. */
export const files = ['diary.txt', 'other.txt'] as const

/** Whether the file is there after the assistant had it written in this way. */
export interface HandingOn {
  byItself(path: string): Promise<boolean>
  byTask(path: string): Promise<boolean>
  byPlan(path: string): Promise<boolean>
  bySchedule(path: string): Promise<boolean>
}

export async function sceneOfHandingOn(stage: Stage): Promise<HandingOn> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-handed-on-'))
  const { policies, workspace } = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
  mkdirSync(policies, { recursive: true, mode: 0o700 })
  writeFileSync(join(policies, 'mine.cedar'), rule, { mode: 0o600 })
  const scene = await stage.ownScene({ home })
  const { client } = scene.gateway
  const seen = new Set<string>()
  let made = 0

  /** Words that begin no other message. */
  const word = () => `handing-${(made += 1)}`

  async function play(turns: RunPlan): Promise<PlayedRun> {
    const text = word()
    scene.plan(text, turns)
    const run = await scene.run(text)
    return run.detail.run.state === 'parked' ? scene.approve(run) : run
  }

  /** A run of this agent that was not there before has come to its end. */
  async function until(agent: string): Promise<void> {
    for (;;) {
      const run = (await client.runs({})).find((each) => each.agent === agent && !seen.has(each.id))
      if (run) {
        seen.add(run.id)
        await scene.settled(run.id)
        return
      }
      await sleep(50)
    }
  }

  const write = (path: string) => ({ name: 'write_file', args: { path, content: 'written' } })
  const isThere = (path: string) => existsSync(join(workspace, path))
  const planning = (path: string) => {
    const { name: tool, args } = write(path)
    const steps = [{ type: 'tool_call', id: 'out', name: 'Out', tool, args }]
    return [{ name: 'create_plan', args: { name: word(), steps } }]
  }

  return {
    async byItself(path) {
      await play([[write(path)]])
      return isThere(path)
    },
    async byTask(path) {
      const task = { title: word(), instructions: 'go' }
      scene.plan(taskText(task), [[write(path)]])
      await play([[{ name: 'start_agent_task', args: task }]])
      await until('task')
      return isThere(path)
    },
    async byPlan(path) {
      await play([
        planning(path),
        ([planned]) => [{ name: 'execute_plan', args: { planId: planIn(planned) } }],
      ])
      await until('plan')
      return isThere(path)
    },
    async bySchedule(path) {
      const yearly = { name: word(), schedule: '0 3 1 1 *' }
      await play([
        planning(path),
        ([planned]) => [{ name: 'create_scheduled_task', args: { ...yearly, planId: planIn(planned) } }],
      ])
      const schedule = (await client.schedules()).find(({ name }) => name === yearly.name)
      if (!schedule) throw new Error('There is no schedule.')
      await client.runSchedule(schedule.id)
      await until('plan')
      return isThere(path)
    },
  }
}

function planIn(planned: readonly string[] | undefined): string {
  return /plan_\w+/.exec(planned?.[0] ?? '')?.[0] ?? ''
}
