/**
 * Owns calls that a program proposes by itself, without a model: those that its limits name, for the program as the one who
 * asks, through the same door as any other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CountersignError,
  type OperatorId,
  programRequester,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { labelOf } from './answer-question.ts'
import { putOutError } from './open-streams.ts'
import { type OwnQuestion, ownQuestion } from './own-things.ts'
import { requireWithin, takeTurn } from './place-question.ts'
import { currentProgram, heldProgram, type Program } from './program-rows.ts'
import { programDb, proposalAgent } from './tables.ts'

export interface ProposalParts {
  readonly kernel: Pick<Kernel, 'records' | 'callTool'>
  readonly operator: OperatorId
  readonly zone: string
  readonly uuid: () => string
}

export interface Proposal {
  readonly tool: string
  readonly args: string
}

const lookEveryMs = 100
/** It is in no conversation yet. */
const nowhere = '' as SessionId

/** The question under which its end is told. */
export async function proposeCall(
  parts: ProposalParts,
  program: Program,
  { tool, args }: Proposal,
): Promise<string> {
  const { kernel, operator } = parts
  const { name, limits } = program
  if (limits.tools?.includes(tool) !== true)
    throw new CountersignError('denied_by_policy', `${name} may not propose ${tool}.`, {
      next: `The operator opens tools with \`countersign program limit ${name} --tools …\`.`,
    })
  const id = await place(parts, program)
  const requester = programRequester(name)
  const begun = await kernel.callTool(
    operator,
    { tool, args, label: labelOf(program), requester: { kind: 'peer', id: requester } },
    { kind: 'gateway', id: requester },
  )
  await keepRun(parts, program, { id, ...begun })
  return id
}

/** Counted before it is made, whatever comes of it: what is only counted afterwards is not counted in time. */
async function place({ kernel, operator, zone, uuid }: ProposalParts, program: Program): Promise<string> {
  const id = uuid().replaceAll('-', '')
  await kernel.records.change(operator, async (tx) => {
    await takeTurn(tx, program.name)
    await requireWithin(tx, program, zone)
    const now = await heldProgram(tx, program.name)
    if (now === undefined || now.paused || now.tokenHash !== program.tokenHash) throw putOutError()
    await programDb(tx.db)
      .insertInto('program_questions')
      .values({
        operator_id: tx.operator,
        program: program.name,
        id,
        session_id: nowhere,
        // Of no body: what is proposed again is another proposal.
        body_hash: id,
        retry_key: null,
        agent: proposalAgent,
        input_key: null,
        after_hash: null,
        // Nothing is told of one that never began.
        told: 'end',
        at: tx.now,
      })
      .execute()
  })
  return id
}

/** So that its end can be asked for. */
async function keepRun(
  { kernel, operator }: ProposalParts,
  { name }: Program,
  { id, run, session }: { readonly id: string; readonly run: RunId; readonly session: SessionId },
): Promise<void> {
  await kernel.records.change(operator, async ({ db }) => {
    const rows = programDb(db)
    const { key } = await rows
      .selectFrom('inputs')
      .innerJoin('runs', 'runs.input_id', 'inputs.id')
      .select('inputs.key')
      .where('runs.id', '=', run)
      .executeTakeFirstOrThrow()
    await rows
      .updateTable('program_questions')
      .set({ session_id: session, input_key: key, told: 'no' })
      .where('program', '=', name)
      .where('id', '=', id)
      .execute()
  })
}

/** How it stands once it has ended or waits for the operator, or after so long. */
export async function settledProposal(
  { kernel, operator }: Pick<ProposalParts, 'kernel' | 'operator'>,
  program: Program,
  {
    id,
    signal,
    patienceMs,
  }: { readonly id: string; readonly signal: AbortSignal; readonly patienceMs: number },
): Promise<OwnQuestion> {
  for (const until = Date.now() + patienceMs; ; ) {
    signal.throwIfAborted()
    const known = await kernel.records.read(operator, async (tx) =>
      ownQuestion(tx, await currentProgram(tx, program), id),
    )
    if (!known) throw new CountersignError('not_found', 'Nothing was asked under this id.')
    const { kind } = known.standing
    if (kind === 'ended' || kind === 'waits' || Date.now() > until) return known
    await sleep(lookEveryMs)
  }
}
