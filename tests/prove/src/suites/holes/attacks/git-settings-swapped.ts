/** The settings of a repository are exchanged while a call that only looks is under way, for some that name a program. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filterSaying, makeFilteredRepository } from '../../drift/filtered-repository.ts'
import type { Attack } from '../attack.ts'
import { whenSealed } from '../sealed-copy.ts'

const canary = 'a-program-ran'
const most = 3

export const attack: Attack = {
  name: 'git-settings-swapped',
  promise: 'A look at a repository runs no program, whatever its settings say by then.',
  mutant: 'bytes-not-used',
  async run(stage) {
    const scene = await stage.scene()
    const { workspace, executor } = scene.installation.paths
    const repository = join(workspace, 'swapped')
    makeFilteredRepository(repository)
    const settings = join(repository, '.git', 'config')
    const before = readFileSync(settings, 'utf8')
    const put = (text: string) => {
      writeFileSync(`${settings}.new`, text)
      renameSync(`${settings}.new`, settings)
    }
    scene.plan('look', [[{ name: 'git_status', args: { path: 'swapped' } }]])
    const seen: string[] = []
    let swaps = 0
    for (let round = 0; round < most && !seen.some((text) => text.includes(canary)); round += 1) {
      put(before)
      const stop = whenSealed(executor, 'swapped/.git/config', () => put(`${before}${filterSaying(canary)}`))
      stage.afterwards(stop)
      const { detail } = await scene.run(`look ${round}`)
      seen.push(JSON.stringify(detail.calls))
      if (stop()) swaps += 1
    }
    return {
      open: seen.some((text) => text.includes(canary)),
      control: swaps > 0 && seen.some((text) => text.includes('"outcome":"ok"')),
      saw: `${swaps} swaps in ${seen.length} calls`,
    }
  },
}
