/** The operator removes an agent with a folder of its own while it works. Its next call goes to another folder. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { mainCommand } from '../command-line.ts'

export const attack: Attack = {
  name: 'agent-removed-while-it-works',
  promise: 'An agent that is removed while it works does not leave its folder.',
  mutant: 'removed-agents-go-anywhere',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const { home, paths } = scene.installation
    const { agent } = await client.addAgent({ name: 'Clerk', systemPrompt: 'You file.', folder: 'desk' })
    const write = (path: string) => [{ name: 'write_file', args: { path, content: 'x' } }]
    scene.plan('file', [
      write('desk/first.txt'),
      () => {
        const env = { PATH: process.env['PATH'], COUNTERSIGN_HOME: home }
        execFileSync(process.execPath, [mainCommand, 'agent', 'rm', agent.id], { env })
        return write('elsewhere.txt')
      },
    ])
    const message = { key: crypto.randomUUID(), session: null, text: 'file', mode: 'auto' as const }
    const sent = await client.send({ ...message, agent: agent.id })
    await scene.settled(sent.run ?? '')
    const isThere = (path: string) => existsSync(join(paths.workspace, path))
    const isGone = !(await client.agents()).some(({ id }) => id === agent.id)
    return {
      open: isThere('elsewhere.txt'),
      control: isThere('desk/first.txt') && isGone,
      saw: `in its folder: ${isThere('desk/first.txt')}; elsewhere: ${isThere('elsewhere.txt')}; removed: ${isGone}`,
    }
  },
}
