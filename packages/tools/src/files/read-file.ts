/** Reads a file. Inside the workspace that is an observation; outside it crosses the boundary. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded, textOf } from '../result.ts'
import { pathText } from '../text.ts'
import { fileEffect, fileResource, see } from './place.ts'

export const readFile = defineTool({
  name: 'read_file',
  version: '1',
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
  async effects({ path }, look) {
    const seen = await see(path, look)
    if (seen.kind !== 'seen') return seen
    const { place, sight } = seen
    if (sight.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    if (sight.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a directory. Use list_directory.` }
    const resource = fileResource(place, 'read', sight)
    return { kind: 'found', resources: [resource], effects: [fileEffect(place, 'read', resource.path, true)] }
  },
  async run({ path, max_bytes }, hands) {
    const place = hands.files.place(path)
    if (place.root === 'nowhere') return failed(place.reason)
    const outcome = await hands.files.read(place, max_bytes)
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
