/** Reads the text of a PDF document of the workspace. It is opened in the sandbox; nothing that is in it is run. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'

const mostPages = 500
const Page = z.object({ page: z.int().min(1), text: z.string() })

/** No more than was asked for. They are counted before they are looked at. */
function factsFor(wish: string, maxCharacters: number) {
  return z.object({
    pages: z.int().min(0),
    read: z
      .array(z.unknown())
      .max(mostPages)
      .pipe(z.array(Page))
      .refine((read) => read.every(({ page }) => isWished(wish, page)))
      .refine((read) => read.reduce((sum, { text }) => sum + text.length, 0) <= maxCharacters),
    truncated: z.boolean(),
  })
}

function isWished(wish: string, page: number): boolean {
  if (wish === 'all') return true
  return wish.split(',').some((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return page >= first && page <= last
  })
}

export const readPdf = defineTool({
  name: 'read_pdf',
  version: '1',
  description:
    'Read the text of a PDF file, page by page. A scan has no text. Pages: "all", "3", "1-5" or "1,3,7-9".',
  input: z.strictObject({
    path: pathText,
    pages: z
      .string()
      .max(200)
      .regex(/^(?:all|[1-9]\d{0,5}(?:-[1-9]\d{0,5})?(?:,[1-9]\d{0,5}(?:-[1-9]\d{0,5})?)*)$/)
      .default('all'),
    maxCharacters: z.int().min(1).max(500_000).default(100_000),
  }),
  category: 'pdf',
  group: 'pdf',
  tags: ['document', 'extract text', 'invoice', 'contract', 'paper', 'open pdf', 'what does the pdf say'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  describe: ({ path, pages }) => (pages === 'all' ? `Read ${path}` : `Read ${path}, pages ${pages}`),
  preview: ({ path, pages }) => ({ kind: 'text', title: 'Read PDF', text: `${path}\npages: ${pages}` }),
  async effects({ path }, inspect) {
    const found = await findDocument(path, inspect)
    if (found.kind !== 'found') return found
    return { kind: 'found', resources: [found.resource], effects: [found.effect] }
  },
  async run({ path, pages, maxCharacters }, capabilities, signal) {
    const job = { program: 'pdf', op: 'read', pages, maxCharacters } as const
    const form = factsFor(pages, maxCharacters)
    const opened = await openDocument(capabilities, { path, job, form }, signal)
    if (opened.kind === 'failed') return failed(opened.reason)
    const { pages: count, read, truncated } = opened.facts
    const text = read.map((each) => `[page ${each.page} of ${count}]\n${each.text}`).join('\n\n')
    const hasText = read.some((each) => each.text !== '')
    const last = read.at(-1)?.page ?? 0
    const notes = [
      ...(hasText ? [] : ['[There is no text on these pages. They may be pictures, as a scan is.]']),
      ...(truncated ? [`[There is more. Ask for the pages from ${last} on.]`] : []),
    ]
    return succeeded(
      [text, ...notes].join('\n\n'),
      `Read ${read.length} of ${count} ${count === 1 ? 'page' : 'pages'} of ${path}`,
    )
  },
})
