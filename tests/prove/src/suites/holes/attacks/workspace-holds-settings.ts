/** The workspace is the folder of the settings, so a free write changes policy and autonomy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'workspace-holds-settings',
  promise: 'A workspace that holds, or lies in, a folder of the product is refused with the reason.',
  mutant: 'workspace-anywhere',
  async run(stage) {
    const home = mkdtempSync(join(tmpdir(), 'countersign-holes-'))
    stage.afterwards(() => rmSync(home, { recursive: true, force: true }))
    const environment = { COUNTERSIGN_WORKSPACE: join(home, 'config') }
    try {
      const scene = await stage.ownScene({ home, environment })
      scene.plan('settings', [
        [{ name: 'write_file', args: { path: 'config.json', content: '{"autonomy":"full"}' } }],
      ])
      const { detail } = await scene.run('settings')
      const [call] = detail.calls
      return {
        open: call?.outcome === 'ok',
        control: true,
        saw: `it started, and the write was ${call?.outcome}`,
      }
    } catch (error) {
      const saw = error instanceof Error ? error.message : String(error)
      return { open: false, control: saw.includes('belongs to Countersign'), saw }
    }
  },
}
