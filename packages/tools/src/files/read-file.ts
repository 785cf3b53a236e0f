/** Reads a file. Inside the workspace that is an observation; outside it crosses the boundary. */
import { z } from 'zod'
import { defineTool, type EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { failed, sizeOf, succeeded, textOf } from '../result.ts'
import { pathText } from '../text.ts'
import { fileResource, inspectThroughLinks, readEffect } from './file-effects.ts'

export const readFile = defineTool({
  name: 'read_file',
  version: '2',
  description: 'Read a text file. Paths are relative to the workspace.',
  input: z.strictObject({ path: pathText, max_bytes: z.int().min(1).max(1_000_000).default(200_000) }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'open',
    'cat',
    'view',
    'text',
    'show file',
    'display',
    'contents',
    'what does it say',
    'inside',
    'readme',
    'document',
  ],
  effect: 'pure',
  listed: true,
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  describe: ({ path }) => `Read ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'Read file', text: path }),
  async effects({ path }, inspect) {
    const location = inspect.locate(path)
    if (location.root === 'host') return foundOnHost(path, location.path, inspect)
    const seen = await inspectThroughLinks(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    if (inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a directory. Use list_directory.` }
    return { kind: 'found', resources: [fileResource('read', seen)], effects: [readEffect('read', seen)] }
  },
  async run({ path, max_bytes }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.read(location, max_bytes)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { bytes, size } = outcome
    const text = textOf(bytes)
    if (size <= max_bytes) return succeeded(text, `Read ${path} (${sizeOf(size)})`)
    return succeeded(
      `${text}\n[${max_bytes} of ${size} bytes]`,
      `Read the first ${sizeOf(max_bytes)} of ${path}`,
    )
  },
})

/**
 * Outside the workspace the answer is the same for what is there and what is not, until the operator has decided; the
 * run tells the truth afterwards. A key or a credential of the operator is opened by a passkey only.
 */
async function foundOnHost(path: string, location: string, inspect: Inspector): Promise<EffectsResult> {
  const inspection = await inspect.hostFile(location)
  if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
  const { path: real, identity, content, credential } = inspection
  const object = real === path ? real : `${path}, which is ${real}`
  return {
    kind: 'found',
    resources: [{ type: 'file', root: 'host', path: real, op: 'read', identity, content }],
    effects: [
      {
        verb: credential === null ? 'read' : 'authority',
        object: credential === null ? object : `${object} (${credential})`,
        scope: 'boundary',
        reversible: true,
        outward: false,
        leaves: [],
      },
    ],
  }
}
