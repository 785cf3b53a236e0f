import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptLimits, scriptLimits } from './limits.ts'
import type { AnswersReply, RawCall } from './message.ts'
import { createScriptThreads, type ScriptThreads } from './thread-pool.ts'

let threads: ScriptThreads
const secret = 'canary-of-the-host'
beforeAll(() => {
  process.env['CANARY'] = secret
  threads = createScriptThreads({ limits: { cpuMs: 400 } })
})
afterAll(async () => {
  delete process.env['CANARY']
  await threads.close()
})

const stop = (): AnswersReply => ({ kind: 'stop' })

function run(
  code: string,
  { ask = stop, signal = new AbortController().signal, at = threads, network = true } = {} as {
    ask?: (calls: readonly RawCall[]) => AnswersReply
    signal?: AbortSignal
    at?: ScriptThreads
    network?: boolean
  },
) {
  const setup = { args: {}, context: { toolName: 'probe' }, tools: [], network, keys: [] }
  return at.run({ name: 'probe', code, setup, now: 0, seed: 'seed' }, ask, signal)
}
const value = async (code: string) => {
  const end = await run(code)
  if (end.kind !== 'returned') throw new Error(JSON.stringify(end))
  return JSON.parse(end.value) as unknown
}
const reason = async (code: string, given = {}) => {
  const end = await run(code, given)
  return end.kind === 'failed' ? end.reason : JSON.stringify(end)
}

describe('a program', () => {
  it('returns a value, also by way of a promise or a thenable', async () => {
    expect(await value('return 1 + 1')).toBe(2)
    expect(await value('return { a: [true, null, "ü🌍"] }')).toEqual({ a: [true, null, 'ü🌍'] })
    expect(await value('return Promise.resolve("later")')).toBe('later')
    expect(await value('return { then(resolve) { resolve("thenable") } }')).toBe('thenable')
    expect(await value('1 + 1')).toBeNull()
    expect(await value('return undefined')).toBeNull()
    expect(await value('return 5 // the end')).toBe(5)
  })

  it.each([
    ['const a = 1\nconst b = 2\nnope.x', 'ReferenceError: nope is not defined (line 3)'],
    ['\n\nlet x = ;', "SyntaxError: unexpected token in expression: ';' (line 3)"],
    ['throw new RangeError("mine")', 'RangeError: mine (line 1)'],
    ['throw "a text"', 'a text'],
    ['throw null', 'null'],
    ['\nawait Promise.reject(new Error("async"))', 'Error: async (line 2)'],
    ['return 1n', 'TypeError: BigInt are forbidden in JSON.stringify'],
    ['const a = {}; a.a = a; return a', 'TypeError: circular reference'],
    ['await new Promise(() => {})', 'It waits for something that never comes.'],
    ['return { then() {} }', 'It waits for something that never comes.'],
  ])('fails with its line: %j', async (code, expected) => {
    expect(await reason(code)).toContain(expected)
  })

  it('sees a clock that stands still and a stack that names nothing of the host', async () => {
    expect(await value('const a = Date.now(); for (let i = 0; i < 1e5; i++); return Date.now() - a')).toBe(0)
    const stack = String(await value('try { null.x } catch (e) { return e.stack }'))
    expect(stack).toContain('probe.js:1')
    expect(stack).not.toMatch(/\/work|node:|file:|wasm/)
  })
})

describe('a program that takes too much', () => {
  it.each([
    ['an endless loop', 'while (true) {}'],
    ['a loop that catches', 'for (;;) { try { while (true) {} } catch {} }'],
    ['a loop in a finally', 'try { while (true) {} } finally { while (true) {} }'],
    ['a loop of promises', 'for (;;) await null'],
    ['a loop of many promises', 'const f = () => Promise.resolve().then(f); f(); f(); await f()'],
    ['a pattern that explodes', 'return /^(a+)+$/.test("a".repeat(50) + "b")'],
    ['one operation without end', 'return new Array(2 ** 32 - 2).join("")'],
    ['a toJSON without end', 'return { toJSON() { while (true) {} } }'],
    [
      'a getter of an error without end',
      'throw { get name() { while (true) {} }, toString() { while (true) {} } }',
    ],
    ['a thenable without end', 'return { then(resolve) { resolve(this) } }'],
  ])('is ended: %s', async (_, code) => {
    expect(await reason(code)).toBe('It computed for more than 0.4 s.')
    expect(await value('return "next"')).toBe('next')
  })

  it.each([
    ['lists', 'const a = []; for (;;) a.push(new Array(10000).fill(1))'],
    ['buffers', 'const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))'],
    ['one buffer', 'return new ArrayBuffer(2 ** 31 - 1).byteLength'],
    ['texts', 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1e6) + i)'],
    ['a text that is padded', 'return "".padEnd(2 ** 29, "abc").length'],
    ['a text that is normalised', 'return "\\ufdfa".repeat(1e6).normalize("NFKD").length'],
  ])('gets no more memory: %s', async (_, code) => {
    const at = createScriptThreads({ limits: { cpuMs: 20_000 }, threads: 1 })
    expect(await reason(code, { at })).toBe('It took more than 50 MB of memory.')
    expect(await run('return 1', { at })).toMatchObject({ kind: 'returned' })
    await at.close()
  })

  it.each([
    ['itself', 'const f = () => f() + 1; return f()'],
    ['itself, and catches', 'const f = () => { try { return f() } finally { f() } }; return f()'],
    ['brackets of JSON', 'return JSON.parse("[".repeat(1e6))'],
    ['brackets of code', 'return eval("(".repeat(1e6))'],
    ['its conversions', 'const o = { toString() { return "" + this } }; return "" + o'],
    ['proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x ?? "none"'],
  ])('does not go too deep: %s', async (_, code) => {
    const end = await run(code)
    expect(end.kind).toBe('failed')
    expect(await value('return "next"')).toBe('next')
  })

  it.each([
    ['a long text', 'return "x".repeat(200001)'],
    ['a long list', 'return Array(60000).fill(null)'],
  ])('returns no more than fits: %s', async (_, code) => {
    expect(await reason(code)).toMatch(/It returned \d+ kB; the most is 200 kB/)
    expect(await value('return "x".repeat(199000).length')).toBe(199000)
  })

  it('logs no more than fits', async () => {
    const end = await run('for (let i = 0; i < 500; i++) console.log(i, "x".repeat(5000)); return 1')
    if (end.kind !== 'returned') throw new Error(end.kind)
    expect(end.log).toHaveLength(scriptLimits.logLines)
    expect(Math.max(...end.log.map((line) => line.length))).toBe(scriptLimits.lineChars)
  })

  it('is ended when time is up or the call is cancelled, and the next one runs', async () => {
    const limits: Partial<ScriptLimits> = { cpuMs: 60_000, wallMs: 300 }
    const at = createScriptThreads({ limits, threads: 1 })
    expect(await reason('while (true) {}', { at })).toBe('It did not end within 0.3 s.')
    await at.close()
    const slow = createScriptThreads({ limits: { cpuMs: 60_000 }, threads: 1 })
    const controller = new AbortController()
    const running = reason('while (true) {}', { at: slow, signal: controller.signal })
    const waiting = reason('return 1', { at: slow, signal: controller.signal })
    setTimeout(() => controller.abort(), 200)
    expect(await Promise.all([running, waiting])).toEqual(['Cancelled.', 'Cancelled.'])
    expect(await run('return "next"', { at: slow })).toMatchObject({ value: '"next"' })
    await slow.close()
    expect(await reason('return 1', { at: slow })).toBe('The machine is closed.')
  })

  it('leaves others their turn: more programs than threads', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, index) => value(`return ${index}`)))
    expect(all).toEqual(Array.from({ length: 12 }, (_, index) => index))
  })
})

describe('a program that looks for a way out', () => {
  it.each([
    'return typeof process',
    'return typeof require',
    'return typeof module',
    'return typeof Buffer',
    'return typeof WebAssembly',
    'return typeof Worker',
    'return typeof postMessage',
    'return typeof globalThis.constructor.constructor("return process")',
    'return typeof Function("return this.process")()',
    'return typeof (async () => {}).constructor("return this.process")',
    'return typeof utils.callTool.constructor("return process")',
    'return String(await utils.callTool("x").constructor.constructor("return typeof process")())',
    'return typeof eval("this.process")',
    'return typeof new Proxy({}, {}).constructor.constructor("return process")().x',
    'return typeof console.log.constructor("return this")().process',
  ])('finds nothing: %s', async (code) => {
    const end = await run(code, {
      ask: (calls) => ({ kind: 'answers', answers: calls.map(() => ({ ok: true, text: '' })) }),
    })
    const told = end.kind === 'returned' ? end.value : end.kind === 'failed' ? end.reason : end.kind
    expect(told).toMatch(/^"(undefined|function)"$|is not defined|never comes/)
    expect(JSON.stringify(end)).not.toContain(secret)
  })

  it('cannot import', async () => {
    for (const name of ['fs', 'node:fs', './worker.ts', 'data:text/javascript,1'])
      expect(await reason(`await import(${JSON.stringify(name)})`)).toMatch(/could not load module|Error/)
    expect(await reason('import fs from "fs"')).toContain('SyntaxError')
  })

  it('finds only what the machine put there', async () => {
    const names = (await value('return Reflect.ownKeys(globalThis).map(String)')) as string[]
    const own = ['args', 'context', 'console', 'utils', 'fetch']
    for (const name of own) expect(names).toContain(name)
    const standard = [...Reflect.ownKeys(globalThis).map(String), 'InternalError']
    expect(names.filter((name) => !own.includes(name) && !standard.includes(name))).toEqual([])
    const hostly = ['process', 'require', 'module', 'Buffer', 'WebAssembly', 'performance']
    expect(names.filter((name) => hostly.includes(name))).toEqual([])
  })

  it('leaves nothing behind for the next program', async () => {
    const spoil = `Object.prototype.polluted = 1; Array.prototype.map = () => "mine"; JSON.stringify = () => "{}";
      Promise.prototype.then = () => {}; String.prototype.slice = () => ""; globalThis["left"] = 1; return 1`
    await run(spoil)
    const look = 'return [({}).polluted ?? 0, typeof left, [1].map((n) => n + 1), "abc".slice(1)]'
    for (let time = 0; time < 4; time += 1) expect(await value(look)).toEqual([0, 'undefined', [2], 'bc'])
  })

  it('hurts only itself when it spoils what it was given', async () => {
    const end = await run('JSON.stringify = () => "{\\"ok\\":true,\\"value\\":\\"forged\\"}"; return "real"')
    expect(end).toMatchObject({ kind: 'returned', value: '"real"' })
    expect((await run('Object.prototype.then = (r) => r("x"); return {}')).kind).not.toBe('stopped')
    expect(await value('return 1')).toBe(1)
  })
})

describe('calls', () => {
  const answers = (calls: readonly RawCall[]): AnswersReply => ({
    kind: 'answers',
    answers: calls.map(({ tool, args }) => ({ ok: tool !== 'bad', text: `${tool} ${args}` })),
  })

  it('wait for each other only where the program waits', async () => {
    const batches: number[] = []
    const code = `const [a, b] = await Promise.all([utils.callTool("a", { n: 1 }), utils.callTool("b")])
      const c = await utils.callTool("c", { a })
      return [a, b, c]`
    const end = await run(code, {
      ask: (calls) => {
        batches.push(calls.length)
        return answers(calls)
      },
    })
    expect(batches).toEqual([2, 1])
    expect(end).toMatchObject({ value: JSON.stringify(['a {"n":1}', 'b {}', 'c {"a":"a {\\"n\\":1}"}']) })
  })

  it('throw what went wrong, with the line', async () => {
    expect(await reason('\nawait utils.callTool("bad")', { ask: answers })).toBe('Error: bad {} (line 2)')
    const caught = await run('try { await utils.callTool("bad") } catch (e) { return e.message }', {
      ask: answers,
    })
    expect(caught).toMatchObject({ value: '"bad {}"' })
  })

  it('are at most ten at once and twenty in all', async () => {
    const batches: number[] = []
    const ask = (calls: readonly RawCall[]) => {
      batches.push(calls.length)
      return answers(calls)
    }
    const code = `const all = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => utils.callTool("a", { n })))
      return all.map((each) => each.status === "fulfilled" ? 1 : each.reason.message)`
    const end = await run(code, { ask })
    expect(batches).toEqual([10, 10])
    expect(end.kind === 'returned' && (JSON.parse(end.value) as unknown[]).slice(19)).toEqual([
      1,
      ...Array(5).fill('It may make 20 calls, and has made them.'),
    ])
    const loop = 'for (;;) { try { await utils.callTool("a") } catch {} }'
    expect(await reason(loop, { ask: answers })).toBe('It computed for more than 0.4 s.')
  })

  it('may be stopped, and then nothing more is run', async () => {
    expect(await run('await utils.callTool("a"); while (true) {}')).toEqual({ kind: 'stopped' })
  })
})
