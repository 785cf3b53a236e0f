/**
 * Owns comparing the books with a provider's bill, day by day, and correcting the books by the difference, so that doing
 * it again changes nothing. Refuses to lower the books on the word of a bill that leaves a day out.
 */
import {
  CountersignError,
  dollarText,
  nanosPerDollar,
  type OperatorId,
  type ReconciliationReply,
} from '@countersign/contract'
import type { ActingOperator } from '../server/secrets.ts'
import {
  dayMs,
  dayOf,
  fetchInvoice,
  hasInvoiceApi,
  type InvoicingProvider,
  startOfDay,
} from './provider-invoice.ts'

/** A day's correction, to be booked. */
export interface DayAdjustment {
  readonly provider: string
  readonly from: Date
  readonly to: Date
  readonly costNanos: number
}

export interface ReconciliationParts {
  readonly provider: InvoicingProvider
  readonly adminKey?: string | undefined
  readonly from: Date
  readonly to: Date
  readonly now: Date
  readonly fetch: typeof globalThis.fetch
  /** What the books have for each UTC day, such as `2026-11-03`, in billionths; a day without anything may be missing. */
  readonly local: (from: Date, to: Date) => Promise<ReadonlyMap<string, number>>
  /** Books all of them or none. */
  readonly adjust: (adjustments: readonly DayAdjustment[]) => Promise<unknown>
  readonly waitMs?: number
}

export interface ReconciliationRequest {
  readonly provider?: string | undefined
  readonly from: Date
  readonly to: Date
  readonly adminKey?: string | undefined
}

export interface ReconcilerParts {
  readonly providers: () => Promise<readonly InvoicingProvider[]>
  readonly booked: (
    operator: OperatorId,
    provider: string,
    span: { readonly from: Date; readonly to: Date },
  ) => Promise<ReadonlyMap<string, number>>
  readonly adjust: (
    operator: OperatorId,
    adjustments: readonly DayAdjustment[],
    actor: ActingOperator['actor'],
  ) => Promise<unknown>
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => Date
}

export type Reconciler = (by: ActingOperator, asked: ReconciliationRequest) => Promise<ReconciliationReply[]>

/** The answer must come before whoever asks gives up. */
const patienceMs = 20_000
/** Providers book late: a day is compared when it has been over for a day. */
const settlesMs = dayMs
const mostDays = 400

export async function reconcile(parts: ReconciliationParts): Promise<ReconciliationReply> {
  const { provider, adminKey, now, fetch, waitMs = patienceMs } = parts
  const days = wholeDays(parts)
  const span = { from: new Date(days.from), to: new Date(days.to) }
  const empty = days.to <= days.from
  const read = () => (empty ? Promise.resolve(new Map<string, number>()) : parts.local(span.from, span.to))
  let local = await read()
  const outcome = (
    rest: Pick<ReconciliationReply, 'billedUsd' | 'drift' | 'adjusted' | 'problem'>,
  ): ReconciliationReply => ({
    provider: provider.name,
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    localUsd: sumOf(local) / nanosPerDollar,
    ...rest,
  })
  const unchanged = (problem: string) => outcome({ billedUsd: null, drift: null, adjusted: false, problem })

  if (empty)
    return unchanged(
      'No day (UTC) of that period ended more than 24 hours ago; providers bill late. Choose an earlier start with --from.',
    )
  if (days.to - days.from > mostDays * dayMs)
    return unchanged(`That is more than ${mostDays} days. Choose a shorter period with --from and --to.`)
  const invoice = await fetchInvoice({ provider, adminKey, ...span, now, fetch, waitMs })
  if (invoice.kind === 'unavailable') return unchanged(invoice.problem)

  // The bill may have taken long, and another gateway of this home may have booked the difference meanwhile.
  local = await read()
  const adjustments: DayAdjustment[] = []
  for (let at = days.from; at < days.to; at += dayMs) {
    const day = dayOf(new Date(at))
    const booked = local.get(day) ?? 0
    const billed = invoice.days.get(day)
    if (billed === undefined && booked !== 0 && !invoice.whole)
      return unchanged(
        `${provider.name} reported nothing for ${day}, but ${dollarText(booked)} was recorded; nothing was changed. Try again tomorrow.`,
      )
    const costNanos = (billed ?? 0) - booked
    if (costNanos !== 0)
      adjustments.push({
        provider: provider.name,
        from: new Date(at),
        to: new Date(at + dayMs),
        costNanos,
      })
  }
  if (adjustments.length > 0) await parts.adjust(adjustments)
  const billedNanos = sumOf(invoice.days)
  return outcome({
    billedUsd: billedNanos / nanosPerDollar,
    drift: driftOf(sumOf(local), billedNanos),
    adjusted: adjustments.length > 0,
    problem: null,
  })
}

export function createReconciler(parts: ReconcilerParts): Reconciler {
  // One after the other: two at once would both book the same difference.
  let before: Promise<unknown> = Promise.resolve()

  async function all(
    by: ActingOperator,
    { provider, adminKey, from, to }: ReconciliationRequest,
  ): Promise<ReconciliationReply[]> {
    const known = await parts.providers()
    const choices = provider === undefined ? known : known.filter(({ name }) => name === provider)
    if (provider !== undefined && choices.length === 0)
      throw new CountersignError('not_found', `There is no provider ${provider}.`, {
        next: 'List them with `countersign provider list`.',
      })
    const telling = choices.filter(({ kind }) => hasInvoiceApi(kind))
    if (adminKey !== undefined && telling.length > 1)
      throw new CountersignError('usage', 'An admin key is for one provider, but several are set up.', {
        next: `Give its name, for example \`countersign cost reconcile ${telling[0]?.name}\`.`,
      })
    const reconciled: ReconciliationReply[] = []
    for (const each of choices)
      reconciled.push(
        await reconcile({
          provider: each,
          adminKey,
          from,
          to,
          now: parts.clock(),
          fetch: parts.fetch,
          local: (begin, end) => parts.booked(by.operator, each.name, { from: begin, to: end }),
          adjust: (adjustments) => parts.adjust(by.operator, adjustments, by.actor),
        }),
      )
    return reconciled
  }

  return (by, asked) => {
    const turn = before.then(() => all(by, asked))
    before = turn.catch(() => undefined)
    return turn
  }
}

/** A day belongs to the span that its noon lies in, so that neighbouring spans share none and leave none out. */
function wholeDays({ from, to, now }: Pick<ReconciliationParts, 'from' | 'to' | 'now'>) {
  const nearest = (at: Date) => startOfDay(new Date(at.getTime() + dayMs / 2 - 1))
  const begin = nearest(from)
  return {
    from: begin,
    to: Math.max(begin, Math.min(nearest(to), startOfDay(new Date(now.getTime() - settlesMs)))),
  }
}

/** As a share of the bill: above zero where the bill is the larger one. Null for a bill of nothing. */
function driftOf(local: number, billed: number): number | null {
  if (local === billed) return 0
  return billed === 0 ? null : (billed - local) / billed
}

function sumOf(days: ReadonlyMap<string, number>): number {
  return [...days.values()].reduce((sum, nanos) => sum + nanos, 0)
}
