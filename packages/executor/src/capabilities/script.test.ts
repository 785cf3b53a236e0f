import { canonicalText, idFrom, type JsonObject } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type Script, type ScriptAnswer, type ScriptResult } from '@countersign/tools'
import { afterAll, describe, expect, it } from 'vitest'
import { createScriptThreads } from '../script/thread-pool.ts'
import { scriptCapabilities } from './script.ts'

let time = Date.UTC(2026, 0, 1)
const threads = createScriptThreads({ threads: 1, now: () => new Date((time += 1)) })
afterAll(() => threads.close())

const subject = (call: string, tool = 'run_custom_tool') => ({
  tool: { name: tool, version: '1', definition: '', effect: 'pure' as const },
  call: idFrom('call', call),
  session: idFrom('ses', 's'),
  operator: idFrom('op', 'o'),
})
const script = (code: string, more: Partial<Script> = {}): Script => ({
  name: 'probe',
  code,
  input: {},
  journal: [],
  tools: [],
  network: true,
  refusal: (tool) => (tool === 'closed' ? 'It may not.' : null),
  ...more,
})
const { signal } = new AbortController()

/** Does what a kernel does: answers the calls, and runs the program again. */
async function through(
  code: string,
  door: (tool: string, args: JsonObject) => string,
  { call = sha256Hex(code), input = {}, parts = { threads } } = {},
): Promise<{ end: ScriptResult; calls: string[]; steps: number }> {
  const journal: ScriptAnswer[] = []
  const calls: string[] = []
  for (let steps = 1; ; steps += 1) {
    const end = await scriptCapabilities(subject(call), parts).run(
      script(code, { journal: [...journal], input }),
      signal,
    )
    if (end.kind !== 'calls') return { end, calls, steps }
    for (const { tool, args } of end.calls) {
      calls.push(`${tool} ${canonicalText(args)}`)
      const text = door(tool, args)
      journal.push({ call: sha256Hex(`${tool}\n${canonicalText(args)}`), ok: !text.startsWith('!'), text })
    }
  }
}

describe('the capabilities on the JavaScript machine', () => {
  it('begin no program whose keys are missing, and say how they are added', async () => {
    const run = (names: readonly string[], keys: readonly string[]) =>
      scriptCapabilities(subject(`keys ${keys.join()} ${names.join()}`), {
        threads,
        secretNames: () => Promise.resolve(names),
      }).run(script('await utils.callTool("list_tasks", {})', { keys }), signal)
    expect(await run(['maps'], ['weather', 'maps'])).toEqual({
      kind: 'failed',
      reason:
        'it was not begun. The secret weather is missing. The operator adds it with `countersign secret set weather --host <host>`.',
    })
    expect((await run([], ['weather'])).kind).toBe('failed')
    expect((await run(['weather'], ['weather'])).kind).toBe('calls')
    expect((await run(['weather.token'], ['weather'])).kind).toBe('calls')
    expect((await run([], [])).kind).toBe('calls')
  })

  it('run a program again with each answer until it returns', async () => {
    const code = `const tasks = JSON.parse(await utils.callTool("list_tasks", { status: args.status }))
      const texts = await Promise.all(tasks.map((id) => utils.callTool("get_task", { id })))
      return { texts, done: await utils.callTool("complete_task", { id: tasks[0] }) }`
    const door = (tool: string, args: JsonObject) =>
      tool === 'list_tasks' ? '[7,8]' : `${tool}:${JSON.stringify(args['id'])}`
    const { end, calls, steps } = await through(code, door, { input: { status: 'open' } })
    expect(end).toMatchObject({
      kind: 'returned',
      value: { texts: ['get_task:7', 'get_task:8'], done: 'complete_task:7' },
    })
    expect(calls).toEqual([
      'list_tasks {"status":"open"}',
      'get_task {"id":7}',
      'get_task {"id":8}',
      'complete_task {"id":7}',
    ])
    expect(steps).toBe(4)
  })

  it('keep the order of calls in strands that run side by side', async () => {
    const code = `const strand = async (name, waits) => {
        await utils.callTool("first", { name })
        for (let i = 0; i < waits; i++) await null
        await utils.callTool("second", { name })
        return utils.callTool("third", { name })
      }
      return Promise.all([strand("a", 0), strand("b", 9), strand("c", 3)])`
    const { end, calls } = await through(code, (tool, args) => `${tool} ${args['name'] as string}`)
    expect(end).toMatchObject({ kind: 'returned', value: ['third a', 'third b', 'third c'] })
    expect(calls).toHaveLength(9)
  })

  it('let time and chance be part of a call, since they are the same at every step', async () => {
    const code = `const id = utils.uuid(); await utils.callTool("a", { id, at: utils.now(), n: Math.random() })
      return (await utils.callTool("b", { id, context })) + new Date().toISOString()`
    const { end } = await through(code, () => 'ok')
    expect(end.kind).toBe('returned')
    const again = await through(code, () => 'ok', { call: 'another' })
    expect(again.end).not.toEqual(end)
  })

  it('tell which keys are kept, the same at every step, and look for none that nobody asks for', async () => {
    const kept = ['weather']
    let looks = 0
    const parts = {
      threads,
      secretNames: () => {
        looks += 1
        return Promise.resolve([...kept])
      },
    }
    const code = `const has = utils.getApiKey("weather") !== undefined, other = utils.getApiKey("late") === undefined
      return [await utils.callTool("a", { has, other }), has, other]`
    const first = await scriptCapabilities(subject('keys'), parts).run(script(code), signal)
    expect(first).toEqual({ kind: 'calls', calls: [{ tool: 'a', args: { has: true, other: true } }] })
    kept.splice(0, 1, 'late')
    const journal = [{ call: sha256Hex('a\n{"has":true,"other":true}'), ok: true, text: 'ok' }]
    const end = await scriptCapabilities(subject('keys'), parts).run(script(code, { journal }), signal)
    expect(end).toMatchObject({ kind: 'returned', value: ['ok', true, true] })
    const before = looks
    await scriptCapabilities(subject('none'), parts).run(script('return 1'), signal)
    expect(looks).toBe(before)
  })

  it('fail a program that makes another call than before', async () => {
    const first = await scriptCapabilities(subject('x'), { threads }).run(
      script('await utils.callTool("a")'),
      signal,
    )
    expect(first).toEqual({ kind: 'calls', calls: [{ tool: 'a', args: {} }] })
    const journal = [{ call: sha256Hex('a\n{}'), ok: true, text: 'answer' }]
    for (const code of [
      'return await utils.callTool("b")',
      'return await utils.callTool("a", { n: 1 })',
      'return 1',
    ]) {
      const end = await scriptCapabilities(subject('x'), { threads }).run(script(code, { journal }), signal)
      expect(end).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining('did not repeat itself') as string,
      })
    }
  })

  it('tell a program that a call was refused or went wrong, and let it go on', async () => {
    const code = `const told = []
      for (const tool of ["closed", "open"]) await utils.callTool(tool).catch((e) => told.push(e.message))
      return told`
    const { end, calls } = await through(code, () => '!went wrong')
    expect(end).toMatchObject({ value: ['It may not.', '!went wrong'] })
    expect(calls).toEqual(['open {}'])
  })

  it('run nothing without a machine or for a permit of another tool', async () => {
    expect(await scriptCapabilities(subject('x')).run(script('return 1'), signal)).toMatchObject({
      kind: 'failed',
    })
    const end = await scriptCapabilities(subject('x', 'read_file'), { threads }).run(
      script('return 1'),
      signal,
    )
    expect(end).toEqual({ kind: 'failed', reason: 'The permit names another tool.' })
  })
})
