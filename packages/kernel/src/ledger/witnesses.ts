/**
 * Owns what the gateway knows of its witnesses: who saw which size when, and the alarm. Nobody's word raises it. A
 * complaint counts only with a checkpoint that the gateway's own key signed and that this ledger does not continue,
 * which nobody can make up; then every call that does more than look is refused until the operator clears it.
 */
import {
  type ComplaintReply,
  CountersignError,
  cosignedAt,
  type LedgerHead,
  type LedgerWitnessKind,
  type OpenNote,
  type OperatorId,
  openSignedNote,
} from '@countersign/contract'
import { nodeWitnessMeans, sha256Hex } from '@countersign/contract/node'
import type { Selectable } from 'kysely'
import type { Actor, Db, Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Checkpoints } from './checkpoints.ts'
import { growthProof, rootAt } from './growth-proof.ts'

/** Who witnesses: known by a key that the operator believes, or that the settings name. */
export interface LedgerWitness {
  readonly id: string
  readonly kind: LedgerWitnessKind
  /** What people call it. */
  readonly name: string
}

export interface SeenReport {
  readonly size: number
  /** A line of a signed note: C2SP cosignature/v1. */
  readonly cosignature: string
  /** The C2SP key that it must hold under. */
  readonly key: string
}

export type WitnessRow = Omit<Selectable<Tables['ledger_witnesses']>, 'operator_id'>
export type AlarmRow = Omit<Selectable<Tables['ledger_alarms']>, 'operator_id'>

export interface Witnesses {
  /** The newest checkpoint, with the proof that it continues `from`. */
  head(operator: OperatorId, from: number): Promise<LedgerHead>
  /** Keeps the newest size of the witness. Refuses a cosignature that does not hold over a checkpoint of this ledger. */
  saw(operator: OperatorId, witness: LedgerWitness, report: SeenReport): Promise<void>
  /** Raises the alarm, if the checkpoint that the witness saw is signed by this gateway and not of this ledger. */
  complain(
    operator: OperatorId,
    witness: LedgerWitness,
    complaint: { readonly note: string; readonly reason: string },
  ): Promise<ComplaintReply['result']>
  /** Whoever asks has checked the seal of the operator. Returns the number of the entry. */
  clear(operator: OperatorId, alarms: readonly string[], actor: Actor): Promise<number>
  known(operator: OperatorId): Promise<{
    readonly signed: number
    readonly witnesses: readonly WitnessRow[]
    readonly alarms: readonly AlarmRow[]
  }>
}

export function createWitnesses(ports: {
  readonly store: Store
  readonly checkpoints: Checkpoints
  readonly vkeyOf: (operator: OperatorId) => string
}): Witnesses {
  const { store, checkpoints } = ports

  const newest = (operator: OperatorId) =>
    store.single(operator, (db) =>
      db
        .selectFrom('checkpoints')
        .select(['size', 'note'])
        .orderBy('size', 'desc')
        .limit(1)
        .executeTakeFirst(),
    )

  async function head(operator: OperatorId, from: number): Promise<LedgerHead> {
    let last = await newest(operator)
    if (last === undefined) {
      await checkpoints.sign(operator)
      last = await newest(operator)
    }
    if (last === undefined)
      throw new CountersignError('not_found', 'The ledger has no entry yet, and so no checkpoint.', {
        next: 'Try again when something was recorded.',
      })
    const { size, note } = last
    await checkpoints.keepParts(operator, size)
    const { proof } = await store.read(operator, (db) => growthProof(db, from, size))
    return { note, size, from, proof: [...proof] }
  }

  async function isOurs(operator: OperatorId, note: OpenNote): Promise<boolean> {
    // Everything that is committed is covered by then, so a larger size is none of this ledger.
    const signed = await checkpoints.sign(operator)
    if (note.size > signed) return false
    if (note.size === 0) return true
    await checkpoints.keepParts(operator, signed)
    return (await store.read(operator, (db) => rootAt(db, note.size))) === note.root
  }

  return {
    head,
    async saw(operator, witness, { size, cosignature, key }) {
      const checkpoint = await store.single(operator, (db) =>
        db.selectFrom('checkpoints').select('note').where('size', '=', size).executeTakeFirst(),
      )
      if (checkpoint === undefined)
        throw new CountersignError('not_found', `No checkpoint of this ledger has ${size} entries.`, {
          next: 'Ask for the newest checkpoint and check it; complain if it does not continue yours.',
        })
      const at = await cosignedAt(checkpoint.note, cosignature, key, nodeWitnessMeans)
      if (at === undefined)
        throw new CountersignError('usage', 'The cosignature does not hold over this checkpoint.', {
          next: 'Sign it as C2SP cosignature/v1 with the key of this witness.',
        })
      const root = checkpoint.note.split('\n')[2] ?? ''
      await store.transact(operator, async ({ db, now }) => {
        await db
          .insertInto('ledger_witnesses')
          .values({
            operator_id: operator,
            witness: witness.id,
            kind: witness.kind,
            size,
            root,
            cosignature,
            at: now,
          })
          .onConflict((on) =>
            on
              .columns(['operator_id', 'witness'])
              .doUpdateSet({ kind: witness.kind, size, root, cosignature, at: now })
              // A report that comes late takes nothing back.
              .where('ledger_witnesses.size', '<=', size),
          )
          .execute()
      })
    },
    async complain(operator, witness, complaint) {
      const opened = await openSignedNote(complaint.note, ports.vkeyOf(operator), nodeWitnessMeans)
      if (opened.kind === 'refused')
        throw new CountersignError('usage', `The complaint proves nothing: ${opened.reason}.`, {
          next: 'Send the checkpoint that the witness saw before, as this gateway signed it.',
        })
      const { note } = opened
      const id = alarmId(note)
      const known = await store.single(operator, (db) =>
        db.selectFrom('ledger_alarms').select('cleared_at').where('id', '=', id).executeTakeFirst(),
      )
      if (known) return known.cleared_at === null ? 'known' : 'cleared'
      if (await isOurs(operator, note)) return 'agrees'
      await raise(operator, witness, { id, note, text: complaint.note, reason: complaint.reason })
      return 'raised'
    },
    async clear(operator, alarms, actor) {
      const { ledger } = await store.transact(operator, async (unit) => {
        const { db, now } = unit
        await lockAlarms(db)
        const cleared = await db
          .updateTable('ledger_alarms')
          .set({ cleared_at: now, cleared_by: actor.id })
          .where('id', 'in', [...alarms])
          .where('cleared_at', 'is', null)
          .returning(['id', 'size'])
          .execute()
        if (cleared.length === 0)
          throw new CountersignError('not_found', 'None of these alarms stands any more.')
        const standing = await db
          .selectFrom('ledger_alarms')
          .select('id')
          .where('cleared_at', 'is', null)
          .limit(1)
          .executeTakeFirst()
        if (standing === undefined) await db.updateTable('operators').set({ ledger_alarm_at: null }).execute()
        unit.record({ type: 'ledger.alarm_cleared', actor, data: { alarms: cleared.map((each) => each.id) } })
        unit.emit({
          type: 'notice',
          about: 'ledger',
          text:
            standing === undefined
              ? 'The alarm of the ledger was cleared. Calls run again.'
              : 'An alarm of the ledger was cleared. Another one still stands.',
        })
      })
      return ledger
    },
    async known(operator) {
      const [signed, witnesses, alarms] = await store.read(operator, (db) =>
        Promise.all([
          db
            .selectFrom('checkpoints')
            .select(({ fn }) => fn.max('size').as('size'))
            .executeTakeFirst(),
          db
            .selectFrom('ledger_witnesses')
            .select(['witness', 'kind', 'size', 'root', 'cosignature', 'at'])
            .orderBy('size', 'desc')
            .execute(),
          db
            .selectFrom('ledger_alarms')
            .select(['id', 'witness', 'size', 'note', 'reason', 'at', 'cleared_at', 'cleared_by'])
            .where('cleared_at', 'is', null)
            .orderBy('at')
            .execute(),
        ]),
      )
      return { signed: Number(signed?.size ?? 0), witnesses, alarms }
    },
  }

  async function raise(
    operator: OperatorId,
    witness: LedgerWitness,
    given: { id: string; note: OpenNote; text: string; reason: string },
  ): Promise<void> {
    const { id, note, reason, text } = given
    await store.transact(operator, async (unit) => {
      await lockAlarms(unit.db)
      const made = await unit.db
        .insertInto('ledger_alarms')
        .values({
          operator_id: operator,
          id,
          witness: witness.name,
          size: note.size,
          note: text,
          reason,
          at: unit.now,
          cleared_at: null,
          cleared_by: null,
        })
        .onConflict((on) => on.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (made === undefined) return
      await unit.db.updateTable('operators').set({ ledger_alarm_at: unit.now }).execute()
      const data = {
        alarm: id,
        witness: witness.id,
        name: witness.name,
        size: note.size,
        root: note.root,
        reason,
      }
      unit.record({ type: 'ledger.alarm_raised', actor: { kind: 'gateway', id: 'gateway' }, data })
      unit.emit({
        type: 'notice',
        about: 'ledger',
        text: `${witness.name} saw ${note.size} entries of the ledger that are not in it: it was rolled back or rewritten. Nothing runs now but what only looks. Look at Ledger, or run \`countersign ledger witnesses\`.`,
      })
    })
  }
}

/** One at a time raises or clears, so that the mark of the operator and the rows say the same. */
async function lockAlarms(db: Db): Promise<void> {
  await db.selectFrom('operators').select('id').forUpdate().execute()
}

/** Of what was signed, whatever signatures stand below it. */
function alarmId({ text }: OpenNote): string {
  return sha256Hex(`countersign/ledger-alarm/v1\0${text}`).slice(0, 32)
}
