/** Writes a file in the workspace, and says how to take it back. Refuses paths outside. */
import { Buffer } from 'node:buffer'
import { posix } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import {
  changeEffect,
  fileResource,
  fileUndo,
  type InspectedFile,
  inspectFile,
  isReplaceable,
} from './file-effects.ts'
import { changesOnlyWords } from './package-json.ts'

export const writeFile = defineTool({
  name: 'write_file',
  version: '3',
  description: 'Write a text file in the workspace, replacing it if it exists. Makes missing folders.',
  input: z.strictObject({
    path: pathText,
    content: z.string().refine((text) => text.isWellFormed(), 'is not well-formed text'),
  }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'create',
    'save',
    'save as',
    'edit',
    'replace',
    'put into',
    'make a file',
    'new file',
    'document',
    'store',
    'overwrite',
    'export',
  ],
  effect: 'idempotent',
  listed: true,
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: ({ path, content }) => `Write ${path} (${sizeOf(Buffer.byteLength(content))})`,
  preview: ({ path, content }) => ({ kind: 'write', path, content }),
  async effects({ path, content }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a directory.` }
    const effect = changeEffect('write', seen, isReplaceable(inspection))
    const isWords = effect.scope === 'host-run' && (await changesWordsOfPackage(seen, content, inspect))
    return {
      kind: 'found',
      resources: [fileResource('write', seen)],
      effects: [isWords ? { ...effect, object: inspection.path, scope: 'inside' } : effect],
    }
  },
  async run({ path, content }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const bytes = Buffer.from(content)
    const outcome = await capabilities.files.write(location, bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `${outcome.before.kind === 'nothing' ? 'Created' : 'Replaced'} ${path} (${sizeOf(bytes.length)})`
    return succeeded(summary, summary, fileUndo(path, sha256Hex(bytes), outcome))
  },
})

/** A package.json in which nothing changes that a package manager or a tool would run. */
async function changesWordsOfPackage(
  { location, inspection }: InspectedFile,
  content: string,
  inspect: Inspector,
): Promise<boolean> {
  if (posix.basename(inspection.path) !== 'package.json') return false
  if (inspection.kind !== 'file') return changesOnlyWords('{}', content)
  const text = await inspect.text(location, largestPackage)
  if (text.kind !== 'text' || text.truncated || text.content !== inspection.content) return false
  return changesOnlyWords(text.text, content)
}

const largestPackage = 256 * 1024
