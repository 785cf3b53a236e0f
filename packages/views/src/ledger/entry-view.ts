/** Builds the view of an entry: its sentence, and the facts that it can be found by. */
import {
  type JsonObject,
  type JsonValue,
  type Language,
  type LedgerActor,
  type LedgerEntryView,
  type Resource,
  SessionId,
  Tier,
} from '@countersign/contract'
import type { EntryReferences, ParsedEntry, ReferencedCall } from './entry-references.ts'
import { sentenceOf } from './sentence.ts'

export interface EntryContext {
  readonly around: EntryReferences
  /** Up to this number a signed checkpoint covers the ledger. */
  readonly signed: number
  readonly language: Language
}

export function viewOfEntry(entry: ParsedEntry, { around, signed, language }: EntryContext): LedgerEntryView {
  const { row, body } = entry
  const { data } = body
  const call = row.call_id ? around.calls.get(row.call_id) : undefined
  const approvalId = row.approval_id ?? call?.approval_id ?? null
  const approval = approvalId ? around.approvals.get(approvalId) : undefined
  const actor = actorOf(entry, around)
  const tool = stringIn(data, 'tool') ?? call?.tool ?? null
  const headline = stringIn(data, 'headline') ?? call?.headline ?? null
  const session = SessionId.safeParse(body.session)
  return {
    seq: row.seq,
    at: body.at,
    type: row.type,
    sentence: sentenceOf(
      {
        type: row.type,
        actor,
        data,
        tool,
        headline,
        code: stringIn(data, 'code') ?? approval?.code ?? null,
        approvedOn: approval?.state === 'approved' ? approval.decided_by : null,
        names: around.names,
      },
      language,
    ),
    actor,
    tier: tierOf(data, call),
    outcome: outcomeOf(row.type, data),
    tool,
    effects: effectsOf(tool, data),
    headline,
    run: row.run_id,
    session: session.success ? session.data : null,
    call: row.call_id,
    approval: approvalId,
    rules: stringsIn(data['rules']),
    hash: row.leaf.toString('hex'),
    data,
    signed: row.seq <= signed,
  }
}

/** With the effects that the permit shows, which are surer than those that a name tells. */
export function withResources(
  view: LedgerEntryView,
  resources: readonly Resource[] | undefined,
): LedgerEntryView {
  if (!resources) return view
  return { ...view, effects: [...new Set([...resources.map(verbOf), ...view.effects])] }
}

/** Nothing of what is answered shows a secret, also not one that became known after the entry was written. */
export function redactedView(view: LedgerEntryView, redact: (text: string) => string): LedgerEntryView {
  return {
    ...view,
    sentence: redact(view.sentence),
    headline: view.headline === null ? null : redact(view.headline),
    data: redactedJson(view.data as JsonObject, redact) as JsonObject,
  }
}

function redactedJson(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => redactedJson(each, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactedJson(each, redact)]))
}

function actorOf({ row, body }: ParsedEntry, { agents, names }: EntryReferences): LedgerActor {
  const { kind, id } = body.actor
  // The gateway names itself by its id where it starts, and by its part elsewhere.
  if (kind !== 'agent') return { kind, id, name: id.startsWith('gw_') ? 'gateway' : id }
  const agent = row.run_id ? agents.get(row.run_id) : undefined
  return { kind, id, name: agent === undefined ? id : (names.get(agent) ?? agent) }
}

function tierOf(data: JsonObject, call: ReferencedCall | undefined): Tier | null {
  const tier = Tier.safeParse(data['tier'] ?? call?.tier)
  return tier.success ? tier.data : null
}

/** Which field of an entry says how it ended. */
const outcomeFields: Readonly<Record<string, string>> = {
  'effect.outcome': 'result',
  'effect.settled': 'answer',
  'approval.decided': 'verdict',
  'run.ended': 'reason',
  'plan.ended': 'status',
  'model.called': 'outcome',
}
const outcomeOfType: Readonly<Record<string, string>> = {
  'call.denied': 'denied',
  'call.refused': 'denied',
  'call.held': 'denied',
  'call.impossible': 'invalid',
  'secret.unchanged': 'failed',
  ...Object.fromEntries(
    ['schedule.succeeded', 'schedule.failed', 'schedule.stopped', 'schedule.missed', 'schedule.skipped'].map(
      (type) => [type, type.slice('schedule.'.length)],
    ),
  ),
  ...Object.fromEntries(
    ['task.completed', 'task.failed', 'task.cancelled'].map((type) => [type, type.slice('task.'.length)]),
  ),
}

function outcomeOf(type: string, data: JsonObject): string | null {
  const field = outcomeFields[type]
  return field === undefined ? (outcomeOfType[type] ?? null) : stringIn(data, field)
}

const verbs = new Set(['read', 'list', 'write', 'delete', 'fetch', 'send', 'execute', 'spend', 'ask'])
/** Words in names of tools that mean one of the verbs. */
const otherWords: Readonly<Record<string, string>> = {
  download: 'fetch',
  http: 'fetch',
  navigate: 'fetch',
  search: 'read',
  get: 'read',
  run: 'execute',
  shell: 'execute',
  remove: 'delete',
  add: 'write',
  update: 'write',
  create: 'write',
  copy: 'write',
  move: 'write',
}

function effectsOf(tool: string | null, data: JsonObject): string[] {
  const said = stringsIn(data['effects'])
  const words = (tool ?? '').split('_').map((word) => otherWords[word] ?? word)
  const known = said.length > 0 ? said : words.filter((word) => verbs.has(word))
  return [...new Set([...known, ...stringsIn([data['effect'] ?? null])])]
}

const extensionVerbs = { use: 'execute', add: 'write', change: 'write', remove: 'delete' } as const

function verbOf(resource: Resource): string {
  switch (resource.type) {
    case 'file':
    case 'record':
      return resource.op
    case 'url':
      return ['GET', 'HEAD'].includes(resource.method.toUpperCase()) ? 'fetch' : 'send'
    case 'exec':
      return 'execute'
    case 'peer':
      return 'send'
    case 'node':
    case 'server-tool':
      return 'execute'
    case 'extension':
      return extensionVerbs[resource.op]
  }
}

function stringIn(data: JsonObject, field: string): string | null {
  const value = data[field]
  return typeof value === 'string' ? value : null
}

function stringsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}
