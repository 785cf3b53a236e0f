/**
 * Owns what programs may do, whatever protocol they speak: ask, look at what they asked, and propose one of the calls
 * that their limits name. Refuses everybody without a token that counts.
 */
import type { OperatorId } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { type AnswerEnd, answerQuestion } from './answer-question.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'
import {
  type OwnConversation,
  type OwnMatch,
  type OwnQuestion,
  ownConversations,
  ownQuestion,
  ownWaiting,
  searchOwn,
} from './own-things.ts'
import { type PlacedQuestion, placeQuestion } from './place-question.ts'
import { createProgramAdmin, type ProgramAdmin, type ProgramAdminParts } from './program-admin.ts'
import { type Program, programPeer, programWhere } from './program-rows.ts'
import { type Proposal, proposeCall, settledProposal } from './propose-call.ts'
import { soundWish, type Wish } from './wish.ts'

export interface ProgramsParts extends Pick<ProgramAdminParts, 'requireAgent'> {
  readonly kernel: Pick<Kernel, 'admit' | 'stream' | 'records' | 'stopRun' | 'callTool'>
  readonly operator: OperatorId
  readonly zone: string
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
}

export interface AskedQuestion {
  readonly id: string
  readonly conversation: string
  readonly at: Date
  /** Follows it to its end. Rejects when the program is put out, or when nobody waits any more. */
  answer(say: (text: string) => void, gone: AbortSignal, patienceMs?: number): Promise<AnswerEnd>
}

export interface Programs {
  readonly admin: ProgramAdmin
  start(): Promise<void>
  /** Undefined where no program that is let in has this token. */
  byToken(hash: string): Promise<Program | undefined>
  ask(program: Program, wish: Wish): Promise<AskedQuestion>
  conversations(program: Program): Promise<OwnConversation[]>
  search(program: Program, query: string): Promise<OwnMatch[]>
  waiting(program: Program): Promise<OwnQuestion[]>
  question(program: Program, id: string): Promise<(OwnQuestion & { readonly agent: string }) | undefined>
  /** A call without a model, through the same door. Answers with how it stands once it ended or waits. */
  propose(program: Program, call: Proposal, gone: AbortSignal, patienceMs: number): Promise<OwnQuestion>
  close(): void
}

export function createPrograms(parts: ProgramsParts): Programs {
  const { kernel, operator } = parts
  const { records } = kernel
  const streams = createOpenStreams()
  let stop: (() => void) | undefined

  /** For as long as the program is let in and somebody waits. */
  async function waiting<T>(
    { name }: Program,
    gone: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const open = streams.open(name, gone)
    try {
      return await work(open.signal)
    } finally {
      open.close()
    }
  }

  function askedOf(program: Program, wish: Wish, placed: PlacedQuestion): AskedQuestion {
    const { id, session: conversation, at } = placed
    return {
      id,
      conversation,
      at,
      answer: (say, gone, patienceMs) =>
        waiting(program, gone, (signal) =>
          answerQuestion({ kernel, operator, patienceMs }, { program, wish, placed, say, signal }),
        ),
    }
  }

  return {
    admin: createProgramAdmin({ ...parts, streams }),
    async start() {
      stop = await followChanges(parts, streams)
    },
    async byToken(hash) {
      const program = await records.single(operator, (tx) => programWhere(tx, 'token_hash', hash))
      return program?.paused === false ? program : undefined
    },
    async ask(program, given) {
      const wish = soundWish(given)
      return askedOf(program, wish, await placeQuestion(parts, program, wish))
    },
    conversations: (program) => records.read(operator, (tx) => ownConversations(tx, program)),
    search: (program, query) => records.read(operator, (tx) => searchOwn(tx, program, query)),
    waiting: (program) => records.read(operator, (tx) => ownWaiting(tx, program)),
    question: (program, id) => records.read(operator, (tx) => ownQuestion(tx, program, id)),
    propose: (program, call, gone, patienceMs) =>
      waiting(program, gone, async (signal) => {
        const id = await proposeCall(parts, program, call)
        return settledProposal(parts, program, { id, signal, patienceMs })
      }),
    close: () => stop?.(),
  }
}

/** Another process may have put somebody out who waits here. */
async function followChanges(
  { kernel, operator, onProblem }: ProgramsParts,
  streams: OpenStreams,
): Promise<() => void> {
  const endStreams = async () => {
    for (const name of streams.programs()) {
      const program = await kernel.records.single(operator, (tx) => programPeer(tx, name))
      if (program === undefined) streams.end(name)
    }
  }
  const { stop } = await kernel.stream.listen(operator, {
    events(events) {
      if (events.some(({ body }) => body.type === 'channels.changed')) endStreams().catch(onProblem)
    },
    delta: () => undefined,
  })
  return stop
}
