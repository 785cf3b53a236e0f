/**
 * Owns the way of a spent permit through the executor to its outcome. A permit is sent until it is answered; the
 * executor runs it at most once however often it is sent. What nobody can know is recorded as unknown, never retried.
 */
import type { Control } from '@countersign/agent'
import {
  type CallId,
  changesTaker,
  type ExecutorPort,
  type ExecutorReply,
  holdsMark,
  joinLabels,
  type Label,
  operatorLabel,
  type Permit,
  type PictureFile,
  type Resource,
  readerTool,
  type ToolResult,
  usedSecrets,
  workspaceRestorer,
} from '@countersign/contract'
import { askQuestion, unknownChoices } from '../approvals/questions.ts'
import { withdrawServerQuestions } from '../approvals/server-questions.ts'
import { lockHeld } from '../store/run-row.ts'
import type { Unit } from '../store/store.ts'
import { type IntendedCall, recordCallEntry } from './authorize.ts'
import { type CallRow, type EndedCall, emitEnded, endCallsOf } from './call-rows.ts'
import { proposeChildCalls, proposeNextCall } from './child-calls.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'
import { keepLabels, labelsRead, writtenBy } from './file-labels.ts'
import { tellMiddleware } from './middleware.ts'
import { beginReader } from './readers.ts'

const mostSends = 40
const pauseBetweenSendsMs = 250
/** How long an outcome waits for others to be written with. */
const gatherMs = 20

/** What came of it: the calls that ended, and what people asked of the run meanwhile unless words wait. */
export interface ExecutionResult {
  readonly ended: readonly EndedCall[]
  readonly control: Control | undefined
}

export async function executePermits(
  caller: Caller,
  intended: readonly IntendedCall[],
  signal: AbortSignal,
  ports: DispatchPorts,
): Promise<ExecutionResult> {
  const ended: EndedCall[] = []
  let control: Control | undefined
  let waiting = [...intended]
  // Sent by an earlier life, in which a server may have asked: nobody waits for that answer any more.
  if (waiting.some(({ row }) => row.state === 'intended'))
    await ports.store.transact(caller.held.operator, (unit) => withdrawServerQuestions(unit, caller.held.id))
  for (let send = 1; waiting.length > 0; send += 1) {
    const lost: IntendedCall[] = []
    const batch = waiting
    const writer = createOutcomeWriter(batch.length, async (answered) => {
      const written = await writeOutcomes(caller, answered, ports)
      ended.push(...written.ended)
      control = written.control
    })
    const take = (one: IntendedCall | undefined, reply: ExecutorReply) => {
      if (!one) return
      if (reply.kind === 'lost' && send < mostSends) {
        lost.push(one)
        writer.expectLess()
      } else writer.add({ one, reply })
    }
    const byExecutor = Map.groupBy(batch, ({ permit }) => executorOf(permit, ports))
    await Promise.all(
      [...byExecutor].map(([executor, theirs]) =>
        executor.execute(
          theirs.map((one) => one.permit),
          signal,
          (index, reply) => take(theirs[index], reply),
          // Read from the table it was under way when somebody else, or an earlier life, held the run.
          (index) => theirs[index]?.row.state === 'intended',
        ),
      ),
    )
    await writer.done()
    waiting = lost
    if (waiting.length > 0) await ports.wait(pauseBetweenSendsMs)
  }
  return { ended, control }
}

function executorOf({ subject }: Permit, { executors }: DispatchPorts): ExecutorPort {
  const { gateway, executor } = executors
  return subject.audience.executor === gateway.identity.executor ? gateway : executor
}

interface OutcomeWriter {
  add(answered: AnsweredPermit): void
  expectLess(): void
  done(): Promise<void>
}

/** Writes outcomes together: when all are there, or those that are there after a moment, so that people see them. */
function createOutcomeWriter(
  expected: number,
  write: (batch: readonly AnsweredPermit[]) => Promise<void>,
): OutcomeWriter {
  let queue: AnsweredPermit[] = []
  let missing = expected
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = queue
    queue = []
    if (batch.length > 0) writing = writing.then(() => write(batch))
  }

  function lookAgain(): void {
    missing -= 1
    if (missing === 0) flush()
    else if (queue.length > 0) timer ??= setTimeout(flush, gatherMs)
  }

  return {
    add(answered) {
      queue.push(answered)
      lookAgain()
    },
    expectLess: lookAgain,
    async done() {
      flush()
      await writing
    },
  }
}

interface AnsweredPermit {
  readonly one: IntendedCall
  readonly reply: ExecutorReply
}

async function writeOutcomes(
  caller: Caller,
  batch: readonly AnsweredPermit[],
  ports: DispatchPorts,
): Promise<{ ended: readonly EndedCall[]; control: Control | undefined }> {
  const { value } = await ports.store.transact(caller.held.operator, async (unit) => {
    const run = await lockHeld(unit, caller.held)
    const ended: EndedCall[] = []
    const read = await labelsRead(
      unit,
      run.id,
      batch.map(({ one, reply }) => ({ permit: one.permit, traced: tracedIn(reply) })),
    )
    const origins: Label[] = []
    for (const [index, { one, reply }] of batch.entries()) {
      const asked = await startChildCalls(unit, caller, one, reply, ports)
      if (asked && 'labels' in asked) {
        origins.push(...asked.labels)
        continue
      }
      const refused = asked ? undefined : await startReader(unit, caller, one, reply, ports)
      if (refused === 'reads') continue
      const done = asked ?? refused ?? endedCall(one, reply, caller, ports)
      const call = withLabel(await startNextCall(unit, caller, one, { done, reply }, ports), read[index])
      // Also where nobody saw the end: what the tool brings in may be in the files.
      const brought = call.label ?? outputOf(one.permit, caller)
      await keepLabels(unit, {
        call: call.id,
        subject: one.permit.subject,
        label: [brought, ...(read[index] ? [read[index]] : [])].reduce(joinLabels, run.label),
        outcome: call.outcome,
        traced: tracedIn(reply),
        coversNothing: one.row.tool === workspaceRestorer || one.row.tool === changesTaker,
        undoes: run.kind === 'undo' ? (one.row.model_id as CallId) : null,
      })
      recordOutcome(unit, caller, one, call)
      if (call.outcome === 'unknown' && mayRepeat(caller, one)) await proposeAgain(unit, one.row)
      else {
        await announceEnd(unit, caller, one.row, call, ports)
        ended.push(call)
      }
    }
    const brought = ended.flatMap((call) => call.label ?? [])
    const label = [...origins, ...brought].reduce(joinLabels, run.label)
    const { settings, ...seen } = await endCallsOf(unit, run, ended, label, ports.settings)
    const { words, stop, pause } = await ports.pendingControls(unit, run, seen)
    return { label, ended, settings, control: words ? undefined : { stop, pause, steering: [] } }
  })
  // The segment may know more than the run's row has been told.
  caller.label = joinLabels(caller.label, value.label)
  caller.settingsSeen = value.settings
  return value
}

/** A tool that asked for calls waits for them; if they cannot be made it has failed. */
async function startChildCalls(
  unit: Unit,
  caller: Caller,
  one: IntendedCall,
  reply: ExecutorReply,
  ports: DispatchPorts,
): Promise<EndedCall | { labels: readonly Label[] } | undefined> {
  if (reply.kind !== 'done' || !reply.result.calls || reply.result.calls.length === 0) return undefined
  const childPorts = { uuid: ports.uuid, catalogue: caller.catalogue, limits: caller.limits }
  const asked = await proposeChildCalls(unit, caller.held, one.row, reply.result.calls, childPorts)
  if ('labels' in asked) {
    recordCallEntry(unit, caller, one.row, 'call.waits', {
      tool: one.row.tool,
      calls: reply.result.calls.length,
    })
    return asked
  }
  const result = { ok: false, text: asked.reason, summary: asked.reason, undo: null }
  return endedCall(one, { ...reply, result }, caller, ports)
}

/** Only the gateway's own executor is believed: the answer of a reader is worth more than a stranger's text. */
async function startReader(
  unit: Unit,
  caller: Caller,
  one: IntendedCall,
  reply: ExecutorReply,
  ports: DispatchPorts,
): Promise<EndedCall | 'reads' | undefined> {
  if (reply.kind !== 'done' || !reply.result.reader || one.row.tool !== readerTool) return undefined
  if (executorOf(one.permit, ports) !== ports.executors.gateway) return undefined
  const refused = await beginReader(unit, caller, one, ports)
  if (!refused) return 'reads'
  const result = { ok: false, text: refused.reason, summary: refused.reason, undo: null }
  return endedCall(one, { ...reply, result }, caller, ports)
}

/**
 * What a program changed over a view is judged by a call of its own. Until that has ended the program waits with its
 * result, which counts for the run already: what it read is known to whatever is judged next.
 */
async function startNextCall(
  unit: Unit,
  caller: Caller,
  one: IntendedCall,
  { done, reply }: { readonly done: EndedCall; readonly reply: ExecutorReply },
  ports: DispatchPorts,
): Promise<EndedCall> {
  if (reply.kind !== 'done' || !reply.result.next) return done
  const childPorts = { uuid: ports.uuid, catalogue: caller.catalogue, limits: caller.limits }
  const asked = await proposeNextCall(unit, caller.held, one.row, reply.result.next, childPorts)
  if ('labels' in asked) return { ...done, state: 'waiting' }
  const fate = `Nothing that it changed was kept: ${asked.reason}`
  return { ...done, outcome: 'failed', text: `${done.text}\n[${fate}]`, summary: fate }
}

/** What may happen twice is tried once more in this segment, under a new permit with the same key. */
function mayRepeat(caller: Caller, { row, permit }: IntendedCall): boolean {
  if (permit.subject.tool.effect === 'once' || caller.repeated.has(row.id)) return false
  caller.repeated.add(row.id)
  return true
}

async function proposeAgain(unit: Unit, row: CallRow): Promise<void> {
  await unit.db
    .updateTable('calls')
    .set({ state: 'proposed', nonce: null, permit: null, approval_id: null, intended_at: null })
    .where('id', '=', row.id)
    .execute()
}

function endedCall(
  { row, permit }: IntendedCall,
  reply: ExecutorReply,
  caller: Caller,
  { redact }: DispatchPorts,
): EndedCall {
  // What another computer says of a call that it did not do, or not to its end, is read by the model all the same.
  const said = reply.kind !== 'lost' && reply.by === 'node' ? outputOf(permit, caller) : null
  const common = { id: row.id, startedAt: null, undo: null, label: said }
  switch (reply.kind) {
    case 'done': {
      const { ok, undo, startedAt } = { ...reply.result, startedAt: reply.startedAt }
      const told = { text: redact(reply.result.text), summary: redact(reply.result.summary) }
      const label = labelOf(permit, { ...reply.result, ...told }, caller)
      const pictures = picturesOf(permit, reply.result)
      const ended = {
        ...common,
        ...told,
        startedAt,
        undo,
        label,
        ...(pictures.length > 0 ? { pictures } : {}),
      }
      return { ...ended, state: 'ended', outcome: ok ? 'ok' : 'failed' }
    }
    case 'refused': {
      const reason = redact(reply.reason)
      const text = `Not executed: ${reason}`
      return { ...common, state: 'ended', outcome: 'refused', text, summary: reason }
    }
    case 'unknown':
    case 'lost': {
      const reason = reply.kind === 'unknown' && reply.reason ? ` ${redact(reply.reason)}` : ''
      const text = `It was started, but its outcome is unknown.${reason}`
      const startedAt = reply.kind === 'unknown' ? reply.startedAt : null
      const state = permit.subject.tool.effect === 'once' ? 'unknown' : 'ended'
      return { ...common, state, outcome: 'unknown', text, summary: text, startedAt }
    }
  }
}

/** Only files that the permit let it write: their marks say what is on the pictures. */
function picturesOf({ subject }: Permit, { pictures = [] }: ToolResult): readonly PictureFile[] {
  const written = writtenBy(subject)
  return pictures.filter(({ path }) => written.includes(path))
}

/** A tool that was switched off while its call waited: what it brings in is trusted no more for that. */
function unknownOutput(tool: string): Label {
  return { integrity: 'untrusted', confidentiality: 'private', sources: [tool] }
}

function withLabel(call: EndedCall, read: Label | null | undefined): EndedCall {
  return call.label && read ? { ...call, label: joinLabels(call.label, read) } : call
}

function tracedIn(reply: ExecutorReply): ToolResult['files'] {
  return reply.kind === 'done' ? reply.result.files : undefined
}

/** What a tool brought in is as trusted as the tool says. */
function labelOf(permit: Permit, result: ToolResult, caller: Caller): Label | null {
  const told = result.label ? [result.label] : []
  const { tool, args, secrets } = permit.subject
  const used = usedSecrets(caller.catalogue.find(tool.name), args, secrets)
  return [...told, secrecyOf(used, result)].reduce(joinLabels, outputOf(permit, caller))
}

/** A skill that nobody reviewed is known before its call ends, and so where nobody sees the end. */
function strangersIn(resource: Resource): Label[] {
  return resource.type === 'extension' && resource.unreviewed
    ? [{ integrity: 'untrusted', confidentiality: 'public', sources: [`skill ${resource.name}`] }]
    : []
}

/** What came from outside names the hosts it came from. */
function outputOf({ subject }: Permit, { catalogue }: Caller): Label {
  const told = catalogue.find(subject.tool.name)?.output ?? unknownOutput(subject.tool.name)
  const output = subject.resources.flatMap(strangersIn).reduce(joinLabels, told)
  const hosts = subject.resources.flatMap((resource) => (resource.type === 'url' ? [resource.host] : []))
  return output.integrity === 'untrusted' && hosts.length > 0
    ? { ...output, sources: hosts.slice(0, 8) }
    : output
}

/**
 * What a secret opened is the operator's own, and private whatever the tool says of other answers. A mark stands where
 * a value was taken out of the result, so the rest of it may say something about that value.
 */
function secrecyOf(used: readonly string[], { text, summary }: ToolResult): Label {
  if (holdsMark(text) || holdsMark(summary)) return { ...operatorLabel, confidentiality: 'secret' }
  return used.length > 0 ? { ...operatorLabel, confidentiality: 'private' } : operatorLabel
}

function recordOutcome(unit: Unit, caller: Caller, { row, permit }: IntendedCall, call: EndedCall): void {
  recordCallEntry(unit, caller, row, 'effect.outcome', {
    tool: row.tool,
    tier: permit.subject.tier,
    nonce: permit.subject.nonce,
    key: permit.subject.key,
    result: call.outcome,
    summary: call.summary.slice(0, 500),
    started: call.startedAt,
    undoable: call.undo !== null,
  })
}

async function announceEnd(
  unit: Unit,
  caller: Caller,
  row: CallRow,
  call: EndedCall,
  ports: DispatchPorts,
): Promise<void> {
  const about = { session: caller.held.session, run: caller.held.id, call: row.id }
  if (call.state !== 'waiting') emitEnded(unit, row, call)
  const tool = caller.catalogue.find(row.tool)
  if (tool) {
    const ms = call.startedAt ? unit.now.getTime() - Date.parse(call.startedAt) : null
    const inReview = { id: row.id, tool, requester: row.requester ?? caller.requester, again: true }
    await tellMiddleware(unit, inReview, { outcome: call.outcome, ms }, ports.middleware)
  }
  if (call.state !== 'unknown') return
  const since = call.startedAt ?? 'an unknown time'
  const text = `${row.headline}: this began at ${since}. ${call.text} Was it done?`
  await askQuestion(unit, { kind: 'unknown', ...about, text, choices: unknownChoices }, ports.uuid)
}
