/** Owns the text of a new tool that works on records of the operator: it keeps a line, and can take that back. */
import { camelCase, importOf, type Template } from './scaffold-workspace.ts'

export function recordTemplate(name: string, file: string): Template {
  const camel = camelCase(name)
  const line = 'Keep a line of text, to be found again later.'
  const tool = `/** Keeps one line of text among the operator's records, and says how to take that back. */
${importOf('tools', ['defineTool', 'nameText', 'recordUndo', 'succeeded', 'type ToolExample', 'z'])}

const collection = '${name}'

export const ${camel} = defineTool({
  name: '${name}',
  version: '1',
  description: '${line}',
  input: z.strictObject({ text: nameText(500) }),
  category: 'records',
  group: 'notes',
  tags: ['keep', 'remember', 'line'],
  effect: 'idempotent',
  // A change that can be taken back is T1.
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'gateway',
  undo: 'restore_records',

  describe: ({ text }) => \`Keep the line: \${text}\`,
  preview: ({ text }) => ({ kind: 'text', title: 'Line to keep', text }),

  // What the call would touch. The tier, the card and the permit come from this, so it tells the whole truth.
  async effects() {
    return {
      kind: 'found',
      resources: [{ type: 'record', collection, id: 'new', op: 'write', version: null }],
      effects: [
        { verb: 'write', object: 'a new line', scope: 'inside', reversible: true, outward: false, leaves: [] },
      ],
    }
  },

  // The work, in one transaction with the memory of having done it.
  async run({ text }, context) {
    // What came from untrusted content stays marked as such, so that reading it later is no way around that.
    const label = context.cause?.label.integrity === 'untrusted' ? context.cause.label : null
    const after = await context.records.insert(collection, \`line_\${context.uuid()}\`, { text }, label)
    const undo = recordUndo([{ collection, id: after.id, before: null, after }])
    return succeeded(\`Kept as \${after.id}.\`, \`Kept the line “\${text}”\`, undo)
  },
})

/** Run by \`countersign tool test\`, which compares the effects with what really happens. */
export const examples: ToolExample[] = [
  { args: { text: 'Water the plants' } },
  { args: { text: 'Buy bread' }, records: { ${name}: { line_1: { text: 'Buy milk' } } } },
]
`
  const test = `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
${importOf('bench', ['openBench'])}
import { ${camel} } from './${file}.ts'

const bench = await openBench(${camel})
after(() => bench.close())

test('keeps the line, and says that it writes', async () => {
  await bench.start({})
  const call = await bench.call({ text: 'Water the plants' })
  assert.ok(call.made, call.made ? '' : call.reason)
  assert.equal(call.effects[0]?.verb, 'write')
  const { records } = await bench.records.list('${name}', { limit: 10 })
  assert.deepEqual(records.map(({ data }) => data), [{ text: 'Water the plants' }])
})

test('can be taken back, and then all is as before', async () => {
  await bench.start({ records: { ${name}: { line_1: { text: 'Buy milk' } } } })
  const before = bench.state()
  const undone = await bench.undo(await bench.call({ text: 'Water the plants' }))
  assert.ok(undone.made, undone.made ? '' : undone.reason)
  assert.deepEqual(bench.state(), before)
})

test('refuses a line with an invisible character', async () => {
  const call = await bench.call({ text: 'Water\\u200b the plants' })
  assert.equal(call.made, false)
})
`
  return { line, tool, test }
}
