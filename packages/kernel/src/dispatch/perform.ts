/**
 * Owns the way of a spent permit through the executor to its outcome. A permit is sent until it is answered; the
 * executor runs it at most once however often it is sent. What nobody can know is recorded as unknown, never retried.
 */
import { joinLabels, type Label } from '@countersign/contract'
import { ask, unknownChoices } from '../approvals/questions.ts'
import { lockHeld } from '../store/run-row.ts'
import { json, type Unit } from '../store/store.ts'
import { type EndedCall, writeEnded } from './calls.ts'
import type { Caller, DispatchPorts } from './context.ts'
import type { ExecutorReply } from './executor-port.ts'
import { type Intended, record } from './judge.ts'

const mostSends = 40
const pauseBetweenSendsMs = 250

export async function perform(
  caller: Caller,
  intended: readonly Intended[],
  signal: AbortSignal,
  ports: DispatchPorts,
): Promise<void> {
  let waiting = [...intended]
  for (let send = 1; waiting.length > 0; send += 1) {
    const lost: Intended[] = []
    const writer = createWriter(caller, ports)
    const batch = waiting
    await ports.executor.execute(
      batch.map((one) => one.permit),
      signal,
      (index, reply) => {
        const one = batch[index]
        if (!one) return
        if (reply.kind === 'lost' && send < mostSends) lost.push(one)
        else writer.add(one, reply)
      },
    )
    await writer.done()
    waiting = lost
    if (waiting.length > 0) await ports.wait(pauseBetweenSendsMs)
  }
}

interface Writer {
  add(one: Intended, reply: ExecutorReply): void
  done(): Promise<void>
}

/** Writes outcomes as they come; those that come while one is being written go together in the next transaction. */
function createWriter(caller: Caller, ports: DispatchPorts): Writer {
  let queue: { one: Intended; reply: ExecutorReply }[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    // Replies that the executor sent together are still arriving one by one.
    await new Promise<void>((resume) => setImmediate(resume))
    while (queue.length > 0) {
      const batch = queue
      queue = []
      await writeOutcomes(caller, batch, ports)
    }
    writing = undefined
  }

  return {
    add(one, reply) {
      queue.push({ one, reply })
      writing ??= write()
    },
    async done() {
      await writing
    },
  }
}

async function writeOutcomes(
  caller: Caller,
  batch: readonly { one: Intended; reply: ExecutorReply }[],
  ports: DispatchPorts,
): Promise<void> {
  const { value } = await ports.store.transact(caller.held.operator, async (unit) => {
    const run = await lockHeld(unit, caller.held)
    const ended = batch.map(({ one, reply }) => endedCall(one, reply, ports))
    for (const [index, call] of ended.entries()) {
      const one = batch[index]?.one
      if (one) await announce(unit, caller, one, call, ports)
    }
    await writeEnded(unit, ended)
    const label = ended.reduce<Label>(
      (joined, call) => (call.label ? joinLabels(joined, call.label) : joined),
      run.label,
    )
    if (json(label) !== json(run.label)) {
      await unit.db
        .updateTable('runs')
        .set({ label: json(label) })
        .where('id', '=', run.id)
        .execute()
    }
    return label
  })
  caller.label = value
}

function endedCall({ row, permit }: Intended, reply: ExecutorReply, ports: DispatchPorts): EndedCall {
  const { effect } = permit.subject.tool
  const common = { id: row.id, startedAt: null, undo: null, label: null }
  switch (reply.kind) {
    case 'done': {
      const label = ports.catalogue.find(row.tool)?.output ?? null
      const outcome = reply.result.ok ? 'ok' : 'failed'
      const { text, summary, undo } = reply.result
      return { ...common, state: 'ended', outcome, text, summary, startedAt: reply.startedAt, undo, label }
    }
    case 'refused':
      return {
        ...common,
        state: 'ended',
        outcome: 'refused',
        text: `Not executed: ${reply.reason}`,
        summary: reply.reason,
      }
    case 'unknown':
    case 'lost': {
      const text = 'It was begun and nobody saw its end.'
      const startedAt = reply.kind === 'unknown' ? reply.startedAt : null
      if (effect !== 'once')
        return { ...common, state: 'ended', outcome: 'failed', text, summary: text, startedAt }
      return { ...common, state: 'unknown', outcome: 'unknown', text, summary: text, startedAt }
    }
  }
}

async function announce(
  unit: Unit,
  caller: Caller,
  one: Intended,
  call: EndedCall,
  ports: DispatchPorts,
): Promise<void> {
  const { row, permit } = one
  record(unit, caller, row, 'effect.outcome', {
    tool: row.tool,
    tier: permit.subject.tier,
    nonce: permit.subject.nonce,
    key: permit.subject.key,
    result: call.outcome,
    summary: call.summary.slice(0, 500),
    started: call.startedAt,
    undoable: call.undo !== null,
  })
  unit.emit({
    type: 'call.ended',
    session: caller.held.session,
    run: caller.held.id,
    call: row.id,
    tool: row.tool,
    headline: row.headline,
    outcome: call.outcome,
    summary: call.summary,
    undoable: call.undo !== null,
  })
  if (call.state !== 'unknown') return
  const text = `${row.headline}: this began at ${call.startedAt ?? 'an unknown time'} and its end is not known. Was it done?`
  const about = { kind: 'unknown' as const, session: caller.held.session, run: caller.held.id, call: row.id }
  await ask(unit, { ...about, text, choices: unknownChoices }, ports.uuid)
}
