/**
 * Owns the policy that holds now and every one that held before, each a version with its author. A policy that does not
 * compile never goes live: the last good one stays.
 */
import {
  type Autonomy,
  CountersignError,
  type DeviceSeal,
  type OperatorId,
  type PasskeySeal,
  type PolicyDocument,
  plainPolicy,
  policyText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  compilePolicies,
  type Loosening,
  looseningsOf,
  type PolicyFile,
  type PolicyProblem,
  type PolicySet,
} from '@countersign/policy'
import type { Selectable } from 'kysely'
import { type Actor, type Db, json, type Store, type Unit } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export type PolicyVersion = Selectable<Tables['policy_versions']>

/** What the files of the machine say. */
export interface PolicySources {
  readonly autonomy: Autonomy
  readonly files: readonly PolicyFile[]
  readonly passkeyTools?: readonly string[]
}

export interface PolicyChange {
  /** The version that the change was made from; nothing happens when another is in force. */
  readonly base: number
  readonly document: PolicyDocument
  readonly actor: Actor
  readonly seal: DeviceSeal | PasskeySeal | null
  /**
   * Whoever asked showed enough to let more through. It is held against the version that is replaced, as it is
   * replaced: what loosens nothing beside one version may loosen much beside the next.
   */
  readonly mayLoosen: boolean
}

export interface Policies {
  current(): PolicySet
  /** The version in force. */
  version(): PolicyVersion
  /**
   * Takes over what the files say, or throws `policy_invalid` and changes nothing. A version that the files were not
   * yet told of stands above them.
   */
  load(sources: PolicySources): Promise<PolicySet>
  change(change: PolicyChange): Promise<{ readonly version: PolicyVersion; readonly ledger: number }>
  /** The files say the same as this version. */
  written(number: number): Promise<void>
  /** What a draft lets through that the policy in force does not. Throws `policy_invalid`. */
  loosenings(document: PolicyDocument): readonly Loosening[]
  versions(operator: OperatorId): Promise<PolicyVersion[]>
  find(operator: OperatorId, number: number): Promise<PolicyVersion>
  /** The version that was in force when this entry was written. */
  asOf(operator: OperatorId, entry: number): Promise<PolicyVersion>
}

export interface PoliciesOptions {
  readonly store: Store
  readonly operator: OperatorId
  /** Told after every change, so that executors refuse permits of the old policy. */
  readonly changed: (set: PolicySet, document: PolicyDocument) => void
}

const gateway: Actor = { kind: 'gateway', id: 'gateway' }

interface LivePolicy {
  readonly set: PolicySet
  readonly version: PolicyVersion
}

export function createPolicies({ store, operator, changed }: PoliciesOptions): Policies {
  let live: LivePolicy | undefined
  /** Calls that were being judged as it was replaced are judged to the end. */
  let replaced: PolicySet | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** One change after the other, so that what is in force is what was written last. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }

  function inForce(): LivePolicy {
    if (!live) throw new CountersignError('policy_invalid', 'No policy is loaded.')
    return live
  }

  function take(next: LivePolicy): void {
    replaced?.dispose()
    replaced = live?.set
    live = next
    changed(next.set, next.version.document)
  }

  return {
    ...versionReader(store),
    current: () => inForce().set,
    version: () => inForce().version,
    load: (sources) =>
      inTurn(async () => {
        const loaded = await loadSources(store, operator, sources)
        take(loaded)
        return loaded.set
      }),
    change: (change) =>
      inTurn(async () => {
        const { ledger, ...next } = await writeChange(store, operator, change)
        take(next)
        return { version: next.version, ledger }
      }),
    async written(number) {
      const { value: at } = await store.transact(operator, (unit) => markWritten(unit, number))
      if (live?.version.number === number) live = { ...live, version: { ...live.version, written_at: at } }
    },
    loosenings(document) {
      const { set, version } = inForce()
      const draft = compiled(document)
      try {
        return looseningsOf(
          { set, passkeyTools: version.document.passkeyTools },
          { set: draft, passkeyTools: document.passkeyTools },
        )
      } finally {
        draft.dispose()
      }
    },
  }
}

async function loadSources(store: Store, operator: OperatorId, sources: PolicySources): Promise<LivePolicy> {
  const { autonomy, files, passkeyTools = [] } = sources
  const said = plainPolicy({ autonomy, files: [...files], passkeyTools: [...passkeyTools] })
  const before = await store.read(operator, newest)
  const document = before && before.written_at === null ? before.document : said
  const set = compiled(document)
  const { value: version } = await store.transact(operator, async (unit) => {
    const digest = digestOf(document)
    await unit.db
      .updateTable('operators')
      .set({ policy_hash: set.hash, autonomy: document.autonomy })
      .where('policy_hash', 'is distinct from', set.hash)
      .execute()
    if (before?.digest === digest && before.hash === set.hash) return before
    const loosens = (before && looseningsSince(before.document, set, document)) ?? []
    const row = { document, set, digest, loosens, actor: gateway, seal: null, written: true }
    const next = await insert(unit, (before?.number ?? 0) + 1, row)
    record(unit, 'policy.loaded', next)
    return next
  })
  return { set, version }
}

async function writeChange(
  store: Store,
  operator: OperatorId,
  { base, document: given, actor, seal, mayLoosen }: PolicyChange,
): Promise<LivePolicy & { readonly ledger: number }> {
  const document = plainPolicy(given)
  const set = compiled(document)
  try {
    const { value: version, ledger } = await store.transact(operator, async (unit) => {
      // The row of the operator is what two gateways of one database would meet at.
      await unit.db.selectFrom('operators').select('id').where('id', '=', operator).forUpdate().execute()
      const before = await newest(unit.db)
      if (before?.number !== base) throw staleError(before?.number ?? 0)
      const loosens = looseningsSince(before.document, set, document)
      if (!mayLoosen && loosens?.length !== 0) throw stepUpError()
      const row = {
        document,
        set,
        digest: digestOf(document),
        loosens: loosens ?? [],
        actor,
        seal,
        written: false,
      }
      const next = await insert(unit, base + 1, row)
      await unit.db
        .updateTable('operators')
        .set({ policy_hash: set.hash, autonomy: document.autonomy })
        .where('id', '=', operator)
        .execute()
      record(unit, 'policy.changed', next)
      unit.emit({ type: 'policy.changed', version: next.number })
      return next
    })
    return { set, version, ledger }
  } catch (error) {
    set.dispose()
    throw error
  }
}

async function markWritten(unit: Unit, number: number): Promise<Date> {
  await unit.db
    .updateTable('policy_versions')
    .set({ written_at: unit.now })
    .where('number', '=', number)
    .execute()
  return unit.now
}

function versionReader(store: Store): Pick<Policies, 'versions' | 'find' | 'asOf'> {
  return {
    versions: (id) =>
      store.read(id, (db) =>
        db.selectFrom('policy_versions').selectAll().orderBy('number', 'desc').limit(mostListed).execute(),
      ),
    find: async (id, number) =>
      found(
        await store.read(id, (db) =>
          db.selectFrom('policy_versions').selectAll().where('number', '=', number).executeTakeFirst(),
        ),
        `There is no version ${number} of the policy.`,
      ),
    asOf: async (id, entry) =>
      found(
        await store.read(id, (db) => versionAt(db, entry)),
        `No version of the policy was recorded before entry ${entry}.`,
      ),
  }
}

/** Shown in a list; every one stays. */
const mostListed = 500

/** Throws with every line that is wrong. */
export function compiled(document: PolicySources): PolicySet {
  const result = compilePolicies(document)
  if (result.kind === 'compiled') return result.set
  const lines = result.problems.map(({ file, line, message }) => `${file}:${line} ${message}`)
  throw new CountersignError('policy_invalid', `The policy does not hold together: ${lines.join('; ')}`)
}

/** What is wrong with a draft; nothing for one that could go live. */
export function problemsOf(document: PolicySources): readonly PolicyProblem[] {
  const result = compilePolicies(document)
  if (result.kind === 'invalid') return result.problems
  result.set.dispose()
  return []
}

export function digestOf(document: PolicyDocument): string {
  return sha256Hex(policyText(document))
}

function newest(db: Db): Promise<PolicyVersion | undefined> {
  return db.selectFrom('policy_versions').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
}

/** A version of an older release may no longer compile; then nothing is known and nothing is claimed. */
function looseningsSince(
  before: PolicyDocument,
  set: PolicySet,
  after: PolicyDocument,
): readonly Loosening[] | null {
  const result = compilePolicies(before)
  if (result.kind === 'invalid') return null
  try {
    return looseningsOf(
      { set: result.set, passkeyTools: before.passkeyTools },
      { set, passkeyTools: after.passkeyTools },
    )
  } finally {
    result.set.dispose()
  }
}

interface NewVersion {
  readonly document: PolicyDocument
  readonly set: PolicySet
  readonly digest: string
  readonly loosens: readonly Loosening[]
  readonly actor: Actor
  readonly seal: DeviceSeal | PasskeySeal | null
  readonly written: boolean
}

function insert(unit: Unit, number: number, version: NewVersion): Promise<PolicyVersion> {
  const { document, set, digest, loosens, actor, seal, written } = version
  return unit.db
    .insertInto('policy_versions')
    .values({
      operator_id: unit.operator,
      number,
      hash: set.hash,
      digest,
      document: json(document),
      loosens: json(loosens),
      by_kind: actor.kind,
      by_id: actor.id,
      at: unit.now,
      seal: seal && json(seal),
      written_at: written ? unit.now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The text is in its row; the entry binds it by its digest. */
function record(unit: Unit, type: 'policy.loaded' | 'policy.changed', version: PolicyVersion): void {
  const { number, hash, digest, document, loosens, by_kind, by_id, seal } = version
  unit.record({
    type,
    actor: { kind: by_kind as Actor['kind'], id: by_id },
    data: {
      version: number,
      hash,
      digest,
      autonomy: document.autonomy,
      files: document.files.map(({ name }) => name),
      passkeyTools: document.passkeyTools,
      loosens: loosens.map((each) => ({ ...each })),
      ...(seal ? { seal: { ...seal } } : {}),
    },
  })
}

async function versionAt(db: Db, entry: number): Promise<PolicyVersion | undefined> {
  const written = await db
    .selectFrom('ledger_entries')
    .select('body')
    .where('type', 'in', ['policy.loaded', 'policy.changed'])
    .where('seq', '<=', entry)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { version } = (written ? JSON.parse(written.body) : {}).data ?? {}
  if (typeof version !== 'number') return undefined
  return db.selectFrom('policy_versions').selectAll().where('number', '=', version).executeTakeFirst()
}

function found(version: PolicyVersion | undefined, otherwise: string): PolicyVersion {
  if (version) return version
  throw new CountersignError('not_found', otherwise)
}

export function stepUpError(): CountersignError {
  return new CountersignError('step_up_needed', 'This change asks less, so it needs your passkey.', {
    next: 'Apply it in the web app with your passkey: `countersign open policy`.',
  })
}

function staleError(number: number): CountersignError {
  return new CountersignError(
    'conflict',
    `The policy was changed meanwhile: version ${number} is in force.`,
    {
      next: 'Look at it, then make your change again.',
    },
  )
}
