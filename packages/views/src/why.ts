/** Builds the chain from an effect back to the person, nearest link first. */
import {
  type ApprovalId,
  type CallId,
  CountersignError,
  fileWriters,
  type Language,
  type OperatorId,
  type RunId,
  type Why,
  type WhyLink,
} from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { entryReferencesOf, parseEntryBody } from './ledger/entry-references.ts'
import { viewOfEntry } from './ledger/entry-view.ts'
import { type WhyWords, whyWords } from './why-words.ts'

export function createWhy(read: Reader) {
  return (operator: OperatorId, ref: string, language: Language): Promise<Why> =>
    read(operator, async (db) => {
      const words = whyWords[language]
      const alone = await entryAlone(db, ref, language)
      if (alone) return { subject: ref, chain: alone }
      const found = await resolve(db, ref)
      if (!found) {
        throw new CountersignError('not_found', `Nothing was found for ${ref}.`, {
          next: 'Give a call, run or approval, a ledger number (#12) or file:<path>.',
        })
      }
      const entries = await entriesOf(db, found)
      const links = [
        ...(found.call ? await callLinks(db, found.call, entries, words) : []),
        ...(await runLinks(db, found.run, entries, words)),
      ]
      return { subject: ref, chain: links }
    })
}

const numbered = /^#?(\d{1,15})$/

/** What no run did, such as storing a secret: the entry itself, and who did it. */
async function entryAlone(db: LimitedDb, ref: string, language: Language): Promise<WhyLink[] | null> {
  const seq = numbered.exec(ref)?.[1]
  if (seq === undefined) return null
  const row = await db
    .selectFrom('ledger_entries')
    .select(['seq', 'type', 'run_id', 'call_id', 'approval_id', 'body', 'leaf'])
    .where('seq', '=', Number(seq))
    .where('run_id', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const entry = parseEntryBody(row)
  const view = viewOfEntry(entry, { around: await entryReferencesOf(db, [entry]), signed: 0, language })
  const { kind, id } = view.actor
  return [
    { what: 'effect', id: view.type, at: view.at, sentence: view.sentence, ledger: view.seq },
    {
      what: 'person',
      id,
      at: null,
      sentence: kind === 'operator' ? whyWords[language].you : whyWords[language].itself,
      ledger: null,
    },
  ]
}

interface ReferencedThing {
  readonly call: CallId | null
  readonly run: RunId
}

async function resolve(db: LimitedDb, ref: string): Promise<ReferencedThing | null> {
  const calls = db.selectFrom('calls').select(['id', 'run_id'])
  const ofCall = (row: { id: CallId; run_id: RunId } | undefined) =>
    row ? { call: row.id, run: row.run_id } : null
  if (ref.startsWith('call_')) return ofCall(await calls.where('id', '=', ref as CallId).executeTakeFirst())
  if (ref.startsWith('file:')) {
    const ending = `%${JSON.stringify(ref.slice('file:'.length)).slice(1, -1)}"%`
    return ofCall(
      await calls
        .where('args', 'like', ending)
        .where('outcome', '=', 'ok')
        .where('tool', 'in', fileWriters)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    )
  }
  if (numbered.test(ref)) {
    const entry = await db
      .selectFrom('ledger_entries')
      .select(['call_id', 'run_id'])
      .where('seq', '=', Number(ref.replace('#', '')))
      .executeTakeFirst()
    return entry?.run_id ? { call: entry.call_id, run: entry.run_id } : null
  }
  if (ref.startsWith('run_')) {
    const run = await db
      .selectFrom('runs')
      .select('id')
      .where('id', '=', ref as RunId)
      .executeTakeFirst()
    return run ? { call: null, run: run.id } : null
  }
  const approval = await db
    .selectFrom('approvals')
    .select(['call_id', 'run_id'])
    .where((where) => where.or([where('id', '=', ref as ApprovalId), where('code', '=', ref.toUpperCase())]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return approval ? { call: approval.call_id, run: approval.run_id } : null
}

interface WhyEntry {
  readonly type: string
  readonly seq: number
  readonly call_id: CallId | null
  readonly body: string
}

function entriesOf(db: LimitedDb, found: ReferencedThing): Promise<WhyEntry[]> {
  return db
    .selectFrom('ledger_entries')
    .select(['type', 'seq', 'call_id', 'body'])
    .where('run_id', '=', found.run)
    .orderBy('seq', 'desc')
    .execute()
}

/** The newest entry of the first of these types that names the thing. */
function numberOf(entries: readonly WhyEntry[], id: string, types: readonly string[]): number | null {
  for (const type of types) {
    const entry = entries.find((one) => one.type === type && one.body.includes(id))
    if (entry) return entry.seq
  }
  return null
}

async function callLinks(
  db: LimitedDb,
  id: CallId,
  entries: readonly WhyEntry[],
  words: WhyWords,
): Promise<WhyLink[]> {
  const call = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const links: WhyLink[] = []
  const link = (
    what: WhyLink['what'],
    linkId: string,
    at: Date | null,
    sentence: string,
    ...types: string[]
  ) =>
    links.push({
      what,
      id: linkId,
      at: at?.toISOString() ?? null,
      sentence,
      ledger: numberOf(entries, id, types),
    })

  if (call.outcome) {
    link(
      'effect',
      call.id,
      call.ended_at,
      call.outcome === 'ok'
        ? words.done(call.headline)
        : words.ended(call.headline, call.outcome, call.summary),
      'effect.settled',
      'effect.outcome',
      'call.denied',
    )
  }
  if (call.permit) {
    const { seal } = call.permit
    link('permit', call.nonce ?? '', call.intended_at, words.permit[seal.by], 'effect.intended')
  }
  if (call.approval_id) {
    const approval = await db
      .selectFrom('approvals')
      .selectAll()
      .where('id', '=', call.approval_id)
      .executeTakeFirstOrThrow()
    const { state, code } = approval
    const sentence =
      state === 'pending' ? words.waiting(code) : words.decided[state](code, approval.decided_by ?? '')
    link(
      'approval',
      approval.id,
      approval.decided_at ?? approval.created_at,
      sentence,
      'approval.decided',
      'approval.requested',
    )
  }
  if (call.decision) {
    const { reason, rules, tier, raised } = call.decision
    const named = rules.map((rule) => `${rule.file}:${rule.line} (${rule.id})`).join(', ') || words.noRule
    const extra = raised.length > 0 ? words.raised(raised.join('; ')) : ''
    link(
      'decision',
      call.id,
      null,
      `${words.decision(words.tiers[tier], reason, named)}${extra}`,
      'approval.requested',
      'effect.intended',
      'call.denied',
    )
  }
  const proposed = numberOf(entries, id, ['turn.replied'])
  if (proposed !== null) {
    link('proposal', call.id, null, words.proposed(call.model_tool, call.turn), 'turn.replied')
  }
  return links
}

async function runLinks(
  db: LimitedDb,
  id: RunId,
  entries: readonly WhyEntry[],
  words: WhyWords,
): Promise<WhyLink[]> {
  const run = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const input = await db
    .selectFrom('inputs')
    .selectAll()
    .where('id', '=', run.input_id)
    .executeTakeFirstOrThrow()
  return [
    {
      what: 'run',
      id,
      at: run.started_at.toISOString(),
      sentence: run.kind === 'undo' ? words.undo : words.run[run.state],
      ledger: numberOf(entries, id, ['run.ended']),
    },
    {
      what: 'message',
      id: input.id,
      at: input.created_at.toISOString(),
      sentence: words.message(input.text.slice(0, 200)),
      ledger: numberOf(entries, input.id, ['input.admitted', 'run.undo_requested']),
    },
    {
      what: 'person',
      id: input.requester.id,
      at: null,
      sentence: input.requester.kind === 'operator' ? words.you : words.requester(input.requester.kind),
      ledger: null,
    },
  ]
}
