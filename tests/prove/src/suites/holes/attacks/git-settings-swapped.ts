/** The settings of a repository are exchanged while a call that only looks is under way, for some that name a program. */
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
    const { workspace, executor } = scene.house.paths
    const repository = join(workspace, 'swapped')
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' })
    execFileSync('git', ['init', '-q', '-b', 'main', repository], { stdio: 'pipe' })
    writeFileSync(join(repository, '.gitattributes'), '* filter=evil\n')
    writeFileSync(join(repository, 'notes.txt'), 'one\n')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one')
    writeFileSync(join(repository, 'notes.txt'), 'two\n')
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
      const stop = whenSealed(executor, 'swapped/.git/config', () =>
        put(`${before}[filter "evil"]\n\tclean = "echo ${canary} >&2; false"\n\trequired = true\n`),
      )
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
