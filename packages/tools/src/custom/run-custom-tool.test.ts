import { describe, expect, it } from 'vitest'
import type { Script, ScriptResult, ToolCapabilities } from '../capabilities.ts'
import { parseArgs } from '../definition.ts'
import { runCustomTool } from './run-custom-tool.ts'

const args = { name: 'probe', code: 'return 1', input: { a: 1 }, permissions: ['network'], journal: [] }

async function run(end: ScriptResult, given: object = args) {
  const seen: Script[] = []
  const script: ToolCapabilities['script'] = {
    run: async (asked) => {
      seen.push(asked)
      return end
    },
  }
  if (runCustomTool.runs !== 'executor') throw new Error('not for an executor')
  const parsed = parseArgs(runCustomTool, given)
  if (parsed.kind === 'invalid') throw new Error(parsed.problems.join())
  const result = await runCustomTool.run(
    parsed.args,
    { script } as ToolCapabilities,
    new AbortController().signal,
  )
  return { result, script: seen[0] }
}

describe('run_custom_tool', () => {
  it('touches nothing, and is for the product only', async () => {
    expect(runCustomTool).toMatchObject({
      hidden: true,
      floor: 0,
      effect: 'pure',
      sandbox: 'script',
      egress: 'none',
    })
    if (runCustomTool.runs !== 'executor') throw new Error('not for an executor')
    expect(await runCustomTool.effects(args, {} as never)).toEqual({
      kind: 'found',
      resources: [],
      effects: [],
    })
  })

  it('gives the program what its permissions open', async () => {
    const { script } = await run({ kind: 'returned', value: 1, log: [] })
    expect(script).toMatchObject({ name: 'probe', input: { a: 1 }, network: true })
    expect(script?.tools).toContain('http_request')
    expect(script?.refusal('execute_shell')).toContain('shell')
    const bare = await run({ kind: 'returned', value: 1, log: [] }, { ...args, permissions: [] })
    expect(bare.script).toMatchObject({ network: false })
    expect(bare.script?.refusal('http_request')).toContain('network')
  })

  it('tells what the program returned, text as it is and the rest as JSON', async () => {
    const textOf = async (value: never) => (await run({ kind: 'returned', value, log: [] })).result.text
    expect(await textOf('plain' as never)).toBe('plain')
    expect(await textOf({ a: [1] } as never)).toBe('{"a":[1]}')
    expect(await textOf(null as never)).toBe('It returned nothing.')
    const { result } = await run({ kind: 'returned', value: 1, log: ['[probe] one', '[probe] two'] })
    expect(result.text).toBe('1\n\n[log]\n[probe] one\n[probe] two')
  })

  it('asks for the calls that the program waits for', async () => {
    const calls = [{ tool: 'add_task', args: { title: 'b', a: 1 } }]
    expect((await run({ kind: 'calls', calls })).result).toEqual({
      ok: true,
      text: '',
      summary: 'probe needs add_task',
      undo: null,
      calls: [{ tool: 'add_task', args: '{"a":1,"title":"b"}' }],
    })
  })

  it('fails with the reason and what was logged', async () => {
    const { result } = await run({ kind: 'failed', reason: 'It nested too deeply.', log: ['[probe] here'] })
    expect(result).toMatchObject({ ok: false, summary: 'probe failed: It nested too deeply.', undo: null })
    expect(result.text).toContain('[probe] here')
  })

  it('takes no journal of another form', () => {
    const journal = [{ call: 'a'.repeat(64), ok: true, text: '' }]
    expect(parseArgs(runCustomTool, { ...args, journal }).kind).toBe('args')
    for (const bad of [[{ ok: true, text: '' }], [{ ...journal[0], call: 'x' }], Array(21).fill(journal[0])])
      expect(parseArgs(runCustomTool, { ...args, journal: bad }).kind).toBe('invalid')
  })
})
