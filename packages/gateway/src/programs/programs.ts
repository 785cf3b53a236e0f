/**
 * Owns what programs may do, whatever protocol they speak: ask, look at what they asked, and propose one of the calls
 * that their limits name. Refuses everybody without a token that counts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AddProgram,
  type ChangeProgram,
  CountersignError,
  idFrom,
  type OperatorId,
  type ProgramChanged,
  type ProgramToken,
  type KnownProgram,
  programRequester,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { z } from 'zod'
import { endWorkOf } from '../channels/end-work.ts'
import type { ActingOperator } from '../server/secrets.ts'
import { type AnswerEnd, answerQuestion, labelOf } from './answer-question.ts'
import { createOpenStreams, putOutError } from './open-streams.ts'
import {
  type OwnConversation,
  type OwnMatch,
  type OwnQuestion,
  ownConversations,
  ownQuestion,
  ownWaiting,
  searchOwn,
} from './own-things.ts'
import { type PlacedQuestion, placeQuestion, requireWithin } from './place-question.ts'
import { createProgramStore, type Program } from './program-store.ts'
import { programDb } from './tables.ts'
import type { Wish } from './wish.ts'

export interface ProgramsParts {
  readonly kernel: Pick<Kernel, 'admit' | 'stream' | 'records' | 'stopRun' | 'callTool'>
  readonly operator: OperatorId
  readonly zone: string
  readonly uuid: () => string
  readonly requireAgent: (id: string) => Promise<unknown>
  readonly onProblem: (problem: unknown) => void
}

export interface AskedQuestion {
  readonly id: string
  readonly conversation: string
  readonly at: Date
  /** Follows it to its end. Rejects when the program is put out, or when nobody waits any more. */
  answer(say: (text: string) => void, gone: AbortSignal, patienceMs?: number): Promise<AnswerEnd>
}

/** What the operator does with programs. */
export interface ProgramAdmin {
  list(): Promise<KnownProgram[]>
  add(by: ActingOperator, program: z.output<typeof AddProgram>): Promise<ProgramToken>
  change(by: ActingOperator, name: string, change: ChangeProgram): Promise<ProgramChanged>
  rotate(by: ActingOperator, name: string): Promise<ProgramToken>
  remove(by: ActingOperator, name: string): Promise<number>
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
  /** A call without a model, through the same door. Answers with the question under which its end is told. */
  propose(program: Program, call: { readonly tool: string; readonly args: string }): Promise<string>
  /** How it stands once it has ended or waits for the operator, or after so long. */
  settled(program: Program, id: string, gone: AbortSignal, patienceMs: number): Promise<OwnQuestion>
  close(): void
}

const lookEveryMs = 100

export function createPrograms(parts: ProgramsParts): Programs {
  const { kernel, operator, zone, uuid, onProblem } = parts
  const { records } = kernel
  const store = createProgramStore({ records, operator, zone, requireAgent: parts.requireAgent })
  const streams = createOpenStreams()
  let stop: (() => void) | undefined

  /** Whoever waits with a token that no longer counts hears no more; another process may have changed it. */
  async function endStreams(): Promise<void> {
    for (const name of streams.programs()) {
      const program = await store.byName(name)
      if (program === undefined || program.paused) streams.end(name)
    }
  }

  async function putOut(name: string, by: ActingOperator): Promise<void> {
    streams.end(name)
    await endWorkOf(kernel, operator, programRequester(name), by.actor)
  }

  const admin: ProgramAdmin = {
    list: store.list,
    add: store.add,
    async change(by, name, change) {
      const changed = await store.change(by, name, change)
      if (change.paused === true) await putOut(name, by)
      return changed
    },
    async rotate(by, name) {
      const rotated = await store.rotate(by, name)
      // Whoever has the old token hears nothing more; what was begun goes on.
      streams.end(name)
      return rotated
    },
    async remove(by, name) {
      const ledger = await store.remove(by, name)
      await putOut(name, by)
      return ledger
    },
  }

  return {
    admin,
    async start() {
      const listening = await kernel.stream.listen(operator, {
        events(events) {
          if (events.some(({ body }) => body.type === 'channels.changed')) endStreams().catch(onProblem)
        },
        delta: () => undefined,
      })
      stop = listening.stop
    },
    async byToken(hash) {
      const program = await store.byToken(hash)
      return program?.paused === false ? program : undefined
    },
    async ask(program, wish) {
      const placed = await placeQuestion({ records, operator, zone, uuid }, program, wish)
      return askedOf(program, wish, placed)
    },
    conversations: (program) => records.read(operator, (tx) => ownConversations(tx, program)),
    search: (program, query) => records.read(operator, (tx) => searchOwn(tx, program, query)),
    waiting: (program) => records.read(operator, (tx) => ownWaiting(tx, program)),
    question: (program, id) => records.read(operator, (tx) => ownQuestion(tx, program, id)),
    propose,
    settled,
    close: () => stop?.(),
  }

  function askedOf(program: Program, wish: Wish, placed: PlacedQuestion): AskedQuestion {
    return {
      id: placed.id,
      conversation: placed.session,
      at: placed.at,
      async answer(say, gone, patienceMs) {
        const open = streams.open(program.name, gone)
        try {
          const asked = { program, wish, placed, say, signal: open.signal }
          return await answerQuestion({ kernel, operator, patienceMs }, asked)
        } finally {
          open.close()
        }
      },
    }
  }

  async function settled(program: Program, id: string, gone: AbortSignal, patienceMs: number): Promise<OwnQuestion> {
    const open = streams.open(program.name, gone)
    try {
      for (const until = Date.now() + patienceMs; ; ) {
        open.signal.throwIfAborted()
        const known = await records.read(operator, (tx) => ownQuestion(tx, program, id))
        if (!known) throw new CountersignError('not_found', 'Nothing was asked under this id.')
        const { kind } = known.standing
        if (kind === 'ended' || kind === 'waits' || Date.now() > until) return known
        await sleep(lookEveryMs)
      }
    } finally {
      open.close()
    }
  }

  async function propose(program: Program, { tool, args }: { tool: string; args: string }): Promise<string> {
    if (program.limits.tools?.includes(tool) !== true)
      throw new CountersignError('denied_by_policy', `${program.name} may not propose ${tool}.`, {
        next: `The operator opens tools with \`countersign program limit ${program.name} --tools …\`.`,
      })
    await records.change(operator, (tx) => requireWithin(tx, program, zone))
    const still = await store.byName(program.name)
    if (still === undefined || still.paused) throw putOutError()
    const id = programRequester(program.name)
    const { run, session } = await kernel.callTool(
      operator,
      { tool, args, label: labelOf(program), requester: { kind: 'peer', id } },
      { kind: 'gateway', id },
    )
    const question = uuid().replaceAll('-', '')
    await records.change(operator, async ({ db, now, operator: operator_id }) => {
      const rows = programDb(db)
      const { key } = await rows
        .selectFrom('inputs')
        .innerJoin('runs', 'runs.input_id', 'inputs.id')
        .select('inputs.key')
        .where('runs.id', '=', run)
        .executeTakeFirstOrThrow()
      await rows
        .insertInto('program_conversations')
        .values({ operator_id, program: program.name, session_id: session, key: null, at: now })
        .execute()
      await rows
        .insertInto('program_questions')
        .values({
          operator_id,
          program: program.name,
          id: question,
          session_id: session,
          body_hash: idFrom('call', uuid()),
          retry_key: null,
          agent: '',
          input_key: key,
          after_hash: null,
          told: 'no',
          at: now,
        })
        .execute()
    })
    return question
  }
}
