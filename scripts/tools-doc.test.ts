import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtinTools } from '../packages/tools/src/index.ts'
import { toolsDoc, toolsDocDifferences } from './tools-doc.ts'
import { repository } from './workspace.ts'

const page = toolsDoc()

it('has one row for every tool that is offered and none for a hidden one', () => {
  for (const { name, hidden } of builtinTools) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`))
    expect(rows.length, name).toBe(hidden ? 0 : 1)
  }
})

it('tells the first sentence, the tier, the undo and the arguments of a tool', () => {
  expect(page).toContain(
    '| `write_file` | Write a text file in the workspace, replacing it if it exists. | T1 Undoable | `idempotent` | yes | `path`, `content` |',
  )
  expect(page).toMatch(/`git`: Version control of the workspace\. Off until you switch it on\. Needs git\./)
})

it('agrees with itself and names what differs', () => {
  expect(toolsDocDifferences(page, page)).toEqual([])
  const gone = page.replace(/^\| `add_task` .*\n/m, '')
  expect(toolsDocDifferences(gone, page)[0]).toBe('docs/tools.md has no row for add_task.')
  const old = page.replace('| Delete a note. |', '| Delete notes. |')
  expect(toolsDocDifferences(old, page)[0]).toMatch(/the row of delete_note/)
  const extra = page.replace(/^\| `add_task` /m, '| `add_chore` | x |\n$&')
  expect(toolsDocDifferences(extra, page)[0]).toBe('docs/tools.md lists add_chore, which is no tool.')
  expect(toolsDocDifferences(`${page}\n`, page)[0]).toBe('docs/tools.md differs.')
})

it('is what stands in the repository', () => {
  expect(toolsDocDifferences(readFileSync(join(repository, 'docs/tools.md'), 'utf8'), page)).toEqual([])
})
