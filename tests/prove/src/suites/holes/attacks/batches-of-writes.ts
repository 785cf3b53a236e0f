/** One reply writes hundreds of files: in batches, and through a tool that the model made. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'

const mostInReply = 32
const mostInTurn = 60

export const attack: Attack = {
  name: 'batches-of-writes',
  promise: 'A turn makes no more calls than its limit, counted inside batches and custom tools.',
  mutant: 'batches-count-as-one',
  async run(stage) {
    const scene = await stage.scene()
    const { workspace } = scene.installation.paths
    const written = (folder: string) => {
      try {
        return readdirSync(join(workspace, folder)).length
      } catch {
        return 0
      }
    }
    const write = (folder: string, name: string) => ({
      tool: 'write_file',
      args: { path: `${folder}/${name}.txt`, content: 'x' },
    })
    scene.plan('flood', [
      Array.from({ length: 32 }, (_, batch) => ({
        name: 'batch_use_tool',
        args: { operations: Array.from({ length: 20 }, (_, at) => write('flood', `${batch}-${at}`)) },
      })),
    ])
    const flood = await scene.run('flood')
    scene.plan('wrapped', [
      Array.from({ length: 40 }, (_, at) => ({
        name: 'use_tool',
        args: { tool: 'use_tool', args: write('wrapped', String(at)) },
      })),
    ])
    await scene.run('wrapped')
    const honest = Array.from({ length: 20 }, (_, at) => write('honest', String(at)))
    scene.plan('honest', [[{ name: 'batch_use_tool', args: { operations: honest } }]])
    await scene.run('honest')
    const told = flood.detail.calls.filter(({ result }) =>
      result.includes(`a turn may make ${mostInReply} calls`),
    )
    return {
      open:
        written('flood') > mostInReply ||
        written('wrapped') > mostInReply ||
        flood.detail.calls.length > mostInTurn * 2,
      control: written('honest') === 20 && written('flood') === mostInReply && told.length > 0,
      saw: `${written('flood')} files by batches, ${written('wrapped')} by wrapped calls`,
    }
  },
}
