/**
 * Reads a receipt into fields for correction. Books nothing. Takes text; what a picture or a PDF says comes from the tools
 * that read those.
 */
import { extname } from 'node:path/posix'
import { Expense } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fileResource, inspectThroughLinks, readEffect } from '../files/file-effects.ts'
import { failed, succeeded, textOf } from '../result.ts'
import { pathText } from '../text.ts'
import { longestReceipt, type Receipt, readReceipt } from './receipt.ts'

export const parseReceipt = defineTool({
  name: 'parse_receipt',
  version: '1',
  description:
    'Read the text of a receipt, given or in a text file, into merchant, day, total, currency, category and lines. Keeps nothing: show the operator the fields, then use add_expense. Read a PDF or a picture first and give its text.',
  input: z
    .strictObject({
      text: z
        .string()
        .max(longestReceipt)
        .refine((text) => text.isWellFormed(), 'is not well-formed text')
        .exactOptional(),
      path: pathText.exactOptional(),
      currency: Expense.shape.currency.exactOptional(),
    })
    .refine(({ text, path }) => (text === undefined) !== (path === undefined), {
      path: ['text'],
      message: 'give either text or path',
    }),
  category: 'finance',
  group: 'finance',
  tags: ['bill', 'invoice', 'scan', 'till', 'slip'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  describe: ({ path, text = '' }) =>
    path === undefined ? `Read a receipt of ${text.length} characters` : `Read the receipt ${path}`,
  preview: ({ text, path, currency }) => ({
    kind: 'text',
    title: 'Receipt',
    text: [path, text, currency].filter((part) => part !== undefined).join('\n'),
  }),
  async effects({ path }, inspect) {
    if (path === undefined) return { kind: 'found', resources: [], effects: [] }
    const refused = notText(path)
    if (refused !== undefined) return { kind: 'invalid', reason: refused }
    const seen = await inspectThroughLinks(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind !== 'file')
      return { kind: 'invalid', reason: `There is no file ${path}. See what there is with list_directory.` }
    return { kind: 'found', resources: [fileResource('read', seen)], effects: [readEffect('read', seen)] }
  },
  async run({ path, text = '', currency }, capabilities) {
    if (path === undefined) return told(readReceipt(text, currency))
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.read(location, longestReceipt)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    if (outcome.bytes.includes(0)) return failed(`${path} is no text. ${readFirst}`)
    return told(readReceipt(textOf(outcome.bytes), currency))
  },
})

const readFirst = 'Read it first, a PDF with read_pdf or a picture with analyze_image, and give its text.'

function notText(path: string): string | undefined {
  const ending = extname(path).toLowerCase()
  return /^\.(pdf|png|jpe?g|gif|webp|heic|heif|tiff?|bmp|avif|docx?|xlsx?|odt|zip)$/.test(ending)
    ? `parse_receipt reads text, and ${path} is none. ${readFirst}`
    : undefined
}

function told(receipt: Receipt) {
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
    'Nothing is kept yet. These fields were read by fixed rules; let the operator correct them.',
    JSON.stringify(receipt),
    `Then for add_expense: ${JSON.stringify(Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null)))}`,
    ...(missing.length > 0 ? [`To be filled in: ${missing.join(', ')}.`] : []),
  ].join('\n')
  return succeeded(
    text,
    total === null ? 'Read a receipt without a total' : `Read a receipt of ${total} ${currency ?? ''}`.trim(),
  )
}
