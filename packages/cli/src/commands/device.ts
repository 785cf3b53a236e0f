/** `countersign device`: who may speak for you, who asks to, and how far each may go. */
import {
  CountersignError,
  type DeviceView,
  type OriginView,
  type PairingRequestView,
  type PasskeyView,
} from '@countersign/contract'
import { fingerprint } from '@countersign/contract/node'
import type { Gateway } from '../connection.ts'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago, until } from '../output/time.ts'
import { deviceSigned, revocationSigned, wordsFor } from './device-statement.ts'
import {
  deviceName,
  findDevice,
  findPasskey,
  type LookupResult,
  lastSeen,
  reachIn,
  reachText,
  reachWords,
} from './device-words.ts'
import { answerPasskey, passkeyNamed, passkeyRequestText, waitingPasskeys } from './passkey-request.ts'

export const list: Handler = async (context, _args, options) => {
  const { client, identity } = await context.gateway()
  const [{ devices, passkeys, origins, problems }, requests, asked] = await Promise.all([
    client.devices(),
    client.pairingRequests(),
    client.passkeyRequests(),
  ])
  const waitingKeys = await waitingPasskeys(identity, devices, asked)
  const waiting = await Promise.all(
    requests.map(async (request) => ({ ...request, words: await wordsFor(identity, request) })),
  )
  const all = options['all'] === true
  const shown = devices.filter(({ revokedAt }) => all || revokedAt === null)
  const keys = passkeys.filter(({ revokedAt }) => all || revokedAt === null)
  return done(
    { devices: shown, passkeys: keys, origins, waiting, waitingPasskeys: waitingKeys, problems },
    () =>
      [
        ...waiting.map((request) => requestText(request, context)),
        ...waitingKeys.map((request) => passkeyRequestText(request, context)),
        deviceTable(shown, context),
        ...(keys.length === 0 ? [] : [passkeyTable(keys, context)]),
        ...(origins.length === 0 ? [] : [originTable(origins, context)]),
        ...problems.map((problem) => `Passed over: ${line(problem)}.`),
      ].join('\n\n'),
  )
}

export const show: Handler = async (context, [ref = '']) => {
  const { devices } = await (await context.gateway()).client.devices()
  const device = requireFound(findDevice(ref, devices), ref)
  return done({ device, fingerprint: fingerprint(device.key) }, () => deviceText(device, context))
}

export const approve: Handler = async (context, [ref], options) => {
  const gateway = await context.gateway()
  const requests = await gateway.client.pairingRequests()
  const passkey =
    namedBy(ref, requests).length > 0 ? undefined : passkeyNamed(ref, await gateway.client.passkeyRequests())
  if (passkey) return answerPasskey(gateway, passkey, options['refuse'] === true)
  const request = requestNamed(ref, requests)
  if (options['refuse'] === true) {
    const { ledger } = await gateway.client.refusePairing(request.id)
    return done(
      { request: request.id, refused: true, ledger },
      `Refused ${line(request.name)}.${ledgerMark(ledger)}`,
    )
  }
  const asked = options['reach']
  const reach = asked === undefined ? request.reach : reachIn(asked)
  if (reach === undefined) return usage(`--reach is one of ${reachWords}.`, 'device approve')
  const words = await wordsFor(gateway.identity, request)
  const given = options['words']
  if (typeof given === 'string') {
    if (plainWords(given) !== words) throw otherWords()
  } else {
    // Only who sees the other screen knows; agreeing to everything beforehand is no comparison.
    if (!context.interactive || context.flags.yes)
      return usage('Give the six words that the other screen shows: --words "…".', 'device approve')
    const plan = [
      `${line(request.name)}, ${line(request.platform)}, would be able to ${reachText(reach)}.`,
      'The other screen must show:',
      indent(words),
    ].join('\n')
    const question = 'Does it show the same six words? Type y to pair it, or anything else to leave it'
    if ((await consentTo(context, { plan, question, word: 'y' })) !== 'given')
      return done(
        { request: request.id, approved: false },
        'The request is still pending. Refuse it with `countersign device approve --refuse`.',
      )
  }
  const { device } = request
  const statement = deviceSigned(gateway.identity, device, request, reach, context.host.clock())
  const { ledger } = await gateway.client.stateDevice(statement)
  return done(
    { request: request.id, approved: true, device, reach, ledger },
    `${line(request.name)} is connected. It can ${reachText(reach)}.${ledgerMark(ledger)}`,
  )
}

export const limit: Handler = async (context, [ref = ''], options) => {
  const reach = reachIn(options['reach'])
  if (reach === undefined) return usage(`Give the access: --reach ${reachWords}.`, 'device limit')
  const { client, identity } = await context.gateway()
  const device = requireFound(findDevice(ref, (await client.devices()).devices), ref)
  const statement = deviceSigned(identity, device.id, device, reach, context.host.clock())
  const { ledger } = await client.stateDevice(statement)
  return done(
    { device: device.id, reach, ledger },
    `${line(device.name)} can now ${reachText(reach)}.${ledgerMark(ledger)}`,
  )
}

export const rename: Handler = async (context, [ref = '', name = '']) => {
  const { client } = await context.gateway()
  const device = requireFound(findDevice(ref, (await client.devices()).devices), ref)
  const { ledger } = await client.renameDevice(device.id, name)
  return done(
    { device: device.id, name, ledger },
    `${line(device.name)} is now called ${line(name)}.${ledgerMark(ledger)}`,
  )
}

export const revoke: Handler = async (context, [ref = '']) => {
  const gateway = await context.gateway()
  const target = await revocable(gateway, ref)
  const plan = revocationPlans[target.kind](line(target.name))
  const consent = await consentTo(context, { plan, question: 'Type revoke to confirm', word: 'revoke' })
  if (consent === 'nobody-to-ask')
    return usage('This needs a confirmation in a terminal. Add --yes to skip it.', 'device revoke')
  if (consent === 'withheld') return done({ revoked: false }, 'Nothing was changed.')
  const statement = revocationSigned(gateway.identity, target.id, context.host.clock())
  const { ledger } = await gateway.client.stateDevice(statement)
  return done(
    { target: target.id, revoked: true, ledger },
    `Revoked ${line(target.name)}.${ledgerMark(ledger)}`,
  )
}

function requestText(request: PairingRequestView & { readonly words: string }, context: Context): string {
  const { name, platform, reach, expiresAt, words } = request
  return [
    context.paint('strong', `${line(name)} wants to pair`),
    indent(
      columns([
        ['From', line(platform)],
        ['Could', reachText(reach)],
        ['Words', words],
        ['Waits', `${until(expiresAt, context.moment())} more`],
      ]),
    ),
    'Pair it with `countersign device approve` if it shows the same words.',
  ].join('\n')
}

function deviceTable(devices: readonly DeviceView[], context: Context): string {
  const rows = devices.map((device) => [
    deviceName(device),
    reachText(device.reach),
    line(device.platform),
    lastSeen(device, context),
    device.id,
  ])
  return table(['Device', 'May', 'Platform', 'Seen', 'Id'], rows, context.host.output.columns)
}

function passkeyTable(passkeys: readonly PasskeyView[], context: Context): string {
  const rows = passkeys.map(({ name, site, addedAt, revokedAt, credential }) => [
    line(name),
    line(site),
    ago(addedAt, context.moment()),
    revokedAt === null ? '' : ago(revokedAt, context.moment()),
    line(credential),
  ])
  return table(['Passkey', 'Site', 'Added', 'Revoked', 'Id'], rows, context.host.output.columns)
}

function originTable(origins: readonly OriginView[], context: Context): string {
  const rows = origins.map(({ origin, served, acceptedAt }) => [
    line(origin),
    served ? 'yes' : 'no, not in publicOrigins',
    acceptedAt === null ? 'not accepted' : `accepted ${ago(acceptedAt, context.moment())}`,
  ])
  return table(['Origin', 'Served', 'Passkeys'], rows, context.host.output.columns)
}

function deviceText(device: DeviceView, context: Context): string {
  return [
    context.paint('strong', deviceName(device)),
    columns([
      ['Id', device.id],
      ['May', reachText(device.reach)],
      ['Platform', line(device.platform) || 'unknown'],
      [
        'Added',
        `${ago(device.addedAt, context.moment())}${device.root ? ', by the trust file of the host' : ''}`,
      ],
      ['Seen', lastSeen(device, context) || 'not since the gateway was started'],
      ['Connections', String(device.connections)],
      ['Key', fingerprint(device.key)],
    ]),
  ].join('\n')
}

function namedBy(ref: string | undefined, requests: readonly PairingRequestView[]): PairingRequestView[] {
  return requests.filter(
    ({ id, name }) => ref === undefined || id.startsWith(ref) || name.toLowerCase() === ref.toLowerCase(),
  )
}

function requestNamed(ref: string | undefined, requests: readonly PairingRequestView[]): PairingRequestView {
  const matching = namedBy(ref, requests)
  const [first, ...others] = matching
  if (first === undefined)
    throw new CountersignError('not_found', 'There is no pairing request.', {
      next: 'Open the web app on the new device first and choose “Show six words”.',
    })
  if (others.length > 0)
    throw new CountersignError('usage', `${matching.length} devices want to pair.`, {
      next: `Name one: ${matching.map(({ id, name }) => `${id.slice(0, 8)} (${line(name)})`).join(', ')}.`,
    })
  return first
}

interface Revocable {
  readonly id: string
  readonly name: string
  readonly kind: 'this host' | 'origin' | 'other'
}

const revocationPlans: Readonly<Record<Revocable['kind'], (name: string) => string>> = {
  'this host': (name) =>
    `${name} is the device of this host. After this, no command on this host works any more.`,
  origin: (name) =>
    `Passkeys that were made at ${name} count for nothing until you accept them again with \`countersign open --phone\`.`,
  other: (name) =>
    `${name} is revoked immediately and permanently. To come back it must pair with a new key.`,
}

async function revocable({ client }: Gateway, ref: string): Promise<Revocable> {
  const { devices, passkeys, origins } = await client.devices()
  const accepted = origins.find(({ origin, acceptedAt }) => origin === ref && acceptedAt !== null)
  if (accepted) return { id: accepted.origin, name: accepted.origin, kind: 'origin' }
  const passkey = findPasskey(ref, passkeys)
  if (passkey.kind === 'found' && findDevice(ref, devices).kind === 'none')
    return { id: passkey.value.credential, name: passkey.value.name, kind: 'other' }
  const { id, name, thisOne } = requireFound(findDevice(ref, devices), ref)
  return { id, name, kind: thisOne ? 'this host' : 'other' }
}

function requireFound<T>(found: LookupResult<T>, ref: string): T {
  switch (found.kind) {
    case 'found':
      return found.value
    case 'none':
      throw new CountersignError('not_found', `There is no device ${line(ref)}.`, {
        next: 'List devices with `countersign device list --all`.',
      })
    case 'several':
      throw new CountersignError('usage', `Several devices are called ${line(ref)}.`, {
        next: `Give one id: ${found.names.join(', ')}.`,
      })
  }
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .join(' ')
}

function otherWords(): CountersignError {
  return new CountersignError(
    'conflict',
    'The words differ, so this request is not from the device in front of you.',
    {
      next: 'Refuse it with `countersign device approve --refuse`, and start again on the other device.',
    },
  )
}
