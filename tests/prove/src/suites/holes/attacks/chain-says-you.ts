/** An automation, a helper and a tool that a model made ask for a write, and the card says that the operator did. */
import type { ApprovalView, ChainLink } from '@countersign/contract'
import type { Attack } from '../attack.ts'
import type { Scene } from '../stage.ts'

const task = '<task>\n<title>errand</title>\n<instructions>\ngo\n</instructions>\n</task>'
const command = (text: string) => ({
  name: 'write_file',
  args: { path: `${text}/Makefile`, content: 'all:' },
})
const made = {
  name: 'create_tool',
  args: {
    name: 'say_it',
    description: 'Says it.',
    parameters: { type: 'object', properties: {} },
    code: "return await utils.callTool('write_file', { path: 'by-a-tool/Makefile', content: 'all:' })",
    permissions: ['filesystem'],
  },
}

export const attack: Attack = {
  name: 'chain-says-you',
  promise: 'A card says who really asked: an automation, a helper, a batch, a tool that was made.',
  mutant: 'chain-constant',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    scene.plan('mine', [[command('by-the-operator')]])
    scene.plan('tick', [[command('by-a-schedule')]])
    scene.plan('delegate', [[{ name: 'start_agent_task', args: { title: 'errand', instructions: 'go' } }]])
    scene.plan(task, [[command('by-a-task')]])
    const inner = command('by-a-batch')
    const operations = [{ tool: inner.name, args: inner.args }]
    scene.plan('several', [[{ name: 'batch_use_tool', args: { operations } }]])
    scene.plan('make', [[made]])
    scene.plan('use', [[{ name: 'say_it', args: {} }]])

    await scene.run('mine')
    const trigger = { kind: 'cron', expression: '0 8 * * *', zone: 'UTC' } as const
    const { schedule } = await client.addSchedule({
      name: 'Morning',
      trigger,
      does: { kind: 'prompt', text: 'tick' },
    })
    await client.runSchedule(schedule.id)
    await scene.run('delegate')
    await scene.run('several')
    const waiting = await scene.run('make')
    await scene.approve(waiting)
    await scene.run('use')

    const own = await chainOf(scene, 'by-the-operator')
    const wanted: Record<string, readonly ChainLink['kind'][]> = {
      'by-a-schedule': ['schedule', 'trigger', 'agent'],
      'by-a-task': ['operator', 'agent', 'task', 'agent'],
      'by-a-batch': ['operator', 'agent', 'run', 'batch'],
      'by-a-tool': ['operator', 'agent', 'run', 'custom'],
    }
    const wrong: string[] = []
    for (const [text, kinds] of Object.entries(wanted)) {
      const chain = (await chainOf(scene, text)).map(({ kind }) => kind)
      if (chain.slice(0, kinds.length).join() !== kinds.join()) wrong.push(`${text}: ${chain.join()}`)
    }
    return {
      open: wrong.length > 0,
      control: own.map(({ kind }) => kind).join() === 'operator,agent,run,tool',
      saw: wrong.length === 0 ? 'every card names who asked' : wrong.join('; '),
    }
  },
}

/** Of the card that waits for this command. */
async function chainOf(scene: Scene, text: string): Promise<ApprovalView['card']['chain']> {
  const until = Date.now() + 60_000
  for (;;) {
    const waiting = await scene.gateway.client.approvals({ state: 'pending' })
    const found = waiting.find(({ card }) => card.tool === 'write_file' && card.args.includes(text))
    if (found) return found.card.chain
    if (Date.now() > until) throw new Error(`Nobody asked for ${text}.`)
    await new Promise((resume) => setTimeout(resume, 50))
  }
}
