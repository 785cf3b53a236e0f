/** Tools that the model made ask for a hundred calls in one turn. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'

/** All calls of a turn, with the programs themselves. */
const mostInTurn = 60

export const attack: Attack = {
  name: 'programs-call-without-end',
  promise: 'Calls of custom tools count one by one in the turn that they belong to.',
  mutant: 'programs-uncounted',
  async run(stage) {
    const scene = await stage.scene()
    const folder = join(scene.installation.paths.workspace, 'much')
    scene.plan('make', [
      [
        {
          name: 'create_tool',
          args: {
            name: 'much',
            description: 'Writes twenty files.',
            parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
            code: `await Promise.all(Array.from({ length: 20 }, (_, i) =>
                utils.callTool('write_file', { path: 'much/' + args.at + '-' + i, content: 'x' })))
              return { done: true }`,
            permissions: ['filesystem'],
          },
        },
      ],
    ])
    let made = await scene.run('make')
    while (made.detail.run.state === 'parked') made = await scene.approve(made)
    scene.plan('much', [Array.from({ length: 5 }, (_, at) => ({ name: 'much', args: { at: String(at) } }))])
    const much = await scene.run('much')
    const written = existsSync(folder) ? readdirSync(folder).length : 0
    return {
      open: written >= mostInTurn,
      control: written >= 20,
      saw: `${written} files; ${much.detail.calls.filter(({ summary }) => summary.includes('too many calls')).length} programs were refused`,
    }
  },
}
