/**
 * Reads a receipt into fields for correction. Books nothing. Takes text, a PDF, which is opened in the sandbox, or a
 * picture, which a model that sees copies the text from. The fields come from the text by fixed rules in every case.
 */
import { Expense, type ToolResult } from '@countersign/contract'
import { z } from 'zod'
import type { ToolCapabilities } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { endingOf } from '../documents/made-file.ts'
import { pictureFor, problemOf } from '../image/made-pictures.ts'
import { failed, succeeded, textOf } from '../result.ts'
import { pathText } from '../text.ts'
import { longestReceipt, type Receipt, readReceipt } from './receipt.ts'

export const parseReceipt = defineTool({
  name: 'parse_receipt',
  version: '2',
  description:
    'Read a receipt, given as text or as a picture, PDF or text file of the workspace, into merchant, day, total, currency, category and lines. Keeps nothing: show the operator the fields, then use add_expense.',
  input: z
    .strictObject({
      text: z
        .string()
        .max(longestReceipt)
        .refine((text) => text.isWellFormed(), 'is not well-formed text')
        .exactOptional(),
      path: pathText.exactOptional(),
      /** Another name for the path. */
      image: pathText.exactOptional(),
      currency: Expense.shape.currency.exactOptional(),
    })
    .refine(
      ({ text, path, image }) => [text, path, image].filter((each) => each !== undefined).length === 1,
      {
        path: ['text'],
        message: 'give one of image, path and text',
      },
    ),
  category: 'finance',
  group: 'finance',
  tags: ['bill', 'invoice', 'scan', 'till', 'slip', 'photo'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  describe: ({ image, path = image, text = '' }) =>
    path === undefined ? `Read a receipt of ${text.length} characters` : `Read the receipt ${path}`,
  preview: ({ text, image, path = image, currency }) => ({
    kind: 'text',
    title: 'Receipt',
    text: [path, text, currency].filter((part) => part !== undefined).join('\n'),
  }),
  async effects({ image, path = image }, inspect) {
    if (path === undefined) return { kind: 'found', resources: [], effects: [] }
    const found = await findDocument(path, inspect)
    if (found.kind !== 'found') return found
    return { kind: 'found', resources: [found.resource], effects: [found.effect] }
  },
  async run({ image, path = image, text = '', currency }, capabilities, signal) {
    if (path === undefined) return told(readReceipt(text, currency), byRules)
    const ending = endingOf(path)
    const from = ending === 'pdf' ? textOfPdf : pictureEndings.has(ending) ? textOfPicture : textOfFile
    const read = await from(path, capabilities, signal)
    if ('reason' in read) return failed(read.reason)
    return told(readReceipt(read.text, currency), from === textOfPicture ? bySight : byRules)
  },
})

const pictureEndings = new Set(['png', 'jpg', 'jpeg', 'webp', 'gif', 'tif', 'tiff', 'avif'])
const byRules = 'These fields were read by fixed rules; let the operator correct them.'
const bySight =
  'A model copied the text from the picture and may have misread it. Let the operator compare and correct the fields.'

type ReadText = (
  path: string,
  capabilities: ToolCapabilities,
  signal: AbortSignal,
) => Promise<{ readonly text: string } | { readonly reason: string }>

const textOfFile: ReadText = async (path, { files }) => {
  const location = files.locate(path)
  if (location.root === 'nowhere') return { reason: location.reason }
  const outcome = await files.read(location, longestReceipt)
  if (outcome.kind === 'failed') return { reason: outcome.reason }
  if (outcome.bytes.includes(0))
    return { reason: `${path} is neither text nor a PDF nor a picture. Give its text.` }
  return { text: textOf(outcome.bytes) }
}

const PdfFacts = z.object({
  read: z.array(z.object({ text: z.string().max(longestReceipt) })).max(20),
})

const textOfPdf: ReadText = async (path, capabilities, signal) => {
  const job = { program: 'pdf', op: 'read', pages: 'all', maxCharacters: longestReceipt } as const
  const opened = await openDocument(capabilities, { path, job, form: PdfFacts }, signal)
  if (opened.kind === 'failed') return { reason: opened.reason }
  const text = opened.facts.read.map((page) => page.text).join('\n')
  if (text.trim() === '')
    return { reason: `There is no text in ${path}; it may be a scan. Give a picture of the receipt.` }
  return { text }
}

const Copied = z.strictObject({ text: z.string().max(longestReceipt) })

const textOfPicture: ReadText = async (path, capabilities, signal) => {
  const shown = await pictureFor(capabilities, { path, format: 'jpeg', most: 2_048 }, signal)
  if ('reason' in shown) return shown
  const reply = await capabilities.models.work({
    kind: 'look',
    instruction:
      'Copy the text of the receipt on the picture, line by line and exactly as it stands there, each amount at the end of its line. Give an empty text where there is no receipt.',
    images: [shown],
    form: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    mostTokens: 4_000,
  })
  if (reply.kind !== 'answer') return { reason: problemOf(reply) }
  const read = Copied.safeParse(reply.value)
  if (!read.success) return { reason: 'The model did not copy the receipt as asked. Try again.' }
  return read.data.text.trim() === '' ? { reason: `No receipt can be seen on ${path}.` } : read.data
}

function told(receipt: Receipt, note: string): ToolResult {
  const { merchant, date, total, currency, category } = receipt
  const draft = {
    amount: total,
    currency,
    category,
    description: merchant === null ? null : `Receipt of ${merchant}`.slice(0, 300).toWellFormed(),
    payee: merchant,
    date,
  }
  const missing = Object.entries(draft).flatMap(([name, value]) => (value === null ? [name] : []))
  const text = [
    `Nothing is kept yet. ${note}`,
    JSON.stringify(receipt),
    `Then for add_expense: ${JSON.stringify(Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null)))}`,
    ...(missing.length > 0 ? [`To be filled in: ${missing.join(', ')}.`] : []),
  ].join('\n')
  return succeeded(
    text,
    total === null ? 'Read a receipt without a total' : `Read a receipt of ${total} ${currency ?? ''}`.trim(),
  )
}
