/** Owns a repository with two branches beside `main`: that of a stranger, with tasks of an editor, and a plain one. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openBench } from '../exec/bench.ts'
import { freeWriter } from '../exec/free-writes.ts'
import { openHostEyes } from '../exec/host-eyes.ts'
import type { Stage } from './stage.ts'

/** What the stranger's tasks leave behind when a program of the host runs them. */
const mark = 'checked out'

export async function openBranches(stage: Stage) {
  const bench = await openBench()
  stage.afterwards(() => bench.close())
  const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
  const writer = freeWriter(bench)
  const branch = (name: string, path: string, text: string) => {
    const file = join(bench.repository, path)
    bench.git(['checkout', '-q', '-b', name, 'main'])
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    bench.git(['add', '.'])
    bench.git(['commit', '-q', '-m', name])
    bench.git(['checkout', '-q', 'main'])
  }
  branch('stranger', '.vscode/tasks.json', eyes.payload('tasks.json', mark))
  branch('plain', 'notes/more.txt', 'More.')
  return {
    git: bench.git,
    /** Whether the call was made without a question. */
    call: (tool: string, args: Parameters<typeof writer.call>[1]) =>
      writer.call(tool, { path: 'repository', ...args }),
    /** Whether programs of the host that look there have run the stranger's tasks, now or before. */
    areTasksRun() {
      eyes.look(bench.repository)
      return eyes.isMarked(mark)
    },
  }
}
