/** Reads the text of an office document of the workspace. It is opened in the sandbox; macros in it are not looked at. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'

const mostParts = 10_000
const Part = z.object({ part: z.int().min(1), title: z.string().max(200), text: z.string() })

/** No more than was asked for. They are counted before they are looked at. */
function factsFor(maxCharacters: number) {
  return z.object({
    form: z.enum(['document', 'workbook', 'presentation']),
    parts: z.int().min(0).nullable(),
    read: z
      .array(z.unknown())
      .max(mostParts)
      .pipe(z.array(Part))
      .refine((read) => read.reduce((sum, { text }) => sum + text.length, 0) <= maxCharacters),
    truncated: z.boolean(),
    notes: z.array(z.enum(['macros', 'changes', 'hidden', 'faint', 'unread'])).max(5),
  })
}

type Facts = z.infer<ReturnType<typeof factsFor>>

const noteText = {
  macros: '[It holds macros. They were neither run nor looked at.]',
  changes: '[It holds tracked changes. What was deleted is left out.]',
  hidden: '[It holds text that a reader would not see: it is left out, or marked as hidden.]',
  faint: '[It holds text in the colour of paper or too small to read, marked as hard to see.]',
  unread: '[It holds pictures, charts, comments or embedded files that were not read.]',
} as const

const partWord = { document: 'document', workbook: 'sheet', presentation: 'slide' } as const

export const readDocument = defineTool({
  name: 'read_document',
  version: '2',
  description:
    'Read the text of a Word, Excel, PowerPoint or OpenDocument file (docx, xlsx, pptx, odt, ods, odp): paragraphs and tables, sheets row by row, slides with their notes. Parts are sheets or slides: "all", "2" or "1-3".',
  input: z.strictObject({
    path: pathText,
    parts: z
      .string()
      .max(200)
      .regex(/^(?:all|[1-9]\d{0,4}(?:-[1-9]\d{0,4})?(?:,[1-9]\d{0,4}(?:-[1-9]\d{0,4})?)*)$/)
      .default('all'),
    offset: z.int().min(0).max(20_000_000).default(0),
    maxCharacters: z.int().min(1).max(500_000).default(100_000),
  }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'office document',
    'word',
    'excel',
    'powerpoint',
    'docx',
    'xlsx',
    'pptx',
    'odt',
    'spreadsheet',
    'slides',
    'workbook',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  describe: ({ path, parts }) => (parts === 'all' ? `Read ${path}` : `Read ${path}, parts ${parts}`),
  preview: ({ path, parts, offset }) => ({
    kind: 'text',
    title: 'Read document',
    text: `${path}\nparts: ${parts}${offset === 0 ? '' : `\nfrom character ${offset} on`}`,
  }),
  async effects({ path }, inspect) {
    const found = await findDocument(path, inspect)
    if (found.kind !== 'found') return found
    return { kind: 'found', resources: [found.resource], effects: [found.effect] }
  },
  async run({ path, parts, offset, maxCharacters }, capabilities, signal) {
    const job = { program: 'office', op: 'read', parts, offset, maxCharacters } as const
    const opened = await openDocument(capabilities, { path, job, form: factsFor(maxCharacters) }, signal)
    if (opened.kind === 'failed') return failed(opened.reason)
    const { facts } = opened
    const text = textOf(facts)
    const notes = [
      ...(text === '' ? ['[There is no text in it.]'] : []),
      ...(facts.truncated ? [`[There is more. Ask again with offset ${offset + maxCharacters}.]`] : []),
      ...[...new Set(facts.notes)].map((note) => noteText[note]),
    ]
    return succeeded(
      [...(text === '' ? [] : [text]), ...notes].join('\n\n'),
      `Read ${amountOf(facts)}${path}`,
    )
  },
})

function textOf({ form, parts, read }: Facts): string {
  const told = read.filter(({ text }) => text !== '')
  if (form === 'document') return told.map(({ text }) => text).join('\n\n')
  const of = parts === null ? '' : ` of ${parts}`
  return told
    .map(
      ({ part, title, text }) =>
        `[${partWord[form]} ${part}${of}${title === '' ? '' : `: ${title}`}]\n${text}`,
    )
    .join('\n\n')
}

function amountOf({ form, parts, read }: Facts): string {
  if (form === 'document') return ''
  const many = parts === null ? `${read.length}` : `${read.length} of ${parts}`
  return `${many} ${partWord[form]}${(parts ?? read.length) === 1 ? '' : 's'} of `
}
