/** Makes a PDF document in the workspace from text or Markdown, and says how to take it back. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { openDocument } from '../documents/document-file.ts'
import { endingOf, keepFile, planFile } from '../documents/made-file.ts'
import { failed } from '../result.ts'
import { nameText, pathText } from '../text.ts'

const Facts = z.object({ pages: z.int().min(0) })

export const createPdf = defineTool({
  name: 'create_pdf',
  version: '1',
  description:
    'Make a PDF file from Markdown (headings, lists, tables, quotes, code, bold and italic) or plain text. Does not replace a file unless overwrite is true.',
  input: z.strictObject({
    content: z
      .string()
      .min(1)
      .max(500_000)
      .refine((text) => text.isWellFormed(), 'is not well-formed text'),
    outputPath: pathText.refine((path) => endingOf(path) === 'pdf', 'must end in .pdf'),
    format: z.enum(['markdown', 'text']).default('markdown'),
    title: nameText(200).optional(),
    author: nameText(200).optional(),
    pageSize: z.enum(['A4', 'Letter', 'Legal']).default('A4'),
    overwrite: z.boolean().default(false),
  }),
  category: 'pdf',
  group: 'pdf',
  tags: ['document', 'print', 'export', 'save as pdf', 'make a pdf', 'report', 'letter', 'generate'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ outputPath, title, author }) =>
    `Make ${outputPath}${title === undefined ? '' : `, titled “${title}”`}${author === undefined ? '' : `, by ${author}`}`,
  preview: ({ outputPath, content }) => ({ kind: 'write', path: outputPath, content }),
  async effects({ outputPath, overwrite }, inspect) {
    const planned = await planFile(outputPath, overwrite, inspect)
    if (planned.kind !== 'found') return planned
    return { kind: 'found', resources: [planned.resource], effects: [planned.effect] }
  },
  async run({ outputPath, content, format, title, author, pageSize }, capabilities, signal) {
    const job = {
      ...({ program: 'pdf-writer', op: 'make', content, format, pageSize } as const),
      title: title ?? null,
      author: author ?? null,
    }
    const made = await openDocument(capabilities, { path: null, job, form: Facts }, signal)
    if (made.kind === 'failed') return failed(made.reason)
    const { pages } = made.facts
    const told = `${pages} ${pages === 1 ? 'page' : 'pages'}`
    return keepFile(capabilities, { path: outputPath, bytes: made.files[0], told })
  },
})
