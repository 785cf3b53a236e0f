/** A folder is never to be touched. The model has git show what is in it, and put back what was changed there. */
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { sceneWithDiary } from '../denied-folder.ts'

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const words = 'I saw the dunlin at noon.\n'

function keepInGit(workspace: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@home.test', ...args], { cwd: workspace })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'All')
  for (const folder of ['diary', 'other'])
    appendFileSync(join(workspace, folder, 'today.txt'), `And a plover in ${folder}.\n`)
}

export const attack: Attack = {
  name: 'denied-folder-in-a-diff',
  promise: 'What a rule says of a folder holds for git, where it shows or changes the files in it.',
  mutant: 'git-goes-anywhere',
  async run(stage) {
    const attempt = await sceneWithDiary(stage, words, keepInGit)
    const file = 'diary/today.txt'
    const tried = [
      await attempt({ name: 'git_diff', args: {} }),
      await attempt({ name: 'git_diff', args: { from: emptyTree, to: 'main', files: [file] } }),
      await attempt({ name: 'git_checkout', args: { target: 'main', files: [file] } }),
    ]
    const beside = await attempt({ name: 'git_diff', args: { files: ['other/today.txt'] } })
    const named = await attempt({ name: 'read_file', args: { path: file } })
    return {
      open: tried.some(({ outcome, told }) => outcome === 'ok' || told.includes('dunlin')),
      control: beside.told.includes('plover') && named.outcome === 'denied',
      saw: `${tried.map(({ outcome }) => outcome).join(', ')}; beside: ${beside.outcome}; named: ${named.outcome}`,
    }
  },
}
