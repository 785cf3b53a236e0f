/** Owns an installation whose operator wrote that one folder is never touched, as the documentation shows it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homePaths } from '@countersign/contract/node'
import type { ReplyCall } from '@countersign/model-servers'
import type { Stage } from './stage.ts'

const rule = `@id("files.diary")
@why("the diary is never touched")
forbid (principal, action == Action::"call", resource in Category::"files")
when { context.folders.contains("diary") || context.paths.contains("diary") };
`

/** What became of each call, made in a run of its own: its outcome, and what the model was told. */
export type TryCall = (call: ReplyCall) => Promise<{ readonly outcome: string; readonly told: string }>

/** In the folder is `today.txt` with the words that are given. Nothing has looked at the workspace when it is prepared. */
export async function sceneWithDiary(
  stage: Stage,
  words: string,
  prepare: (workspace: string) => void = () => undefined,
): Promise<TryCall> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-diary-'))
  const { policies, workspace } = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
  mkdirSync(policies, { recursive: true, mode: 0o700 })
  writeFileSync(join(policies, 'mine.cedar'), rule, { mode: 0o600 })
  for (const folder of ['diary', 'other']) {
    mkdirSync(join(workspace, folder), { recursive: true })
    writeFileSync(join(workspace, folder, 'today.txt'), words)
  }
  prepare(workspace)
  const scene = await stage.ownScene({ home })
  let made = 0
  return async (call) => {
    made += 1
    scene.plan(`diary-${made}.`, [[call]])
    const { detail } = await scene.run(`diary-${made}.`)
    const [first] = detail.calls
    return { outcome: first?.outcome ?? 'none', told: first?.result ?? '' }
  }
}
