/** Owns the text of a new tool that works on files of the workspace: it counts words, until its author knows better. */

export interface Template {
  /** The first sentence of its description. */
  readonly line: string
  readonly tool: string
  readonly test: string
}

export function workspaceTemplate(name: string, file: string): Template {
  const camel = camelCase(name)
  const line = 'Count the words of a text file in the workspace.'
  const tool = `/** Counts the words of a file in the workspace. Refuses paths outside it. */
${importOf('tools', ['defineTool', 'failed', 'pathText', 'succeeded', 'type ToolExample', 'z'])}

const largestFile = 1_000_000

export const ${camel} = defineTool({
  name: '${name}',
  version: '1',
  description: '${line}',
  input: z.strictObject({ path: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: ['words', 'length', 'count'],
  // Pure: after a crash it may simply be run again.
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',

  describe: ({ path }) => \`Count the words of \${path}\`,
  preview: ({ path }) => ({ kind: 'text', title: 'Count words', text: path }),

  // What the call would touch. The tier, the card and the permit come from this, so it tells the whole truth.
  async effects({ path }, inspect) {
    const location = inspect.locate(path)
    if (location.root !== 'workspace') return { kind: 'invalid', reason: \`\${path} is outside the workspace.\` }
    const inspection = await inspect.file(location)
    if (inspection.kind === 'unavailable') return inspection
    if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
    if (inspection.kind !== 'file') return { kind: 'invalid', reason: \`\${path} is not a file.\` }
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
  async run({ path }, capabilities) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const outcome = await capabilities.files.read(location, largestFile)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    if (outcome.size > largestFile) return failed(\`\${path} is larger than \${largestFile} bytes. Give a smaller file.\`)
    const words = new TextDecoder().decode(outcome.bytes).split(/\\s+/).filter((word) => word !== '').length
    return succeeded(\`\${words} words\`, \`Counted \${words} words in \${path}\`)
  },
})

/** Run by \`countersign tool test\`, which compares the effects with what really happens. */
export const examples: ToolExample[] = [
  { args: { path: 'letter.txt' }, files: { 'letter.txt': 'one two\\nthree' } },
  { args: { path: 'notes/empty.md' }, files: { 'notes/empty.md': '' } },
]
`
  const test = `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
${importOf('bench', ['openBench'])}
import { ${camel} } from './${file}.ts'

const bench = await openBench(${camel})
after(() => bench.close())

test('counts the words, and names the file that it read', async () => {
  await bench.start({ files: { 'letter.txt': 'one two\\nthree' } })
  const call = await bench.call({ path: 'letter.txt' })
  assert.ok(call.made, call.made ? '' : call.reason)
  assert.equal(call.result.text, '3 words')
  assert.deepEqual(call.effects.map(({ verb, object }) => [verb, object]), [['read', 'letter.txt']])
})

test('changes nothing', async () => {
  await bench.start({ files: { 'letter.txt': 'one two' } })
  const before = bench.state()
  await bench.call({ path: 'letter.txt' })
  assert.deepEqual(bench.state(), before)
})

test('refuses a file outside the workspace', async () => {
  const call = await bench.call({ path: '/etc/hostname' })
  assert.deepEqual(call, { made: false, reason: '/etc/hostname is outside the workspace.' })
})

test('refuses a file that is not there', async () => {
  const call = await bench.call({ path: 'nowhere.txt' })
  assert.equal(call.made, false)
})
`
  return { line, tool, test }
}

/** The line with which an author takes something of the product. */
export function importOf(entry: 'tools' | 'bench', names: readonly string[]): string {
  return `import { ${names.join(', ')} } from 'countersign/${entry}'`
}

export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
