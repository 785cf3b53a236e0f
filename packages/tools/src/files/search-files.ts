/** Looks for files by name and by content below a folder of the workspace. Refuses folders outside. */
import { z } from 'zod'
import type { FileMatches } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { hiddenLine } from '../hidden-line.ts'
import { failed, succeeded } from '../result.ts'
import { nameText, pathText } from '../text.ts'
import { fileResource, inspectThroughLinks, readEffect } from './file-effects.ts'

export const searchFiles = defineTool({
  name: 'search_files',
  version: '3',
  description:
    'Find files of the workspace by name or content. The query is plain text, or a name pattern with * and ?.',
  input: z.strictObject({
    query: nameText(256),
    path: pathText.default('.'),
    in: z.enum(['both', 'names', 'contents']).default('both'),
    maxResults: z.int().min(1).max(100).default(50),
  }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'find',
    'grep',
    'locate',
    'glob',
    'content',
    'lookup',
    'where',
    'where is',
    'which file',
    'mentions',
    'containing',
    'document',
    'documents',
    'pdf',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  limit: { param: 'maxResults', max: 100, default: 50 },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  describe: ({ query, path }) => `Search ${path === '.' ? 'the workspace' : path} for ${query}`,
  preview: ({ query, path }) => ({ kind: 'text', title: 'Search files', text: `${query}\nin ${path}` }),
  async effects({ path }, inspect) {
    const seen = await inspectThroughLinks(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'absent') return { kind: 'invalid', reason: `${path} does not exist.` }
    if (inspection.kind === 'file')
      return { kind: 'invalid', reason: `${path} is a file. Name the folder that holds it.` }
    return { kind: 'found', resources: [fileResource('read', seen)], effects: [readEffect('read', seen)] }
  },
  async run({ query, path, in: where, maxResults }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.search(location, {
      query,
      names: where !== 'contents',
      contents: where !== 'names',
      maxMatches: maxResults,
    })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const lines = outcome.matches.map(lineOf)
    const passed = hiddenLine(
      outcome.hidden.flatMap(({ path, there }) => (there ? [path] : [])),
      'search',
      false,
    )
    if (passed !== '') lines.push(passed)
    if (outcome.truncated) lines.push('[there may be more: narrow the query or name a folder]')
    return succeeded(
      [...(outcome.matches.length === 0 ? ['Nothing was found.'] : []), ...lines].join('\n'),
      `Searched ${path} for ${query} (${outcome.matches.length} found)`,
    )
  },
})

function lineOf({ path, type, line, text }: FileMatches['matches'][number]): string {
  if (line !== null) return `${path}:${line}: ${text ?? ''}`
  return type === 'directory' ? `${path}/` : path
}
