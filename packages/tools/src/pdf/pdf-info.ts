/** Says what a PDF document of the workspace says of itself: pages, title, author, dates, and what is in it. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'

const field = z.string().max(1_000).nullable()

const Facts = z.strictObject({
  pages: z.int().min(0),
  version: field,
  title: field,
  author: field,
  subject: field,
  keywords: field,
  creator: field,
  producer: field,
  created: field,
  modified: field,
  /** In points: 72 to the inch. */
  pageWidth: z.number(),
  pageHeight: z.number(),
  encrypted: z.boolean(),
  form: z.boolean(),
  signed: z.boolean(),
  attachments: z.int().min(0),
  programs: z.boolean(),
})

export const pdfInfo = defineTool({
  name: 'pdf_info',
  version: '1',
  description:
    'Say how many pages a PDF file has, its title, author and dates, and whether it holds forms or files.',
  input: z.strictObject({ path: pathText }),
  category: 'pdf',
  group: 'pdf',
  tags: ['metadata', 'pages', 'page count', 'how many pages', 'author', 'properties', 'document'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  describe: ({ path }) => `Look at the properties of ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'PDF properties', text: path }),
  async effects({ path }, inspect) {
    const found = await findDocument(path, inspect)
    if (found.kind !== 'found') return found
    return { kind: 'found', resources: [found.resource], effects: [found.effect] }
  },
  async run({ path }, capabilities, signal) {
    const job = { program: 'pdf', op: 'info' } as const
    const opened = await openDocument(capabilities, { path, job, form: Facts }, signal)
    if (opened.kind === 'failed') return failed(opened.reason)
    const { pages } = opened.facts
    return succeeded(JSON.stringify(opened.facts), `${path} has ${pages} ${pages === 1 ? 'page' : 'pages'}`)
  },
})
