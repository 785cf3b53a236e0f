/** `countersign ledger witnesses` and `ledger clear-alarm`: who saw which size when, and what to do about a complaint. */
import {
  alarmClearingText,
  type LedgerAlarmView,
  type LedgerWitnesses,
  sealText,
} from '@countersign/contract'
import { nothingWitnessed, type WitnessMemory } from '@countersign/contract/client'
import { sha256Hex, signText } from '@countersign/contract/node'
import type { Gateway } from '../connection.ts'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import {
  keepWitnessMemory,
  lookAtLedger,
  readWitnessMemory,
  troubleText,
  witnessFile,
} from '../ledger-witness.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'

export const witnesses: Handler = async (context) => {
  const { client } = await context.gateway()
  const listed = await client.ledgerWitnesses()
  const here = readWitnessMemory(witnessFile(await context.paths()))
  return done({ ...listed, here: { ...here } }, () => witnessesText(listed, here, context))
}

export const clearAlarm: Handler = async (context) => {
  const gateway = await context.gateway()
  const path = witnessFile(await context.paths())
  const { alarms } = await gateway.client.ledgerWitnesses()
  const here = readWitnessMemory(path)
  if (alarms.length === 0 && here.trouble === null)
    return done({ cleared: [], accepted: false }, 'There is no alarm.')
  const plan = [
    ...alarms.map((alarm) => alarmText(alarm, context)),
    ...(here.trouble === null ? [] : [troubleText(here)]),
    'After this, calls run again and this host believes the ledger as it is now. What was in the other history is not brought back.',
  ].join('\n\n')
  const consent = await consentTo(context, { plan, question: 'Type accept to go on', word: 'accept' })
  if (consent === 'nobody-to-ask') return usage('Add --yes to clear the alarm.', 'ledger clear-alarm')
  if (consent === 'withheld') return done({ cleared: [], accepted: false }, 'Nothing was changed.')
  const ledger = alarms.length === 0 ? null : await clearAtGateway(context, gateway, alarms)
  keepWitnessMemory(path, nothingWitnessed)
  const now = await lookAtLedger(gateway, path, context.host.clock, nothingWitnessed)
  const ids = alarms.map(({ id }) => id)
  return done(
    { cleared: ids, accepted: true, ledger, size: now.seen?.size ?? 0 },
    `The alarm is cleared. This host believes the ledger of ${now.seen?.size ?? 0} entries.${ledger === null ? '' : ledgerMark(ledger)}`,
  )
}

async function clearAtGateway(
  context: Context,
  { client, identity }: Gateway,
  alarms: readonly LedgerAlarmView[],
): Promise<number> {
  const ids = alarms.map(({ id }) => id)
  const digest = sha256Hex(alarmClearingText(identity.trust.gateway.id, ids))
  const { id, keys } = identity.device
  const decidedAt = context.host.clock().toISOString()
  const signature = signText(keys.privateKey, sealText(digest, id, decidedAt))
  const seal = { by: 'device' as const, device: id, decidedAt, signature }
  return (await client.clearLedgerAlarms({ alarms: ids, seal })).ledger
}

function witnessesText(listed: LedgerWitnesses, here: WitnessMemory, context: Context): string {
  const moment = context.moment()
  const kinds = { device: 'device', node: 'node', log: 'elsewhere' } as const
  const rows = listed.witnesses.map((each) => [
    line(each.name),
    kinds[each.kind],
    String(each.size),
    behindText(listed.signed - each.size),
    ago(each.at, moment),
  ])
  const newest = listed.witnesses.toSorted((one, other) => other.at.localeCompare(one.at))[0]
  return [
    ...listed.alarms.map((alarm) => alarmText(alarm, context)),
    ...(here.trouble === null ? [] : [troubleText(here)]),
    rows.length === 0
      ? 'Nobody witnesses this ledger yet: a cut tail would not be noticed.'
      : table(['Witness', 'Kind', 'Saw', 'Behind', 'When'], rows, context.width()),
    `Signed up to ${listed.signed}.${newest === undefined ? '' : ` Last witnessed ${ago(newest.at, moment)}.`}`,
  ].join('\n\n')
}

function behindText(behind: number): string {
  return behind <= 0 ? 'nothing' : `${behind} ${behind === 1 ? 'entry' : 'entries'}`
}

function alarmText(alarm: LedgerAlarmView, context: Context): string {
  return [
    `ALARM: ${line(alarm.witness)} saw ${alarm.size} entries that are not in this ledger (${ago(alarm.at, context.moment())}).`,
    `  ${line(alarm.reason)}`,
    '  Nothing runs but what only looks, until you clear it with `countersign ledger clear-alarm`.',
  ].join('\n')
}
