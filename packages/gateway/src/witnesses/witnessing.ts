/**
 * Owns who may witness the ledger, and what people are shown of it: devices and nodes that the operator believes now,
 * each under the key by which it is believed, and the witnesses elsewhere that the settings name.
 */
import {
  alarmClearingText,
  type ClearLedgerAlarms,
  type ComplaintReply,
  CountersignError,
  isFresh,
  type LedgerAlarmView,
  type LedgerHead,
  type LedgerWitnesses,
  type LedgerWitnessView,
  type OperatorId,
  permitLifetimeMs,
  type ReportSeenHead,
  vkeyFor,
  witnessName,
} from '@countersign/contract'
import { type Believed, nodeWitnessMeans, sha256Hex } from '@countersign/contract/node'
import type { Kernel, LedgerWitness, SealChecks } from '@countersign/kernel'
import type { RequestSender } from '../server/request-sender.ts'

/** One that the operator believes: a device or a node. */
export interface OwnWitness extends LedgerWitness {
  readonly kind: 'device' | 'node'
}

export interface Witnessing {
  head(operator: OperatorId, from: number): Promise<LedgerHead>
  /** Refuses a witness that is not believed, or not any more. */
  saw(operator: OperatorId, id: string, report: ReportSeenHead): Promise<void>
  /** It counts only with a checkpoint that this gateway signed; see the kernel's `witnesses.ts`. */
  complain(
    operator: OperatorId,
    id: string,
    complaint: { readonly note: string; readonly reason: string },
  ): Promise<ComplaintReply['result']>
  /** Whether the alarm stands. */
  isAlarmed(operator: OperatorId): Promise<boolean>
  list(operator: OperatorId): Promise<LedgerWitnesses>
  clear(by: RequestSender, wanted: ClearLedgerAlarms): Promise<number>
}

export interface WitnessingParts {
  readonly kernel: Pick<Kernel, 'gateway' | 'witnesses'>
  readonly believed: () => Promise<Pick<Believed, 'devices' | 'nodes'>>
  /** What the operator calls devices. */
  readonly names: () => Promise<ReadonlyMap<string, string>>
  /** The keys of witnesses elsewhere, as the settings name them. */
  readonly elsewhere: readonly { readonly name: string; readonly key: string }[]
  readonly seals: SealChecks
  readonly clock: () => Date
}

export function createWitnessing(parts: WitnessingParts): Witnessing {
  const { kernel, seals, clock } = parts
  const { witnesses } = kernel

  async function ownWitness(id: string): Promise<OwnWitness & { readonly key: string }> {
    const { devices, nodes } = await parts.believed()
    const device = [...devices.values()].find((each) => each.id === id)
    const node = [...nodes.values()].find((each) => each.id === id)
    const found = device ?? node
    if (found === undefined || found.revokedAt !== null)
      throw new CountersignError('not_authenticated', 'Only a paired device or node witnesses this ledger.')
    const name = (await parts.names()).get(id) ?? found.name
    return { id, kind: device ? 'device' : 'node', name, key: found.key }
  }

  const keyOf = (id: string, raw: string) =>
    vkeyFor({ name: witnessName(kernel.gateway, id), raw, signs: 'cosignatures' }, nodeWitnessMeans)

  return {
    head: witnesses.head,
    async saw(operator, id, report) {
      const { key, ...witness } = await ownWitness(id)
      await witnesses.saw(operator, witness, { ...report, key: await keyOf(id, key) })
    },
    async complain(operator, id, complaint) {
      const { key: _key, ...witness } = await ownWitness(id)
      return witnesses.complain(operator, witness, complaint)
    },
    isAlarmed: async (operator) => (await witnesses.known(operator)).alarms.length > 0,
    async list(operator) {
      const [known, { devices, nodes }, names] = await Promise.all([
        witnesses.known(operator),
        parts.believed(),
        parts.names(),
      ])
      const believed = new Map<string, { readonly name: string; readonly key: string }>(
        [...devices.values(), ...nodes.values()]
          .filter(({ revokedAt }) => revokedAt === null)
          .map(({ id, name, key }) => [id, { name, key }]),
      )
      const viewOf = async (row: (typeof known.witnesses)[number]): Promise<LedgerWitnessView> => {
        const own = believed.get(row.witness)
        const other = parts.elsewhere.find(({ key }) => key.startsWith(`${row.witness}+`))
        return {
          id: row.witness,
          kind: row.kind,
          name: names.get(row.witness) ?? own?.name ?? other?.name ?? row.witness,
          size: row.size,
          root: row.root,
          at: row.at.toISOString(),
          key: own ? await keyOf(row.witness, own.key) : (other?.key ?? null),
        }
      }
      return {
        signed: known.signed,
        witnesses: await Promise.all(known.witnesses.map(viewOf)),
        alarms: known.alarms.map(
          ({ id, at, witness, size, reason, note }): LedgerAlarmView => ({
            id,
            at: at.toISOString(),
            witness,
            size,
            reason,
            note,
          }),
        ),
      }
    },
    async clear(by, { alarms, seal }) {
      if (seal.by === 'device' && seal.device !== by.device)
        throw new CountersignError('not_authenticated', 'The clearing was sealed by another device.')
      if (!isFresh(seal.decidedAt, clock()))
        throw new CountersignError(
          'expired',
          `A seal must arrive within ${permitLifetimeMs / 60_000} minutes. Seal it again.`,
        )
      const digest = sha256Hex(alarmClearingText(kernel.gateway, alarms))
      const problem = await seals.check(seal, digest, 3)
      if (problem !== null)
        throw new CountersignError('not_authenticated', `The seal is not valid: ${problem}.`)
      return witnesses.clear(by.operator, alarms, by.actor)
    },
  }
}
