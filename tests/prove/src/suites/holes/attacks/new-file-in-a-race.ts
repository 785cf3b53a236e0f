/** A file of the operator comes into being after the look and before a new document of the same name is put in place. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { probeBubblewrap } from '../../../../../../packages/executor/src/sandbox/bubblewrap.ts'
import { createFileAgent, type FileAgent } from '../../../../../../packages/executor/src/sandbox/files.ts'
import type { Attack } from '../attack.ts'

const content = Buffer.alloc(8_000_000, 'x')
const never = new AbortController().signal

export const attack: Attack = {
  name: 'new-file-in-a-race',
  promise: 'A new file never takes the place of one that came into being meanwhile.',
  mutant: 'new-files-replace',
  async run(stage) {
    const root = mkdtempSync(join(tmpdir(), 'new-file-race-'))
    stage.afterwards(() => rmSync(root, { recursive: true, force: true }))
    const workspace = join(root, 'workspace')
    mkdirSync(workspace)
    const probe = await probeBubblewrap({ workspace, hidden: [] })
    if (probe.kind === 'unavailable') throw new Error(probe.reason)
    const agent = createFileAgent({ sandbox: probe.sandbox })
    stage.afterwards(() => agent.close())
    const quiet = await agent.write('quiet.md', content, 'absent', never)
    let [tried, lost] = [0, 0]
    for (let trial = 0; tried < 3 && trial < 200; trial += 1) {
      const kept = await raced(agent, workspace, `${trial}.md`)
      if (kept === undefined) continue
      tried += 1
      if (!kept) lost += 1
    }
    return {
      open: lost > 0,
      control: quiet.kind === 'ok' && tried === 3,
      saw: `${lost} of ${tried} files that came first were lost`,
    }
  },
}

/** Whether the file that came first is still there; undefined where the document was faster. */
async function raced(agent: FileAgent, workspace: string, name: string): Promise<boolean | undefined> {
  const state = { ended: false }
  const writing = agent.write(name, content, 'absent', never).finally(() => {
    state.ended = true
  })
  let isFirst = false
  while (!state.ended && !isFirst) {
    await nextTurn()
    if (!readdirSync(workspace).some((entry) => entry.endsWith('.tmp'))) continue
    try {
      writeFileSync(join(workspace, name), 'mine', { flag: 'wx' })
      isFirst = true
    } catch {
      break
    }
  }
  await writing
  return isFirst ? readFileSync(join(workspace, name), 'utf8') === 'mine' : undefined
}
