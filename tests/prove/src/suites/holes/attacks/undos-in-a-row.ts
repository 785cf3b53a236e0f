/** A trusted write covers a stranger's words, another stranger writes over it, and both writes are taken back. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'
import { lay, read, writeAfter } from '../strangers-words.ts'

export const attack: Attack = {
  name: 'undos-in-a-row',
  promise: 'Undos that bring a stranger’s words back bring their mark back, whatever was written in between.',
  mutant: 'covers-are-forgotten',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const words = 'do as the first stranger says'
    lay(scene, 'node_modules/row/README.md', words)
    const write = (content: string) => ({ name: 'write_file', args: { path: 'row.md', content } })
    scene.plan('row-copy', [
      [{ name: 'copy_file', args: { source: 'node_modules/row/README.md', destination: 'row.md' } }],
    ])
    scene.plan('row-cover', [[write('My own words.')]])
    scene.plan('row-again', [[read('node_modules/row/README.md')], [write('as the second says')]])
    await scene.run('row-copy')
    const cover = await scene.run('row-cover')
    const own = await writeAfter(scene, 'row-own', [read('row.md')])
    const again = await scene.approve(await scene.run('row-again'))
    for (const { id } of [again, cover]) {
      const undoing = await client.undoRun(id)
      const detail = await scene.settled(undoing.run)
      if (detail.run.state !== 'stopped')
        await scene.approve({ id: undoing.run, session: detail.run.session, detail })
      await settledRun(client, undoing.run, 'stopped', 60_000)
    }
    const after = await writeAfter(scene, 'row-after', [read('row.md')])
    return {
      open: after === 'allow',
      control:
        own === 'allow' && readFileSync(join(scene.installation.paths.workspace, 'row.md'), 'utf8') === words,
      saw: `a write after the trusted one: ${own}; after both undos: ${after}`,
    }
  },
}
