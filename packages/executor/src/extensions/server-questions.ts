/**
 * Owns what a server asks the operator while a call of it is under way. A question belongs to the one call that is open;
 * one stands before the operator at a time, and few in a call. What comes back is held to the form once more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AskOperator,
  problemWithAnswers,
  type ServerForm,
  type ServerReply,
} from '@countersign/contract'
import type { CallClock } from './call-clock.ts'
import { readServerForm } from './server-form.ts'
import { serverLimits } from './server-limits.ts'

export interface ServerQuestions {
  /** Counts the questions of the server for this call until it has ended. */
  open(call: AskingCall): OpenCall
  /** Never rejects. */
  ask(params: unknown, gone: AbortSignal): Promise<ServerReply>
  /** The operator is being asked. */
  isWaiting(): boolean
}

export interface AskingCall {
  readonly ask: AskOperator | undefined
  readonly signal: AbortSignal
  readonly clock: CallClock
}

export interface OpenCall {
  /** What became of its questions, in our words. */
  notes(): readonly string[]
  /** Takes back what is still asked; resolves when the server was told. */
  end(): Promise<void>
}

interface CallState extends AskingCall {
  readonly over: AbortController
  readonly notes: Set<string>
  asked: number
  isTakenBack: boolean
  /** Resolves when nothing of it stands before the operator. */
  turn: Promise<unknown>
}

export interface QuestionWaits {
  readonly questionMs: number
}

const cancelled = (reason: string): ServerReply => ({ kind: 'cancelled', reason })

export function createServerQuestions({ questionMs }: QuestionWaits = serverLimits): ServerQuestions {
  const desk: Desk = { questionMs, calls: new Set(), waiting: 0 }
  return {
    isWaiting: () => desk.waiting > 0,
    open: (asking) => openCall(desk, asking),
    ask: (params, gone) => askNow(desk, params, gone),
  }
}

interface Desk {
  readonly questionMs: number
  readonly calls: Set<CallState>
  /** How many stand before the operator. */
  waiting: number
}

function openCall({ calls }: Desk, asking: AskingCall): OpenCall {
  const call: CallState = {
    ...asking,
    over: new AbortController(),
    notes: new Set(),
    asked: 0,
    isTakenBack: false,
    turn: Promise.resolve(),
  }
  calls.add(call)
  return {
    notes: () => [...call.notes],
    async end() {
      if (!calls.delete(call)) return
      call.over.abort()
      await call.turn
      // What it is told now is on its way to a process that may be ended next.
      if (call.isTakenBack) await sleep(serverLimits.farewellMs)
    },
  }
}

async function askNow(desk: Desk, params: unknown, gone: AbortSignal): Promise<ServerReply> {
  const { calls } = desk
  const [call, other] = calls
  if (!call) return cancelled('No call is open.')
  if (other) {
    for (const each of calls) each.notes.add(severalNote)
    return cancelled('Several calls are open.')
  }
  call.asked += 1
  if (call.asked > serverLimits.mostQuestions) {
    const isFirst = !call.notes.has(floodNote)
    call.notes.add(floodNote)
    if (isFirst) await call.ask?.({ kind: 'refused', reason: floodReason }, call.signal)
    return cancelled(floodReason)
  }
  if (!call.ask) return { kind: 'declined', reason: 'Nobody can be asked here.' }
  const read = readServerForm(params)
  if (read.kind === 'refused') {
    call.notes.add(`A question of the server was not shown: ${read.reason}`)
    await call.ask(read, call.signal)
    return { kind: 'declined', reason: read.reason }
  }
  const reply = await put(desk, call, read.form, gone)
  call.notes.add(noteOf(reply))
  return reply
}

/** After those that the server asked before. */
function put(desk: Desk, call: CallState, form: ServerForm, gone: AbortSignal): Promise<ServerReply> {
  const before = call.turn
  const next = before.then(() => putNow(desk, call, form, gone))
  call.turn = next
  return next
}

async function putNow(
  desk: Desk,
  call: CallState,
  form: ServerForm,
  gone: AbortSignal,
): Promise<ServerReply> {
  const ended = AbortSignal.any([call.signal, call.over.signal, gone])
  if (ended.aborted || !call.ask) return cancelled('The call is over.')
  const patience = AbortSignal.timeout(desk.questionMs)
  desk.waiting += 1
  call.clock.hold()
  try {
    const reply = await call.ask({ kind: 'form', form }, AbortSignal.any([ended, patience]))
    if (reply.kind === 'accepted' && problemWithAnswers(form, reply.values) !== undefined)
      return cancelled('The answer did not fit the question.')
    return reply.kind === 'cancelled' && patience.aborted ? cancelled('Nobody answered in time.') : reply
  } finally {
    if (ended.aborted) call.isTakenBack = true
    call.clock.release()
    desk.waiting -= 1
  }
}

const severalNote =
  'A question of the server was not shown: several calls were under way, and it did not say for which it asked.'
const floodReason = `it asked more than ${serverLimits.mostQuestions} times in one call.`
const floodNote = `A question of the server was not shown: ${floodReason}`

function noteOf(reply: ServerReply): string {
  switch (reply.kind) {
    case 'accepted':
      return 'The server asked the operator, who answered it.'
    case 'declined':
      return `A question of the server was declined: ${reply.reason}`
    case 'cancelled':
      return `A question of the server was not answered: ${reply.reason}`
  }
}
