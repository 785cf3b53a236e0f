/**
 * What the view adds to the sandbox: the same command on the workspace itself and over a view of it, one of each in
 * turn, on a tree of ten thousand files. Once a command that writes nothing, once one that writes one file, which is
 * listed, kept and taken over.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openView, type ViewedWorkspace } from '@countersign/executor/view'
import type { BenchOptions, BenchResult } from '../bench.ts'
import { median, rounded, timed } from '../sample.ts'

const files = 10_000

export async function measureView({ small, note }: BenchOptions): Promise<BenchResult> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-view-')))
  try {
    const view = await openView(folder)
    for (let index = 0; index < files; index += 1) {
      const place = join(view.workspace, `d${index % 100}`)
      if (index < 100) mkdirSync(place)
      writeFileSync(join(place, `f${index}`), `${index}`)
    }
    const looks = await compared(view, 'cat d1/f1 > /dev/null', small ? 15 : 60)
    const writes = await compared(view, 'date +%N > d1/f1', small ? 15 : 60)
    note(
      `tools: view ${rounded(looks.more)} ms more (ratio ${rounded(looks.ratio)}), with a write ${rounded(writes.more)} ms more (ratio ${rounded(writes.ratio)})`,
    )
    return {
      figures: {
        viewMoreMs: rounded(looks.more),
        viewRatio: rounded(looks.ratio),
        viewWriteMoreMs: rounded(writes.more),
        viewWriteRatio: rounded(writes.ratio),
      },
      goals: [{ name: 'viewMoreMs', value: looks.more, kind: 'time', limit: { atMost: 50 } }],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compared(view: ViewedWorkspace, command: string, rounds: number) {
  const pairs: { bare: number; viewed: number }[] = []
  for (let round = 0; round < rounds + 3; round += 1) {
    const bare = await timed(() => view.bare(command))
    let id: string | null = null
    const viewed = await timed(async () => {
      const { result, taken } = await view.run(command)
      if (result.kind !== 'exited' || result.code !== 0) throw new Error(result.stderr)
      id = taken.id
    })
    if (id !== null) await view.kept.drop(id)
    if (round >= 3) pairs.push({ bare, viewed })
  }
  return {
    more: median(pairs.map(({ bare, viewed }) => viewed - bare)),
    ratio: median(pairs.map(({ bare, viewed }) => viewed / bare)),
  }
}
