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
import { requireWithin } from './place-question.ts'
import { type Program, programPeer } from './program-rows.ts'
import { programDb } from './tables.ts'

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

/** The question under which its end is told. */
export async function proposeCall(
  parts: ProposalParts,
  program: Program,
  { tool, args }: Proposal,
): Promise<string> {
  const { kernel, operator, zone } = parts
  const { name, limits } = program
  if (limits.tools?.includes(tool) !== true)
    throw new CountersignError('denied_by_policy', `${name} may not propose ${tool}.`, {
      next: `The operator opens tools with \`countersign program limit ${name} --tools …\`.`,
    })
  await kernel.records.change(operator, async (tx) => {
    await requireWithin(tx, program, zone)
    if ((await programPeer(tx, name)) === undefined) throw putOutError()
  })
  const id = programRequester(name)
  const { run, session } = await kernel.callTool(
    operator,
    { tool, args, label: labelOf(program), requester: { kind: 'peer', id } },
    { kind: 'gateway', id },
  )
  return keepProposal(parts, program, { run, session })
}

/** So that its end can be asked for, and counts among what the program asked. */
async function keepProposal(
  { kernel, operator, uuid }: ProposalParts,
  { name }: Program,
  { run, session }: { readonly run: RunId; readonly session: SessionId },
): Promise<string> {
  const id = uuid().replaceAll('-', '')
  await kernel.records.change(operator, async ({ db, now, operator: operator_id }) => {
    const rows = programDb(db)
    const { key } = await rows
      .selectFrom('inputs')
      .innerJoin('runs', 'runs.input_id', 'inputs.id')
      .select('inputs.key')
      .where('runs.id', '=', run)
      .executeTakeFirstOrThrow()
    const at = { operator_id, program: name, session_id: session, at: now }
    await rows
      .insertInto('program_conversations')
      .values({ ...at, key: null })
      .execute()
    await rows
      .insertInto('program_questions')
      .values({
        ...at,
        id,
        // Of no body: what is proposed again is another proposal.
        body_hash: id,
        retry_key: null,
        agent: '',
        input_key: key,
        after_hash: null,
        told: 'no',
      })
      .execute()
  })
  return id
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
    const known = await kernel.records.read(operator, (tx) => ownQuestion(tx, program, id))
    if (!known) throw new CountersignError('not_found', 'Nothing was asked under this id.')
    const { kind } = known.standing
    if (kind === 'ended' || kind === 'waits' || Date.now() > until) return known
    await sleep(lookEveryMs)
  }
}
