/**
 * Owns one round of permits from the gateway's side: one outcome for each, in order, and what the calls under way ask
 * meanwhile. Never rejects: an executor that is gone is an outcome.
 */
import type { ChildProcess } from 'node:child_process'
import type {
  ExecuteReply,
  ExecutorMessage,
  MediaReply,
  MediaTask,
  Permit,
  ServerAsks,
  ServerReply,
} from '@countersign/contract'
import { post } from './post-request.ts'

/** The executor went away before it answered; whether the effect began is in its replay store. */
export type LostExecutor = { readonly kind: 'lost' }
export type PermitOutcome = ExecuteReply | LostExecutor

export interface ExecuteOptions {
  readonly signal?: AbortSignal
  readonly onReply?: (index: number, outcome: PermitOutcome) => void
  /** Has a model do what a call under way asks for; left out, there is none. */
  readonly work?: WorkForPermit
  /** Puts what the server of a call under way asks before the operator; left out, nobody is asked. */
  readonly ask?: AskForPermit
}

/** Never rejects. */
export type WorkForPermit = (permit: Permit, task: MediaTask, signal: AbortSignal) => Promise<MediaReply>

/** Never rejects. Aborted when nobody waits for the answer any more. */
export type AskForPermit = (permit: Permit, asked: ServerAsks, signal: AbortSignal) => Promise<ServerReply>

export interface ExecuteRound {
  readonly id: number
  readonly permits: readonly Permit[]
  readonly options: ExecuteOptions
  readonly pending: Map<number, { take(message: ExecutorMessage): void; lose(): void }>
}

const nobodyWorks = {
  kind: 'failed',
  reason: 'No call that is under way asks for this.',
} as const satisfies MediaReply

const nobodyAsks = {
  kind: 'cancelled',
  reason: 'No call that is under way asks this.',
} as const satisfies ServerReply

export async function executeOn(child: ChildProcess, round: ExecuteRound): Promise<PermitOutcome[]> {
  const { id, permits, options, pending } = round
  const { signal } = options
  const outcomes: (PermitOutcome | undefined)[] = permits.map(() => undefined)
  const end = Promise.withResolvers<void>()
  const gone = new AbortController()
  const open = (index: number) => (outcomes[index] ? undefined : permits[index])
  const helpers = answerCalls(child, options, open, gone.signal)
  const settle = (index: number, outcome: PermitOutcome) => {
    if (!open(index)) return
    outcomes[index] = outcome
    helpers.ended(index)
    options.onReply?.(index, outcome)
    if (outcomes.every((each) => each !== undefined)) end.resolve()
  }
  const lose = () => permits.forEach((_, index) => settle(index, { kind: 'lost' }))
  pending.set(id, {
    take(message) {
      if (message.type === 'executed') settle(message.index, message.reply)
      else helpers.take(message)
    },
    lose,
  })
  const cancel = () =>
    post(child, { type: 'cancel', nonces: permits.map(({ subject }) => subject.nonce) }, () => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  post(child, { type: 'execute', id, permits: [...permits] }, lose)
  if (signal?.aborted) cancel()
  await end.promise
  gone.abort()
  signal?.removeEventListener('abort', cancel)
  pending.delete(id)
  return outcomes.map((outcome) => outcome ?? { kind: 'lost' })
}

/** What the calls under way have done by a model, and ask the operator. */
function answerCalls(
  child: ChildProcess,
  { signal, work, ask }: ExecuteOptions,
  open: (index: number) => Permit | undefined,
  gone: AbortSignal,
): { take(message: ExecutorMessage): void; ended(index: number): void } {
  const questions = new Map<number, { readonly index: number; readonly stop: AbortController }>()

  async function answerServer({ index, question, asked }: Extract<ExecutorMessage, { type: 'asks' }>) {
    const permit = open(index)
    const stop = new AbortController()
    questions.set(question, { index, stop })
    const ending = AbortSignal.any([stop.signal, gone, ...(signal ? [signal] : [])])
    const reply = permit && ask ? await ask(permit, asked, ending) : nobodyAsks
    questions.delete(question)
    post(child, { type: 'answered', question, reply }, () => undefined)
  }

  async function answerWork({ index, work: number, task }: Extract<ExecutorMessage, { type: 'work' }>) {
    const permit = open(index)
    const ending = signal ? AbortSignal.any([signal, gone]) : gone
    const reply = permit && work ? await work(permit, task, ending) : nobodyWorks
    post(child, { type: 'worked', work: number, reply }, () => undefined)
  }

  return {
    take(message) {
      if (message.type === 'work') void answerWork(message)
      if (message.type === 'asks') void answerServer(message)
      if (message.type === 'unasked') questions.get(message.question)?.stop.abort()
    },
    ended(index) {
      for (const asking of questions.values()) if (asking.index === index) asking.stop.abort()
    },
  }
}
