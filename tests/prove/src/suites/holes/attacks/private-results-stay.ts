/** Whoever has the files of the executor looks for what calls of a private conversation brought. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settledRun } from '@countersign/harness'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'

const word = 'whimbrel'

export const attack: Attack = {
  name: 'private-results-stay',
  promise: 'What calls of a private conversation brought is in no file of ours when it is over.',
  mutant: 'results-are-kept-open',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const { workspace, executor, state } = scene.installation.paths
    writeFileSync(join(workspace, 'sighting.txt'), `A ${word}, at the pond.`)
    scene.plan('sighting', [[{ name: 'read_file', args: { path: 'sighting.txt' } }]])
    const sent = await client.send({
      key: crypto.randomUUID(),
      session: null,
      text: 'sighting',
      mode: 'auto',
      private: true,
    })
    const { calls } = await settledRun(client, sent.run ?? '', 'stopped')
    await client.removeSession(sent.session)
    const isGone = await until(
      async () => !(await client.sessions()).some(({ id }) => id === sent.session),
      30_000,
    )
    const holding = [executor, state].flatMap((folder) =>
      filesIn(folder).filter((file) => readFileSync(file, 'latin1').includes(word)),
    )
    return {
      open: holding.length > 0,
      control: isGone && calls[0]?.result.includes(word) === true,
      saw: holding.length === 0 ? 'no file holds it' : `held by ${holding.join(', ')}`,
    }
  },
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
