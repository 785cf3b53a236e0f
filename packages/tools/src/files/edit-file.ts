/**
 * Puts one text in the place of another in a file of the workspace, and says how to take it back. The file is the one
 * that was looked at, byte for byte. Refuses a text that is not there, and one that is there more than once unless all
 * are meant.
 */
import { Buffer } from 'node:buffer'
import { largestUndo } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, readEffect } from './file-effects.ts'

const wellFormed = z.string().refine((text) => text.isWellFormed(), 'is not well-formed text')

export const editFile = defineTool({
  name: 'edit_file',
  version: '2',
  description:
    'Change a part of a text file in the workspace: oldText, which must occur exactly once unless all is true, becomes newText.',
  input: z
    .strictObject({
      path: pathText,
      oldText: wellFormed.min(1).describe('Copied exactly, with its spaces and line ends'),
      newText: wellFormed,
      all: z.boolean().describe('Every occurrence').exactOptional(),
    })
    .refine(({ oldText, newText }) => oldText !== newText, 'oldText and newText are the same.'),
  category: 'files',
  group: 'filesystem',
  tags: ['patch', 'modify', 'change a line', 'find and replace', 'substitute', 'fix', 'correct', 'rename in'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ path, all }) => `Edit ${path}${all === true ? ', every occurrence' : ''}`,
  preview: ({ path, oldText, newText }) => ({
    kind: 'code',
    title: `Changes to ${path}`,
    language: 'diff',
    code: difference(oldText, newText),
  }),
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind !== 'file')
      return {
        kind: 'invalid',
        reason:
          inspection.kind === 'absent'
            ? `${path} does not exist. Make it with write_file.`
            : `${path} is a directory.`,
      }
    if (inspection.size > largestUndo) return { kind: 'invalid', reason: tooLarge(path) }
    // Whether the text is there is told after the decision: before it, whoever may not read could ask letter by letter.
    return {
      kind: 'found',
      resources: [fileResource('read', seen), fileResource('write', seen)],
      effects: [readEffect('read', seen), changeEffect('write', seen, true)],
    }
  },
  async run({ path, oldText, newText, all }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const read = await capabilities.files.read(location, largestUndo)
    if (read.kind === 'failed') return failed(read.reason)
    if (read.size > read.bytes.length) return failed(tooLarge(path))
    const text = textOf(read.bytes)
    if (text === undefined) return failed(`${path} is not text in UTF-8. Use write_binary_file.`)
    const made = edited(text, { path, oldText, newText, all })
    if (made.kind === 'problem') return failed(made.reason)
    const bytes = Buffer.from(made.text)
    const outcome = await capabilities.files.write(location, bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const places = made.count === 1 ? '1 place' : `${made.count} places`
    const summary = `Edited ${path} in ${places} (${sizeOf(bytes.length)})`
    return succeeded(summary, summary, fileUndo(path, sha256Hex(bytes), outcome))
  },
})

interface Edit {
  readonly path: string
  readonly oldText: string
  readonly newText: string
  readonly all?: boolean | undefined
}

type Edited =
  | { readonly kind: 'edited'; readonly text: string; readonly count: number }
  | { readonly kind: 'problem'; readonly reason: string }

function edited(text: string, { path, oldText, newText, all = false }: Edit): Edited {
  const parts = text.split(oldText)
  const count = parts.length - 1
  if (count === 0) {
    const other = text.includes('\r\n') && text.replaceAll('\r\n', '\n').includes(oldText)
    const hint = other ? ' Its lines end with \\r\\n.' : ' Read it with read_file and copy the text exactly.'
    return { kind: 'problem', reason: `oldText does not occur in ${path}.${hint}` }
  }
  if (count > 1 && !all)
    return {
      kind: 'problem',
      reason: `oldText occurs ${count} times in ${path}. Give more of what stands around it, or set all to true.`,
    }
  const made = parts.join(newText)
  if (Buffer.byteLength(made) > largestResult)
    return { kind: 'problem', reason: `${path} would be larger than ${sizeOf(largestResult)}.` }
  return { kind: 'edited', text: made, count }
}

/** Every occurrence by something longer could make a small file very large. */
const largestResult = 4 * largestUndo

/** What goes and what comes, line by line, as it stands in the call. */
function difference(oldText: string, newText: string): string {
  const lines = (text: string, mark: string) => text.split('\n').map((line) => `${mark}${line}`)
  return [...lines(oldText, '-'), ...lines(newText, '+')].join('\n')
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    // The mark at the beginning of some files stays where it is.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const tooLarge = (path: string): string =>
  `${path} is larger than ${sizeOf(largestUndo)}, which is the most that can be edited and undone.`
