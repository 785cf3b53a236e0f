/**
 * Proves that the program of a custom tool stays where it is: it finds nothing of the host, takes no more than it may,
 * calls no tool that it was not given, and gets no answer that was meant for another call. Every kind of trial has a
 * control that does the nearest allowed thing, which must succeed. What a program may call is taken from the categories
 * of the tools, not from the table that is on trial.
 */
import { canonicalText, idFrom, type JsonObject, type ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { builtinTools, createCatalogue, type ScriptAnswer, type ToolCapabilities } from '@countersign/tools'
import { scriptCapabilities } from '../../../../packages/executor/src/capabilities/script.ts'
import { type ReplayChecks, replayChecks } from '../../../../packages/executor/src/script/replay.ts'
import {
  createScriptThreads,
  type ScriptThreads,
} from '../../../../packages/executor/src/script/thread-pool.ts'
import { createRandom, type Random } from '../../../../packages/executor/src/testing/random.ts'
import { customTools as customDefinitions } from '../../../../packages/tools/src/custom/index.ts'
import { runCustomTool } from '../../../../packages/tools/src/custom/run-custom-tool.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'

const mutants = ['no-memory-limit', 'no-deadline', 'permissions-unchecked', 'journal-unchecked'] as const

export const customTools: Suite = { name: 'custom-tools', defaultSize: 700, mutants, run }

async function run({ n, seed, mutant, log }: SuiteOptions): Promise<SuiteResult> {
  const bench = openBench(seed, mutant)
  const wrong: string[] = []
  const byKind: Record<string, number> = {}
  const names = Object.keys(trials)
  try {
    for (let trial = 0; trial < n; trial += 1) {
      const name = names[trial % names.length] ?? ''
      byKind[name] = (byKind[name] ?? 0) + 1
      for (const problem of (await trials[name]?.(bench)) ?? []) wrong.push(`${name}: ${problem}`)
      if (trial % 100 === 99) log(`${trial + 1} programs, ${wrong.length} wrong`)
    }
  } finally {
    await bench.close()
  }
  return { n, failures: wrong.length, details: { programs: byKind, examples: wrong.slice(0, 10) } }
}

interface Program {
  readonly code: string
  readonly input?: JsonObject
  readonly permissions?: readonly string[]
  readonly journal?: readonly ScriptAnswer[]
  readonly call?: string
}

interface Bench {
  readonly random: Random
  readonly canary: string
  /** One step of a program, through the tool that runs them. */
  step(program: Program): Promise<ToolResult>
  /** The same with little time. */
  hurry(code: string): Promise<ToolResult>
  /** All steps of a program, each call answered by the door. */
  through(program: Program, door: Door): Promise<Journey>
  close(): Promise<void>
}

type Door = (tool: string, args: string) => Promise<{ ok: boolean; text: string }>

interface Journey {
  readonly result: ToolResult
  readonly calls: readonly { readonly tool: string; readonly args: string }[]
  readonly mostAtOnce: number
}

/** Each says what went wrong. */
const trials: Record<string, (bench: Bench) => Promise<string[]>> = {
  'a way out': wayOut,
  memory: tooMuchMemory,
  time: tooMuchTime,
  'calls of calls': callsOfCalls,
  permissions: notPermitted,
  journal: otherAnswers,
  handles: valuesOfHandles,
}

function openBench(seed: number, mutant: string | undefined): Bench {
  const random = createRandom(seed)
  const canary = `canary${seed}x${random.below(1e9)}`
  process.env['CUSTOM_TOOLS_CANARY'] = canary
  const threads = createScriptThreads({
    threads: 1,
    limits: mutant === 'no-memory-limit' ? { memoryBytes: 1_000_000_000 } : {},
  })
  const hurried = createScriptThreads({
    threads: 1,
    limits: mutant === 'no-deadline' ? { cpuMs: 2 ** 31, wallMs: 2 ** 31 - 1 } : { cpuMs: 150 },
  })
  const checks: ReplayChecks = {
    ...replayChecks,
    ...(mutant === 'permissions-unchecked' ? { granted: () => null } : {}),
    ...(mutant === 'journal-unchecked' ? { repeated: () => true } : {}),
  }
  let count = 0
  const step = (program: Program) => stepOf(program, threads, checks)
  return {
    random,
    canary,
    step: (program) => step({ call: `c${(count += 1)}`, ...program }),
    hurry: (code) => stepOf({ code, call: `c${(count += 1)}` }, hurried, checks),
    async through(program, door) {
      const call = `c${(count += 1)}`
      const journal: ScriptAnswer[] = []
      const calls: { tool: string; args: string }[] = []
      let mostAtOnce = 0
      for (;;) {
        const result = await step({ call, ...program, journal: [...journal] })
        if (!result.calls) return { result, calls, mostAtOnce }
        mostAtOnce = Math.max(mostAtOnce, result.calls.length)
        for (const each of result.calls) {
          calls.push(each)
          journal.push({
            call: sha256Hex(`${each.tool}\n${each.args}`),
            ...(await door(each.tool, each.args)),
          })
        }
        if (calls.length > 100) return { result, calls, mostAtOnce }
      }
    },
    async close() {
      delete process.env['CUSTOM_TOOLS_CANARY']
      await Promise.all([threads.close(), hurried.close()])
    },
  }
}

/** A program that nothing ends is cancelled here, and that is what its trial sees. */
const patienceMs = 6_000

async function stepOf(program: Program, threads: ScriptThreads, checks: ReplayChecks): Promise<ToolResult> {
  const { code, input = {}, permissions = [], journal = [], call = 'c' } = program
  if (runCustomTool.runs !== 'executor') throw new Error('not for an executor')
  const subject = {
    tool: { name: 'run_custom_tool', version: '1', definition: '', effect: 'pure' as const },
    call: idFrom('call', call),
    session: idFrom('ses', 'prove'),
    operator: idFrom('op', 'prove'),
  }
  const script = scriptCapabilities(subject, {
    threads,
    replayChecks: checks,
    secretNames: () => Promise.resolve(keptNames),
  })
  const args = { name: 'probe', code, input, permissions: [...permissions], journal: [...journal] }
  return runCustomTool.run(
    args as unknown as JsonObject,
    { script } as ToolCapabilities,
    AbortSignal.timeout(patienceMs),
  )
}

async function wayOut({ random, canary, step }: Bench): Promise<string[]> {
  const roots = [
    'args',
    'context',
    'utils',
    'utils.callTool',
    'utils.hash',
    'utils.uuid()',
    'console.log',
    'fetch',
    'Promise.resolve()',
    'utils.callTool("x", {}).catch(() => 0)',
    '(() => { try { utils.hash("x", "none") } catch (e) { return e } })()',
    '(() => { try { null.x } catch (e) { return e } })()',
    '(async () => {})',
    '(function* () {})',
    'Reflect.ownKeys',
    'new Proxy(utils, {})',
    'Symbol.iterator',
    'new Map([[args, 1]])',
    'globalThis["utils"]',
  ]
  const steps = [
    (at: string) => `(${at})?.constructor`,
    (at: string) => `Object.getPrototypeOf(Object(${at}))`,
    (at: string) => `(${at})?.["__proto__"]`,
    (at: string) =>
      `Object.values(Object.getOwnPropertyDescriptors(Object(${at}))).map((d) => d.value ?? d.get)[0]`,
    (at: string) => `(${at})?.constructor?.constructor`,
  ]
  let at = random.pick(roots)
  for (let depth = random.below(4); depth > 0; depth -= 1) at = random.pick(steps)(at)
  const code = `const seen = new Set(), found = []
    const names = ["process", "require", "module", "Buffer", "WebAssembly", "Worker", "Deno", "global", "window"]
    const look = (value, depth) => {
      if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value) || depth > 6) return
      seen.add(value)
      for (const key of Reflect.ownKeys(value)) {
        if (names.includes(String(key))) found.push(String(key))
        try { look(value[key], depth + 1) } catch {}
      }
      look(Object.getPrototypeOf(value), depth + 1)
    }
    let start; try { start = ${at} } catch (e) { start = e }
    look(start, 0)
    for (const make of [(c) => Function(c)(), (c) => (0, eval)(c), (c) => start?.constructor?.constructor?.(c)?.()])
      for (const name of names) { try { if (make("return typeof " + name) === "object") found.push(name) } catch {} }
    return { found, stack: String(new Error().stack), text: String(start?.stack ?? "") + String(start) }`
  const result = await step({ code, permissions: ['network'] })
  const told = result.text
  const control = await step({ code: 'return typeof utils.callTool' })
  const value = result.ok ? (JSON.parse(told) as { found: string[] }) : { found: [] }
  return [
    ...(value.found.length > 0 ? [`${at} leads to ${value.found.join()}`] : []),
    ...([canary, process.execPath, import.meta.dirname, 'node:internal', 'file://'].some((text) =>
      told.includes(text),
    )
      ? [`${at} tells of the host: ${told.slice(0, 200)}`]
      : []),
    ...(control.text === 'function' ? [] : ['the control did not run']),
  ]
}

async function tooMuchMemory({ random, step }: Bench): Promise<string[]> {
  const kind = random.pick([
    (megabytes: number) =>
      `const a = []; for (let i = 0; i < ${megabytes}; i++) a.push(new Uint8Array(1e6).fill(1)); return a.length`,
    (megabytes: number) =>
      `const a = []; for (let i = 0; i < ${megabytes}; i++) a.push("x".repeat(1e6) + i); return a.length`,
    (megabytes: number) =>
      `const a = []; for (let i = 0; i < ${megabytes}; i++) a.push(new Array(130000).fill(0)); return a.length`,
    (megabytes: number) => `return new ArrayBuffer(${megabytes} * 1e6).byteLength`,
    (megabytes: number) => `return "".padEnd(${megabytes} * 1e6, "xyz").length`,
  ])
  const megabytes = 60 + random.below(60)
  const much = await step({ code: kind(megabytes) })
  const little = await step({ code: kind(2 + random.below(8)) })
  return [
    ...(!much.ok && much.text.includes('of memory')
      ? []
      : [`${kind(megabytes).slice(0, 60)}, ${megabytes} MB: ${much.text}`]),
    ...(little.ok ? [] : [`the control did not run: ${little.text}`]),
  ]
}

async function tooMuchTime({ random, hurry }: Bench): Promise<string[]> {
  const endless = random.pick([
    'while (true) {}',
    'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
    'for (;;) await null',
    'const f = async () => { await null; return f() }; await f()',
    'return /^(a|a)*$/.test("a".repeat(60) + "b")',
    'return new Array(2 ** 32 - 2).join("")',
    'return { toJSON() { for (;;) {} } }',
    'let x = 1n; for (;;) x = (x * 3n) % 1000007n',
    'const m = new Map(); for (let i = 0; ; i++) { m.set(i % 100, i) }',
    'return { get a() { for (;;) {} } }',
    'Promise.prototype.then = function () { for (;;) {} }; await 1; for (;;) {}',
  ])
  const rounds = 1 + random.below(20_000)
  const result = await hurry(endless)
  const control = await hurry(`let x = 0; for (let i = 0; i < ${rounds}; i++) x += i; return x`)
  return [
    ...(!result.ok && result.text.includes('computed for more than') ? [] : [`${endless}: ${result.text}`]),
    ...(control.text === String((rounds * (rounds - 1)) / 2) ? [] : ['the control did not run']),
  ]
}

/** The installation lets calls nest three deep; what each program may ask for is bounded by the machine. */
async function callsOfCalls({ random, through }: Bench): Promise<string[]> {
  const programs = new Map<string, string>()
  const names = ['one', 'two', 'three']
  for (const name of names) {
    const next = random.pick(names)
    const width = 1 + random.below(2)
    programs.set(
      name,
      `const all = await Promise.allSettled(Array.from({ length: ${width} }, (_, n) => utils.callTool("${next}", { n })))
       return all.map((each) => each.status)`,
    )
  }
  let runs = 0
  const doorAt =
    (depth: number): Door =>
    async (tool) => {
      if (depth >= 3) return { ok: false, text: 'Its calls are nested too deeply.' }
      runs += 1
      const { result } = await through({ code: programs.get(tool) ?? '' }, doorAt(depth + 1))
      return { ok: result.ok, text: result.text }
    }
  const first = await through({ code: programs.get('one') ?? '' }, doorAt(0))
  const many = 15 + random.below(30)
  const wide = await through(
    {
      code: `return (await Promise.allSettled(Array.from({ length: ${many} }, (_, n) => utils.callTool("x", { n })))).length`,
    },
    async () => ({ ok: true, text: '' }),
  )
  return [
    ...(runs > 2 + 4 + 8 ? [`${runs} programs came of one`] : []),
    ...(first.result.ok ? [] : [`the control did not run: ${first.result.text}`]),
    ...(wide.calls.length > 20 || wide.mostAtOnce > 10
      ? [`${wide.calls.length} calls, ${wide.mostAtOnce} at once`]
      : []),
    ...(wide.result.text === String(many) ? [] : ['not every call was answered']),
  ]
}

const known = createCatalogue([
  ...builtinTools,
  ...customDefinitions.filter(({ name }) => builtinTools.every((tool) => tool.name !== name)),
])
const neededFor: Readonly<Record<string, string>> = {
  web: 'network',
  weather: 'network',
  browser: 'network',
  files: 'filesystem',
  pdf: 'filesystem',
  code: 'shell',
  git: 'shell',
  cli: 'shell',
  coding: 'shell',
  language: 'network',
  image: 'network',
  audio: 'network',
  vectors: 'database',
  tasks: 'database',
  notes: 'database',
  bookmarks: 'database',
  calendar: 'database',
  contacts: 'database',
  finance: 'database',
  data: 'database',
  memory: 'database',
  goals: 'database',
  history: 'database',
  plans: 'database',
  agents: 'database',
  scheduler: 'scheduling',
  mail: 'email',
}

/** Tools that need something else than the rest of their category; `nothing` opens to everybody, `nobody` to none. */
const exceptions: Readonly<Record<string, string>> = {
  // What begins, stops or goes on with work needs more than what keeps it.
  execute_plan: 'scheduling',
  pause_plan: 'scheduling',
  resume_plan: 'scheduling',
  start_agent_task: 'scheduling',
  cancel_agent_task: 'scheduling',
  download_file: 'network',
  create_embedding: 'network',
  similarity_score: 'network',
  resize_image: 'filesystem',
  audio_info: 'filesystem',
  split_audio: 'filesystem',
  parse_receipt: 'filesystem',
  list_languages: 'nothing',
  read_web: 'nobody',
  semantic_search: 'nobody',
  export_expenses: 'nobody',
}

const triesEach = 6

async function notPermitted(bench: Bench): Promise<string[]> {
  const { random, step } = bench
  const opened: string[] = []
  for (let tried = 0; tried < triesEach; tried += 1) {
    const granted = permissions.filter(() => random.below(3) === 0)
    const { name } = random.pick([...builtinTools, ...customDefinitions])
    const spelling = random.below(2) === 0 ? name : random.pick(spellings)(name)
    const result = await step({ code: random.pick(ways)(JSON.stringify(spelling)), permissions: granted })
    for (const { tool } of result.calls ?? [])
      if (!isOpen(tool, granted)) opened.push(`${tool} was called with ${granted.join() || 'no permission'}`)
  }
  const control = await step({ code: 'await utils.callTool("calculate", { expression: "1" })' })
  return [...opened, ...(control.calls?.length === 1 ? [] : ['the control did not call'])]
}

const permissions = ['network', 'filesystem', 'database', 'shell', 'email', 'scheduling']

const ways: readonly ((name: string) => string)[] = [
  (name) => `await utils.callTool(${name}, {})`,
  (name) => `await utils["call" + "Tool"](${name}, {})`,
  (name) => `await utils.callTool({ toString: () => ${name} }, {})`,
  (name) => `await utils.callTool([${name}], {})`,
  (name) =>
    `await Promise.all([utils.callTool("calculate", { expression: "1" }), utils.callTool(${name}, {})])`,
  (name) => `await Reflect.apply(utils.callTool, null, [${name}, {}])`,
  (name) => `String.prototype.toString = () => "calculate"; await utils.callTool(${name}, {})`,
  (name) => `JSON.stringify = () => "{}"; await utils.callTool(${name}, {})`,
]

function isOpen(name: string, granted: readonly string[]): boolean {
  const tool = known.definition(name)
  if (!tool) return true
  if (tool.hidden || tool.runs === 'unwrapped' || tool.runs === 'operator') return false
  if (tool.category === 'custom') return name === 'list_custom_tools'
  const needed = exceptions[name] ?? neededFor[tool.category]
  if (needed === undefined || needed === 'nothing') return tool.floor === 0
  return granted.includes(needed)
}

const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name[0]?.toUpperCase() + name.slice(1),
  (name) => ` ${name}`,
  (name) => `${name} `,
  (name) => `${name}\n`,
  (name) => `${name}\0`,
  (name) => `${name}\u200b`,
  (name) => `\ufeff${name}`,
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll('_', ''),
  (name) => name.replaceAll('_', '__'),
  (name) => name.replaceAll('e', 'е'),
  (name) => name.replaceAll('o', 'о'),
  (name) => name.normalize('NFKD'),
  (name) => `tools.${name}`,
  (name) => `${name}()`,
  (name) => `./${name}`,
  (name) => `built-in:${name}`,
  (name) => `${name}?x`,
  (name) => `${name}/`,
  (name) => name.split('').toReversed().join(''),
  (name) => `use_tool:${name}`,
  (name) => `${name};calculate`,
  (name) => `calculate\n${name}`,
]

async function otherAnswers({ random, step, through }: Bench): Promise<string[]> {
  const count = 2 + random.below(4)
  const marks = Array.from({ length: count }, (_, index) => `m${index}x${random.below(1e6)}`)
  const code = (order: readonly string[], together: boolean) =>
    together
      ? `return await Promise.all(${JSON.stringify(order)}.map(async (mark) => [mark, await utils.callTool("echo", { mark })]))`
      : `const all = []; for (const mark of ${JSON.stringify(order)}) all.push([mark, await utils.callTool("echo", { mark })]); return all`
  const together = random.below(2) === 0
  const honest = marks.map((mark) => answerTo(mark))
  const control = await through({ code: code(marks, together) }, async (_, args) => ({
    ok: true,
    text: (JSON.parse(args) as { mark: string }).mark,
  }))
  const forgeries: (() => { code: string; journal: ScriptAnswer[] })[] = [
    () => ({ code: code(marks, together), journal: honest.toReversed() }),
    () => ({ code: code(marks.toReversed(), together), journal: honest }),
    () => ({ code: code(['another', ...marks.slice(1)], together), journal: honest }),
    () => ({ code: code(marks, together), journal: [...honest.slice(1), answerTo('another')] }),
    () => ({ code: code(marks, together).replaceAll('"echo"', '"other"'), journal: honest }),
    () => ({ code: code(marks.slice(1), together), journal: honest }),
    () => ({ code: code(marks, together), journal: [...honest, answerTo('another')] }),
    () => ({ code: code(marks, together), journal: honest.map(turned) }),
  ]
  const wrong: string[] = []
  for (const forge of random.shuffle(forgeries).slice(0, 3)) {
    const result = await step(forge())
    if (result.ok && !result.calls) wrong.push(`a program got other answers: ${result.text}`)
  }
  const { ok, text } = control.result
  const isMarked = ok && (JSON.parse(text) as [string, string][]).every(([mark, answer]) => mark === answer)
  return [...wrong, ...(isMarked ? [] : [`the control did not run: ${text}`])]
}

function turned(answer: ScriptAnswer): ScriptAnswer {
  return { ...answer, call: answer.call.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }
}

function answerTo(mark: string): ScriptAnswer {
  return { call: sha256Hex(`echo\n${canonicalText({ mark })}`), ok: true, text: mark }
}

const services = ['weather', 'mail', 'custom_tools_canary', 'api-key'] as const
const keptNames = services.flatMap((name) => [name, `${name}.password`, `${name}-work`])

async function valuesOfHandles({ random, canary, through }: Bench): Promise<string[]> {
  const name = random.pick(services)
  const ask = random.pick([
    'utils.getApiKey(name)',
    'utils.getFieldValue(name, "password")',
    'utils.getFieldValue(name, "api_key", "work")',
    'utils.getConfigEntry(name).apiKey',
    'utils.getConfigEntries(name)[0].apiKey',
    'utils.getServiceConfig(name).apiKey',
  ])
  const code = `const name = ${JSON.stringify(name)}, key = ${ask}
    console.log(key, utils.base64Encode(key), utils.hexEncode(key), utils.hash(key), [...key].join(" "))
    const answer = await utils.callTool("http_request", { url: "https://example.test/?key=" + key, headers: { key } })
    return { key, answer, text: key.toString(), json: JSON.stringify({ key }), length: key.length }`
  const { result, calls } = await through({ code, permissions: ['network'] }, async () => ({
    ok: true,
    text: 'ok',
  }))
  const told = JSON.stringify({ result, calls })
  const carried = calls.every(({ args }) => /\{\{secret:[a-z0-9_.-]+\}\}/.test(args))
  return [
    ...(told.includes(canary) ? ['a value was seen'] : []),
    ...(result.ok && calls.length === 1 && carried ? [] : [`the handle did not travel: ${result.text}`]),
  ]
}
