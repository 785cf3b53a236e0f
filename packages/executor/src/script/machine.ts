/**
 * Owns one run of a program, from its beginning, in a machine of its own: QuickJS in WebAssembly, with four functions of
 * the host that take and give texts and numbers. Refuses what computes too long, takes too much memory or goes too
 * deep. The clock stands still and chance comes from a seed, so a program that is run again with the same answers does
 * the same again.
 */
import { createHash } from 'node:crypto'
import { CompileFlags, EvalFlags, Intrinsics, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi'
import { type ScriptLimits, tooLong, tooMuch } from './limits.ts'
import type { AnswersReply, MachineEnd, RawCall, ScriptJob } from './message.ts'
import { preludeSource } from './prelude/source.ts'
import type { CompiledMachine, MachineMemory } from './wasm.ts'

/** Answers the calls that a program waits for. Asked only when it can do nothing else. */
export type AnswerCalls = (calls: readonly RawCall[]) => Promise<AnswersReply>

export interface Machine {
  readonly wasm: CompiledMachine
  /** The prelude, compiled: reading its text would take longer than all the rest. */
  readonly prelude: Uint8Array
}

export async function openMachine(wasm: CompiledMachine): Promise<Machine> {
  using vm = await QuickJS.create({ wasm: wasm as never })
  return { wasm, prelude: vm.compile(preludeSource(), 'utils.js', 0, CompileFlags.STRIP_SOURCE) }
}

/** Resolves even on failure. */
export async function runProgram(
  { wasm, prelude }: Machine,
  job: ScriptJob,
  ask: AnswerCalls,
): Promise<MachineEnd> {
  const { limits } = job
  const log: string[] = []
  const watch = createWatch(limits)
  const failed = (reason: string): MachineEnd => ({ kind: 'failed', reason, log })
  try {
    using vm = await createMachine(wasm, job, watch)
    const waiting: WaitingCall[] = []
    const host = giveHost(vm, job, { log, waiting })
    const setup = vm.newString(JSON.stringify(job.setup))
    const runner = vm.callFunction(vm.evalBytecode(prelude), vm.undefined, host, setup)
    // On one line with the first of the program, so that the lines are numbered as its author numbers them.
    const program = vm.evalCode(
      `(async () => {${job.code}\n})`,
      `${job.name}.js`,
      EvalFlags.BACKTRACE_BARRIER,
    )
    const promise = vm.callFunction(runner, vm.undefined, program)
    for (;;) {
      vm.executePendingJobs()
      if (watch.isOver()) return failed(tooLong(limits))
      if (promise.promiseState !== 0) break
      const batch = waiting.splice(0, limits.callsAtOnce)
      if (batch.length === 0) return failed('It waits for something that never comes.')
      const reply = await ask(batch.map(({ call }) => call))
      if (reply.kind === 'stop') return { kind: 'stopped' }
      for (const [index, { settle }] of batch.entries()) {
        const { ok, text } = reply.answers[index] ?? { ok: false, text: 'There is no answer.' }
        settle(`${ok ? 1 : 0}${text}`)
      }
    }
    const settled = await vm.resolvePromise(promise)
    if (!('value' in settled) || !settled.value.isString) return failed(tooMuch(limits))
    return endOf(settled.value.toString(), job, log)
  } catch (error) {
    return failed(watch.isOver() ? tooLong(limits) : reasonOf(error, job))
  }
}

interface WaitingCall {
  readonly call: RawCall
  settle(answer: string): void
}

interface TimeLimit {
  isOver(): boolean
  /** Looks at the clock. */
  checkClock(): boolean
}

function createWatch({ cpuMs }: ScriptLimits): TimeLimit {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const began = used()
  let isOver = false
  return {
    isOver: () => isOver,
    checkClock() {
      isOver ||= used() - began > cpuMs
      return isOver
    },
  }
}

/** Left out: what measures time, and what shows when memory is reclaimed; neither comes out the same twice. */
const intrinsics = Intrinsics.ALL & ~(Intrinsics.PERFORMANCE | Intrinsics.WEAK_REF)

function createMachine(
  wasm: CompiledMachine,
  { limits, now }: ScriptJob,
  watch: TimeLimit,
): Promise<QuickJS> {
  return QuickJS.create({
    wasm,
    memoryLimit: limits.memoryBytes,
    maxStackSize: limits.stackBytes,
    intrinsics: intrinsics >>> 0,
    timezoneOffset: 0,
    interruptHandler: () => watch.checkClock(),
    wasi: (memory: MachineMemory) => ({
      clock_time_get(_clock: number, _precision: bigint, result: number) {
        new DataView(memory.buffer).setBigUint64(result, BigInt(now) * 1_000_000n, true)
        return 0
      },
      random_get(start: number, length: number) {
        new Uint8Array(memory.buffer, start, length).fill(0)
        return 0
      },
      fd_write: () => badDescriptor,
    }),
  })
}

const badDescriptor = 8

function giveHost(
  vm: QuickJS,
  { limits, seed }: ScriptJob,
  { log, waiting }: { log: string[]; waiting: WaitingCall[] },
): JSValueHandle {
  const chance = createChance(seed)
  let made = 0
  // A value that is no text is never converted: that would run code of the program in the middle of the host's.
  const textOf = (handle: JSValueHandle | undefined) => (handle?.isString ? handle.toString() : '')
  const functions: Record<string, (...args: JSValueHandle[]) => JSValueHandle> = {
    call(tool, args) {
      made += 1
      if (made > limits.calls) return vm.newString(`0It may make ${limits.calls} calls, and has made them.`)
      const deferred = vm.newPromise()
      const settle = (answer: string) => deferred.resolve(vm.newString(answer))
      waiting.push({ call: { tool: textOf(tool), args: textOf(args) }, settle })
      return deferred.handle
    },
    hash(algorithm, text) {
      const name = textOf(algorithm)
      if (!algorithms.includes(name)) return vm.undefined
      return vm.newString(createHash(name).update(textOf(text)).digest('hex'))
    },
    random: () => vm.newNumber(chance()),
    log(line) {
      if (log.length < limits.logLines) log.push(textOf(line).slice(0, limits.lineChars).toWellFormed())
      return vm.undefined
    },
  }
  const host = vm.newObject()
  for (const [name, run] of Object.entries(functions)) vm.setProp(host, name, vm.newFunction(name, run))
  return host
}

const algorithms = ['md5', 'sha1', 'sha256', 'sha384', 'sha512']

/** Numbers from 0 up to 1, from a stream of hashes: what comes next cannot be told from what came before. */
function createChance(seed: string): () => number {
  let block = Buffer.alloc(0)
  let count = 0
  return () => {
    if (block.length < 8) {
      block = createHash('sha512').update(`${seed}\n${count}`).digest()
      count += 1
    }
    const bits = block.readBigUInt64BE(0) >> 11n
    block = block.subarray(8)
    return Number(bits) / 2 ** 53
  }
}

/** Without memory for an exception there is none to read. */
const outOfMemory = /out of memory|^\[uninitialized\]/

/** What the runner of the prelude tells. It came out of the machine, so it is read as anything might be. */
function endOf(text: string, { name, limits }: ScriptJob, log: readonly string[]): MachineEnd {
  const told = JSON.parse(text) as { ok?: unknown; value?: unknown; message?: unknown; stack?: unknown }
  if (told.ok !== true) {
    const reason = worded(String(told.message), String(told.stack), name)
    return { kind: 'failed', reason: outOfMemory.test(reason) ? tooMuch(limits) : reason, log }
  }
  const value = JSON.stringify(told.value ?? null)
  if (value.length <= limits.outputChars) return { kind: 'returned', value, log }
  const most = limits.outputChars / 1000
  return {
    kind: 'failed',
    reason: `It returned ${Math.ceil(value.length / 1000)} kB; the most is ${most} kB.`,
    log,
  }
}

function reasonOf(error: unknown, { name, limits }: ScriptJob): string {
  if (error instanceof JSException) {
    if (outOfMemory.test(error.message)) return tooMuch(limits)
    return worded(`${error.name}: ${error.message}`, error.stack ?? '', name)
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof RangeError && /call stack/.test(message)) return 'It nested too deeply.'
  if (/malloc|memory/i.test(message)) return tooMuch(limits)
  return 'The machine stopped.'
}

const longestReason = 2_000

function worded(message: string, stack: string, name: string): string {
  const line = new RegExp(`${name}\\.js:(\\d+)`).exec(stack)?.[1]
  const where = line === undefined ? '' : ` (line ${line})`
  return `${message.slice(0, longestReason)}${where}`.toWellFormed()
}
