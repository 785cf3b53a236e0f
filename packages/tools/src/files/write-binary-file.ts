/** Writes a file that is no text, such as a picture, and says how to take it back. Refuses paths outside. */
import { Buffer, isUtf8 } from 'node:buffer'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, isReplaceable } from './file-effects.ts'

export const writeBinaryFile = defineTool({
  name: 'write_binary_file',
  version: '1',
  description: 'Write a file of any kind from base64, replacing it if it exists. Makes missing folders.',
  input: z.strictObject({ path: pathText, base64: z.base64() }),
  category: 'files',
  group: 'filesystem',
  tags: ['binary', 'base64', 'upload', 'bytes'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ path, base64 }) => `Write ${path} (${sizeOf(bytesIn(base64).length)})`,
  preview({ path, base64 }) {
    const bytes = bytesIn(base64)
    // Words are shown as words, so that nobody hides a program behind its base64.
    if (isUtf8(bytes) && !bytes.includes(0)) return { kind: 'write', path, content: bytes.toString('utf8') }
    const text = `${path}\n${sizeOf(bytes.length)}, SHA-256 ${sha256Hex(bytes)}\nIt is no text, so its content is not shown.`
    return { kind: 'text', title: 'Write file', text }
  },
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a directory.` }
    return {
      kind: 'found',
      resources: [fileResource('write', seen)],
      effects: [changeEffect('write', seen, isReplaceable(inspection))],
    }
  },
  async run({ path, base64 }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const bytes = bytesIn(base64)
    const outcome = await capabilities.files.write(location, bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `${outcome.before.kind === 'nothing' ? 'Created' : 'Replaced'} ${path} (${sizeOf(bytes.length)})`
    return succeeded(summary, summary, fileUndo(path, sha256Hex(bytes), outcome))
  },
})

const bytesIn = (base64: string) => Buffer.from(base64, 'base64')
