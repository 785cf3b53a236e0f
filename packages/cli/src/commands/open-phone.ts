/**
 * `countersign open --phone`: a picture that a phone scans. It holds a link to the app at a public origin, which lets
 * one device ask, once and for minutes. A person compares six words before the device of this host signs for it.
 */
import { randomBytes } from 'node:crypto'
import {
  CountersignError,
  type DeviceReach,
  type OriginView,
  type PairingRequestView,
} from '@countersign/contract'
import { fingerprint } from '@countersign/contract/node'
import type { Gateway } from '../connection.ts'
import { consentTo } from '../consent.ts'
import type { Context } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { deviceSigned, originSigned, wordsFor } from './device-statement.ts'
import { reachIn, reachText, reachWords } from './device-words.ts'
import { invitationBy, provesLink } from './pairing-link.ts'

const longestMs = 10 * 60_000
const everyMs = 500

export async function openPhone(
  context: Context,
  screen: string,
  options: Readonly<Record<string, unknown>>,
): Promise<CommandAnswer> {
  const asked = options['reach']
  const reach = typeof asked === 'string' ? reachIn(asked) : undefined
  if (asked !== undefined && reach === undefined) return usage(`--reach is one of ${reachWords}.`, 'open')
  const gateway = await context.gateway()
  const { origins, passkeys } = await gateway.client.devices()
  const chosen = chosenOrigin(origins, options['origin'])
  await acceptPasskeys(context, gateway, chosen)
  const secret = randomBytes(32).toString('base64url')
  await showLink(context, gateway, { page: `${chosen.origin}/${screen}`, origin: chosen.origin, secret })
  const request = await requestBy(context, gateway, secret)
  const words = await wordsFor(gateway.identity, request)
  const mayAsk = context.interactive && !context.flags.yes
  const hasPasskey = passkeys.some(({ revokedAt }) => revokedAt === null)
  return mayAsk && !hasPasskey
    ? confirmedHere(context, gateway, { request, words, reach: reach ?? request.reach })
    : confirmedElsewhere(context, gateway, { request, words, hasPasskey })
}

function chosenOrigin(origins: readonly OriginView[], named: unknown): OriginView {
  const served = origins.filter(({ served: isServed }) => isServed)
  const matching = typeof named === 'string' ? served.filter(({ origin }) => origin === named) : served
  const [first, ...others] = matching
  if (served.length === 0)
    throw new CountersignError('usage', 'No public origin is set, so a phone cannot reach the app.', {
      next: 'Set up a proxy as in docs/operators/remote-access.md, then run `countersign config set publicOrigins https://home.example.com` and restart the gateway.',
    })
  if (first === undefined || others.length > 0)
    throw new CountersignError(
      'usage',
      first === undefined
        ? `${line(String(named))} is not a public origin.`
        : 'There are several public origins.',
      { next: `Name one with --origin: ${served.map(({ origin }) => origin).join(', ')}.` },
    )
  return first
}

/** Only this host, or a passkey, can say that passkeys count at an origin. Without that a phone approves all but T4. */
async function acceptPasskeys(context: Context, { client, identity }: Gateway, chosen: OriginView) {
  const { origin, acceptedAt } = chosen
  if (acceptedAt !== null || !origin.startsWith('https:')) return
  const consent = await consentTo(context, {
    plan: [
      `Passkeys do not count at ${origin} yet.`,
      'If you accept them, a passkey that you make there can approve critical actions.',
    ].join('\n'),
    question: 'Type y to accept passkeys there, or anything else to leave it',
    word: 'y',
  })
  if (consent !== 'given') {
    context.note(`Passkeys do not count at ${origin}. Accept them by running this again.`)
    return
  }
  const { ledger } = await client.stateDevice(originSigned(identity, origin, context.host.clock()))
  context.note(`Passkeys count at ${origin}.${ledgerMark(ledger)}`)
}

async function showLink(
  context: Context,
  { client, identity }: Gateway,
  { page, origin, secret }: { readonly page: string; readonly origin: string; readonly secret: string },
): Promise<void> {
  await client.invite({ invitation: invitationBy(secret), origin })
  const address = `${page}#pair=${secret}&gateway=${fingerprint(identity.trust.gateway.key)}&words`
  const { default: qrcode } = await import('qrcode')
  context.note(await qrcode.toString(address, { type: 'utf8', errorCorrectionLevel: 'L' }))
  context.note(address)
  context.note('Scan it with your phone. It works once, within five minutes. Ctrl-C stops waiting.')
}

async function requestBy(context: Context, { client }: Gateway, secret: string): Promise<PairingRequestView> {
  const until = context.host.clock().getTime() + Math.min(context.flags.waitMs ?? longestMs, longestMs)
  for (;;) {
    const request = (await client.pairingRequests()).find((each) => provesLink(secret, each))
    if (request) return request
    if (context.host.clock().getTime() >= until)
      throw new CountersignError('timeout', 'No phone came with this link.', {
        next: 'Run `countersign open --phone` again. If the phone shows no page, run `countersign doctor`.',
      })
    await context.host.wait(everyMs)
  }
}

interface PhoneRequest {
  readonly request: PairingRequestView
  readonly words: string
}

async function confirmedHere(
  context: Context,
  { client, identity }: Gateway,
  { request, words, reach }: PhoneRequest & { readonly reach: DeviceReach },
): Promise<CommandAnswer> {
  const { device, name, platform } = request
  const plan = [
    `${line(name)}, ${line(platform)}, would be able to ${reachText(reach)}.`,
    'The phone must show:',
    indent(words),
  ].join('\n')
  const question = 'Does it show the same six words? Type y to pair it, or anything else to refuse it'
  if ((await consentTo(context, { plan, question, word: 'y' })) !== 'given') {
    const { ledger } = await client.refusePairing(request.id)
    return done({ paired: false, words, ledger }, `Refused ${line(name)}.${ledgerMark(ledger)}`)
  }
  const { ledger } = await client.stateDevice(
    deviceSigned(identity, device, request, reach, context.host.clock()),
  )
  return paired({ device, name, reach, words, ledger })
}

/** With a passkey, only the app can sign for a new device; and without a terminal nobody can compare words here. */
async function confirmedElsewhere(
  context: Context,
  { client }: Gateway,
  { request, words, hasPasskey }: PhoneRequest & { readonly hasPasskey: boolean },
): Promise<CommandAnswer> {
  const where = hasPasskey
    ? 'confirm it with your passkey on the Devices screen of the app on this computer: `countersign open devices`'
    : 'confirm it with `countersign device approve`, or on the Devices screen of the app on this computer'
  context.note(`${line(request.name)} must show these words:\n${indent(words)}\nIf it does, ${where}.`)
  for (;;) {
    const { devices } = await client.devices()
    const device = devices.find(({ key }) => key === request.key)
    if (device) return paired({ device: device.id, name: device.name, reach: device.reach, words })
    const isWaiting = (await client.pairingRequests()).some(({ id }) => id === request.id)
    if (!isWaiting && !(await client.devices()).devices.some(({ key }) => key === request.key))
      throw new CountersignError('conflict', 'The request was refused, or nobody confirmed it in time.', {
        next: 'Run `countersign open --phone` again.',
      })
    await context.host.wait(everyMs)
  }
}

function paired(phone: {
  readonly device: string
  readonly name: string
  readonly reach: DeviceReach
  readonly words: string
  readonly ledger?: number
}): CommandAnswer {
  const { name, reach, ledger } = phone
  return done(
    { paired: true, ...phone },
    [
      `${line(name)} is connected. It can ${reachText(reach)}.${ledger === undefined ? '' : ledgerMark(ledger)}`,
      'For critical actions, make a passkey on its Devices screen.',
    ].join('\n'),
  )
}
