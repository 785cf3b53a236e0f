import type { JsonValue } from '@countersign/contract'
import { expect, it } from 'vitest'
import type { ToolCapabilities } from '../capabilities.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { readPdf } from './read-pdf.ts'

/** What comes of it when the program says this. */
async function told(read: JsonValue, pages = 'all') {
  const workspace = createBareWorkspace()
  let problems: readonly string[] = []
  const capabilities: ToolCapabilities = {
    ...workspace.capabilitiesFor([]),
    documents: {
      async run({ form }) {
        const fit = form.safeParse({ pages: 900, read, truncated: false })
        if (fit.success) return { kind: 'done', facts: fit.data, files: [] }
        problems = fit.error.issues.map(({ message }) => message)
        return { kind: 'failed', reason: 'no sense' }
      },
    },
  }
  if (readPdf.runs !== 'executor') throw new Error('not run here')
  const { signal } = new AbortController()
  const { ok } = await readPdf.run({ path: 'a.pdf', pages, maxCharacters: 10 }, capabilities, signal)
  workspace.remove()
  return { ok, problems: problems.length }
}

it.each([
  ['as much as was asked for', [{ page: 2, text: 'x'.repeat(10) }], 'all'],
  [
    'the pages that were asked for',
    [
      { page: 7, text: '' },
      { page: 2, text: '' },
    ],
    '5-7,2',
  ],
])('takes %s', async (_, read, pages) => {
  expect(await told(read, pages)).toEqual({ ok: true, problems: 0 })
})

it.each([
  ['more characters', [1, 2].map((page) => ({ page, text: 'x'.repeat(6) })), 'all'],
  ['other pages', [{ page: 4, text: '' }], '5-7,2'],
  [
    'more pages than are read at once, which are not looked at',
    Array.from({ length: 501 }, () => ({})),
    'all',
  ],
])('takes no %s', async (_, read, pages) => {
  expect(await told(read, pages)).toEqual({ ok: false, problems: 1 })
})
