/**
 * Owns what a terminal says of a passkey that waits for another one: its words, and where it is approved. A terminal
 * has no passkey, so it can only refuse.
 */
import { CountersignError, type DeviceView, type PasskeyRequestView } from '@countersign/contract'
import type { HostIdentity } from '@countersign/contract/node'
import type { Gateway } from '../connection.ts'
import type { Context } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { until } from '../output/time.ts'
import { passkeyWordsFor } from './device-statement.ts'

export interface WaitingPasskeyView extends PasskeyRequestView {
  readonly deviceName: string
  readonly words: string
}

/** Those of devices that are listed: the words are made with the key of the device. */
export async function waitingPasskeys(
  identity: HostIdentity,
  devices: readonly DeviceView[],
  requests: readonly PasskeyRequestView[],
): Promise<WaitingPasskeyView[]> {
  const waiting = requests.flatMap((request) => {
    const device = devices.find(({ id }) => id === request.device)
    return device === undefined || request.state !== 'waiting' ? [] : [{ request, device }]
  })
  return Promise.all(
    waiting.map(async ({ request, device }) => ({
      ...request,
      deviceName: device.name,
      words: await passkeyWordsFor(identity, request, device.key),
    })),
  )
}

export function passkeyRequestText(request: WaitingPasskeyView, context: Context): string {
  const { name, site, deviceName, expiresAt, words } = request
  return [
    context.paint('strong', `${line(deviceName)} made the passkey ${line(name)}`),
    indent(
      columns([
        ['Site', line(site)],
        ['Words', words],
        ['Waits', `${until(expiresAt, context.moment())} more`],
      ]),
    ),
    `${approval} Refuse it with \`countersign device approve --refuse ${request.id.slice(0, 8)}\`.`,
  ].join('\n')
}

/** The one that waits under this name or id; with no name, the only one. */
export function passkeyNamed(
  ref: string | undefined,
  requests: readonly PasskeyRequestView[],
): PasskeyRequestView | undefined {
  const matching = requests.filter(
    ({ id, name, state }) =>
      state === 'waiting' &&
      (ref === undefined || id.startsWith(ref) || name.toLowerCase() === ref.toLowerCase()),
  )
  return matching.length === 1 ? matching[0] : undefined
}

export async function answerPasskey(
  { client }: Pick<Gateway, 'client'>,
  { id, name }: PasskeyRequestView,
  refuses: boolean,
): Promise<CommandAnswer> {
  if (!refuses)
    throw new CountersignError('step_up_needed', 'A terminal has no passkey, and this needs one.', {
      next: approval,
    })
  const { ledger } = await client.refusePasskey(id)
  return done(
    { request: id, refused: true, ledger },
    `Refused the passkey ${line(name)}.${ledgerMark(ledger)}`,
  )
}

const approval =
  'Approve it with your passkey on the Devices screen if it shows the same words: `countersign open devices`.'
