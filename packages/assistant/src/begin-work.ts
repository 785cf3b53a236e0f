/**
 * Owns how work is begun out of other work: it has the requester, the limits and the taint of what began it, and none
 * of its grants.
 */
import {
  type BegunWork,
  CountersignError,
  idFrom,
  type Label,
  type Requester,
  type RunId,
  type WorkOrder,
} from '@countersign/contract'
import { sql } from 'kysely'
import { lineageOf } from './agents/lineage.ts'
import {
  type AssistantContext,
  type AssistantTransaction,
  assistantDb,
  type PostMessage,
} from './assistant-context.ts'

/** The call or the act that begins it. */
export interface WorkCause {
  readonly requester: Requester
  readonly label: Label
  /** Null where the operator begins it by hand. */
  readonly run: RunId | null
}

/** Whoever begins work is told of it and may begin more; without a person in between that has to end somewhere. */
export const mostGenerations = 24

/** Each has limits of its own, so their number is what bounds the work of one run. */
export const mostBegun = 20

export type BeginWork = (tx: AssistantTransaction, order: WorkOrder, cause: WorkCause) => Promise<BegunWork>

export function createBegin({ uuid }: Pick<AssistantContext, 'uuid'>, post: PostMessage): BeginWork {
  return async (tx, order, { requester, label, run }) => {
    if (run && (await lineageOf(tx.db, run)).generations >= mostGenerations)
      throw new CountersignError(
        'limit_reached',
        `This work is ${mostGenerations} levels deep and cannot start more work.`,
        { next: 'Tell the operator how far it came, and what is left to do.' },
      )
    if (run && (await begunBy(tx, run)) >= mostBegun)
      throw new CountersignError(
        'limit_reached',
        `This run started ${mostBegun} others, which is the maximum.`,
        { next: 'Tell the operator what was started, and what is left to do.' },
      )
    const parent = run
      ? await tx.db
          .selectFrom('runs')
          .select(['goal', 'schedule', 'unattended'])
          .where('id', '=', run)
          .executeTakeFirst()
      : undefined
    const session = order.session ?? idFrom('ses', uuid())
    await post(tx, {
      key: order.key,
      session: null,
      opens: session,
      title: order.title,
      text: order.text,
      mode: 'queue',
      requester,
      label,
      ...(run ? { by: { kind: 'agent', id: run } } : {}),
      work: {
        agent: order.agent,
        goal: order.goal === undefined ? (parent?.goal ?? null) : order.goal,
        schedule: parent?.schedule ?? null,
        unattended: parent?.unattended ?? false,
        parent: run,
        about: order.about,
      },
    })
    return { session }
  }
}

/** What it began, delivered to its lane or not. Whoever begins more for the run waits until this unit has ended. */
async function begunBy(tx: AssistantTransaction, run: RunId): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`begin/${run}`}, 0))`.execute(tx.db)
  const runs = await tx.db
    .selectFrom('runs')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('parent', '=', run)
    .executeTakeFirstOrThrow()
  const posted = await assistantDb(tx.db)
    .selectFrom('outbox')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(sql<string>`message -> 'work' ->> 'parent'`, '=', run)
    .executeTakeFirstOrThrow()
  return runs.count + posted.count
}
