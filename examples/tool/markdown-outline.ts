/** Lists the headings of a Markdown file in the workspace. Refuses paths outside it. */
import { defineTool, failed, pathText, succeeded, type ToolExample, z } from 'countersign/tools'

const largestFile = 1_000_000

export const markdownOutline = defineTool({
  name: 'markdown_outline',
  version: '1',
  description: 'List the headings of a Markdown file in the workspace.',
  input: z.strictObject({
    path: pathText,
    depth: z.int().min(1).max(6).default(3).describe('how many levels of headings'),
  }),
  category: 'files',
  group: 'filesystem',
  tags: ['headings', 'table of contents', 'outline', 'chapters'],
  // Pure: after a crash it may simply be run again.
  effect: 'pure',
  floor: 0,
  // What a file says is private, and worth as much as the file's own mark.
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',

  describe: ({ path }) => `List the headings of ${path}`,
  preview: ({ path, depth }) => ({ kind: 'text', title: 'Headings', text: `${path}, ${depth} levels` }),

  // What the call would touch. The tier, the card and the permit come from this, so it tells the whole truth.
  async effects({ path }, inspect) {
    const location = inspect.locate(path)
    if (location.root !== 'workspace') return { kind: 'invalid', reason: `${path} is outside the workspace.` }
    const inspection = await inspect.file(location)
    if (inspection.kind === 'unavailable') return inspection
    if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
    if (inspection.kind !== 'file') return { kind: 'invalid', reason: `${path} is not a file.` }
    const { identity, content, path: real } = inspection
    return {
      kind: 'found',
      resources: [{ type: 'file', root: 'workspace', path: real, op: 'read', identity, content }],
      effects: [
        { verb: 'read', object: real, scope: 'inside', reversible: true, outward: false, leaves: [] },
      ],
    }
  },

  // The work. The capabilities reach what the effects named, and nothing else.
  async run({ path, depth }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.read(location, largestFile)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    if (outcome.size > largestFile)
      return failed(`${path} is larger than ${largestFile} bytes. Give a smaller file.`)
    const headings = headingsIn(new TextDecoder().decode(outcome.bytes), depth)
    return succeeded(headings.join('\n') || 'No headings.', `Found ${headings.length} headings in ${path}`)
  },
})

/** Run by `countersign tool test`, which compares the effects with what really happens. */
export const examples: ToolExample[] = [
  { args: { path: 'plan.md' }, files: { 'plan.md': '# Plan\n\n## First\n\ntext\n\n## Second\n' } },
  { args: { path: 'notes/empty.md', depth: 1 }, files: { 'notes/empty.md': '' } },
]

/** A line in a fence is code, whatever it begins with. */
function headingsIn(text: string, depth: number): string[] {
  const found: string[] = []
  let fence = ''
  for (const line of text.split('\n')) {
    const [mark = ''] = /^ {0,3}(```+|~~~+)/.exec(line)?.slice(1) ?? []
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    else if (fence === '') {
      const [, signs = '', words = ''] = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#*)?$/.exec(line) ?? []
      if (signs !== '' && signs.length <= depth) found.push(`${'  '.repeat(signs.length - 1)}${words}`)
    }
  }
  return found
}
