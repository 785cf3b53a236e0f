/**
 * Judges a quiet installation by three witnesses that do not know each other: the recorder's file, the exported ledger, and
 * what the driver was acknowledged.
 *
 * An intended call ends in one outcome. If the recorder saw its effect, that is `ok`, or `unknown` when the executor
 * was killed in between; anything else would deny what happened. If the recorder did not see it, it is never `ok`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Installation } from '@countersign/harness'
import { parseWitness, verifyLedger, type Witness } from '@countersign/verify'
import type { DrivenInput, Driver } from './driver.ts'
import { effectIn, fileOf, messageOf, replyTo } from './plan.ts'
import type { RecordedEffect } from './recorder.ts'

/** A kill, between two readings of the clock. */
export interface KillMoment {
  readonly from: number
  readonly to: number
  readonly executor: boolean
}

export interface AuditScene {
  readonly installation: Installation
  readonly client: Client
  readonly driver: Driver
  readonly recorded: readonly RecordedEffect[]
  readonly strikes: readonly KillMoment[]
  /** Heads of earlier audits, which the ledger must still contain. */
  readonly witnesses: readonly Witness[]
  /** How many of the driver's inputs an earlier audit has looked at. */
  readonly seen: number
}

export interface KillFindings {
  readonly problems: readonly string[]
  /** Outcomes of all intended effects so far. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly head: Witness | undefined
}

interface Entry {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly call?: string
  readonly approval?: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Effect {
  readonly intended: Entry
  readonly outcomes: readonly Entry[]
  readonly result: string
}

export async function audit(scene: AuditScene): Promise<KillFindings> {
  const lines = await exportOf(scene.client)
  const report = await verifyLedger(lines, { strict: true, witnesses: scene.witnesses })
  const entries = lines.map((line) => JSON.parse(line) as Entry).filter((entry) => 'type' in entry)
  const effects = effectsIn(entries)
  const outcomes: Record<string, number> = {}
  for (const { result } of effects) outcomes[result] = (outcomes[result] ?? 0) + 1
  return {
    problems: [
      ...report.failures.map((failure) => `ledger: ${failure.what}`),
      ...(await inputProblems(scene, entries)),
      ...recorderProblems(scene, entries, effects),
      ...effects.flatMap((effect) => outcomeProblems(effect, scene)),
      ...fileProblems(scene, effects),
      ...verdictProblems(scene, entries),
    ],
    outcomes,
    head: parseWitness(`${report.head.size}:${report.head.root}`),
  }
}

/** What was acknowledged and is not known any more. A quick look, for an installation that is not quiet. */
export async function forgotten(client: Client, inputs: readonly DrivenInput[]): Promise<string[]> {
  const looks = inputs.map(async ({ plan, admitted }) => {
    const detail = await client.session(admitted.session).catch((error: unknown) => error)
    if (detail instanceof CountersignError && detail.code === 'not_found')
      return [`${plan.id}: acknowledged and forgotten`]
    if (detail instanceof Error) throw detail
    return []
  })
  return (await Promise.all(looks)).flat()
}

async function exportOf(client: Client): Promise<string[]> {
  const stream = await client.exportLedger()
  return (await new Response(stream).text()).split('\n').filter((line) => line !== '')
}

/** Each acknowledged message was admitted once, led to one run that completed, and was answered once. */
async function inputProblems({ driver, client, seen }: AuditScene, entries: readonly Entry[]) {
  const problems: string[] = []
  const admissions = Map.groupBy(
    entries.filter((entry) => entry.type === 'input.admitted'),
    (entry) => String(entry.data['input']),
  )
  if (admissions.size !== driver.inputs.length)
    problems.push(`${driver.inputs.length} messages were acknowledged and ${admissions.size} admitted`)
  for (const { plan, admitted } of driver.inputs) {
    const times = admissions.get(admitted.input)?.length ?? 0
    if (times !== 1) problems.push(`${plan.id}: admitted ${times} times`)
  }
  const fresh = Map.groupBy(driver.inputs.slice(seen), ({ admitted }) => admitted.session)
  for (const [session, inputs] of fresh) {
    const detail = await client.session(session).catch((error: unknown) => String(error))
    if (typeof detail === 'string') {
      problems.push(`${session}: ${detail}`)
      continue
    }
    for (const input of inputs) {
      problems.push(...answerProblems(input, detail))
    }
  }
  return problems
}

function answerProblems(
  { plan, admitted }: DrivenInput,
  detail: Awaited<ReturnType<Client['session']>>,
): string[] {
  const problems: string[] = []
  const runs = detail.runs.filter((run) => run.input === admitted.input)
  if (runs.length !== 1) problems.push(`${plan.id}: ${runs.length} runs`)
  for (const { state, reason, message } of runs) {
    if (state !== 'stopped' || reason !== 'completed')
      problems.push(`${plan.id}: its run is ${state}, ${reason}: ${message}`)
  }
  for (const [text, role] of [
    [messageOf(plan), 'operator'],
    [replyTo(plan), 'assistant'],
  ] as const) {
    const found = detail.messages.filter((message) => message.role === role && message.text === text)
    if (found.length !== 1) problems.push(`${plan.id}: ${found.length} messages of the ${role}`)
  }
  return problems
}

/** A file that the ledger says was written is there, and no file is half of one. */
function fileProblems({ installation: { paths }, driver }: AuditScene, effects: readonly Effect[]): string[] {
  const written = new Set(
    effects
      .filter(({ intended, result }) => intended.data['tool'] === 'write_file' && result === 'ok')
      .map(({ intended }) => (JSON.parse(String(intended.data['args'])) as { path: string }).path),
  )
  return driver.inputs.flatMap(({ plan }) => {
    const path = join(paths.workspace, fileOf(plan))
    if (existsSync(path))
      return readFileSync(path, 'utf8') === plan.id ? [] : [`${path} holds something else`]
    return written.has(fileOf(plan)) ? [`${path} is not there`] : []
  })
}

/** Each effect that happened: once, intended before, and approved before that. */
function recorderProblems(
  { recorded, driver }: AuditScene,
  entries: readonly Entry[],
  effects: readonly Effect[],
): string[] {
  const problems: string[] = []
  const approvedAt = new Map(
    entries
      .filter((entry) => entry.type === 'approval.decided' && entry.data['verdict'] === 'approved')
      .map((entry) => [entry.approval, entry.seq]),
  )
  const planned = new Set(driver.inputs.flatMap(({ plan }) => plan.turns.flat().map((call) => call.id)))
  const intents = Map.groupBy(effects, ({ intended }) => postIn(intended))
  for (const [id, seen] of Map.groupBy(recorded, (effect) => effect.id)) {
    if (!planned.has(id)) problems.push(`${id}: nobody asked for it`)
    if (seen.length > 1) problems.push(`${id}: happened ${seen.length} times`)
    const at = seen[0]?.at ?? ''
    const earlier = (intents.get(id) ?? []).filter(({ intended }) => intended.at <= at)
    if (earlier.length === 0) problems.push(`${id}: happened without an earlier intent`)
    const sealed = earlier.some(
      ({ intended }) =>
        (approvedAt.get(String(intended.data['approval'])) ?? Number.POSITIVE_INFINITY) < intended.seq,
    )
    if (!sealed) problems.push(`${id}: happened without an approval that was given before`)
  }
  return problems
}

function outcomeProblems(
  { intended, outcomes, result }: Effect,
  { recorded, strikes }: AuditScene,
): string[] {
  const id = postIn(intended)
  const name = id ?? `${intended.call}`
  if (outcomes.length !== 1) return [`${name}: ${outcomes.length} outcomes of one intent`]
  const end = outcomes[0]?.at ?? ''
  if (result === 'unknown') {
    const struck = strikes.some(
      ({ from, to, executor }) => executor && to >= Date.parse(intended.at) && from <= Date.parse(end),
    )
    return struck ? [] : [`${name}: unknown, though no executor was killed in between`]
  }
  if (id === undefined) return []
  const happened = recorded.some((effect) => effect.id === id && intended.at <= effect.at && effect.at <= end)
  if (happened) return result === 'ok' ? [] : [`${name}: happened, and the ledger says ${result}`]
  return result === 'ok' ? [`${name}: the ledger says ok, and it did not happen`] : []
}

/** A verdict that was acknowledged, or might have been, is the one that stands. */
function verdictProblems({ driver }: AuditScene, entries: readonly Entry[]): string[] {
  return entries
    .filter((entry) => entry.type === 'approval.decided')
    .flatMap((entry) => {
      const wanted = driver.verdicts.get(entry.approval ?? '') === 'approve' ? 'approved' : 'denied'
      const { verdict } = entry.data
      return verdict === wanted ? [] : [`${entry.approval}: was to be ${wanted} and is ${String(verdict)}`]
    })
}

function effectsIn(entries: readonly Entry[]): Effect[] {
  const outcomes = Map.groupBy(
    entries.filter((entry) => entry.type === 'effect.outcome'),
    (entry) => String(entry.data['nonce']),
  )
  return entries
    .filter((entry) => entry.type === 'effect.intended')
    .map((intended) => {
      const ends = outcomes.get(String(intended.data['nonce'])) ?? []
      const [end] = ends
      return { intended, outcomes: ends, result: end ? String(end.data['result']) : 'open' }
    })
}

function postIn({ data }: Entry): string | undefined {
  return data['tool'] === 'http_request' ? effectIn(String(data['args'])) : undefined
}
