/** `countersign peer`: the people who talk to the agent in channels. Whom the operator did not let in is not heard. */
import {
  type ChangePeer,
  CountersignError,
  PairingCode,
  type PeerLimits,
  PeerRole,
  type PeerView,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { limitsOf, limitsText } from './peer-limits.ts'

export const list: Handler = async (context, _args, { channel }) => {
  const all = await (await context.gateway()).client.peers()
  const peers = all.filter((peer) => channel === undefined || peer.channel === channel)
  return done({ peers }, () => {
    if (peers.length === 0)
      return 'Nobody yet. Whoever writes in a channel for the first time is shown a code; let them in with `countersign peer admit <code> --as guest`.'
    const rows = peers.map((peer) => [
      personText(peer),
      line(peer.name),
      standing(peer),
      peer.lastInAt === null ? 'never' : ago(peer.lastInAt, context.moment()),
      peer.state === 'paired' && peer.role !== 'operator' ? limitsText(peer.limits) : '',
    ])
    return [
      table(['Person', 'Calls themselves', 'May', 'Last wrote', 'Limits'], rows, context.width()),
      ...(peers.some(({ state }) => state === 'asking')
        ? [
            'Let in somebody whom you know with the code that stands in their chat: `countersign peer admit <code> --as guest`.',
          ]
        : []),
    ].join('\n')
  })
}

export const admit: Handler = async (context, [given = ''], options) => {
  const code = PairingCode.safeParse(given)
  if (!code.success)
    return usage(
      `${line(given)} is not a code: eight letters and digits, as they stand in the chat.`,
      'peer admit',
    )
  const role = PeerRole.safeParse(options.as)
  if (!role.success)
    return usage(
      'Say who they are: --as operator for your own account, --as trusted or --as guest.',
      'peer admit',
    )
  const limits = limitsOf(options)
  if (typeof limits === 'string') return usage(limits, 'peer admit')
  if (role.data === 'operator' && Object.keys(limits).length > 0)
    return usage('You have no limits: leave them out with --as operator.', 'peer admit')
  const { client } = await context.gateway()
  const { peer, ledger } = await client.admitPeer({ code: code.data, role: role.data, limits })
  return done({ peer, ledger }, () =>
    [
      `${line(peer.name)} may talk in ${line(peer.channel)} ${roleWords[role.data]}.${ledgerMark(ledger)}`,
      columns([
        ['Person', personText(peer)],
        ...(role.data === 'operator' ? [] : [['Limits', limitsText(peer.limits)]]),
      ]),
      ...(role.data === 'operator'
        ? [`Try it with \`countersign channel test ${line(peer.channel)}\`.`]
        : [`Change it with \`countersign peer limit ${personText(peer)}\`.`]),
    ].join('\n'),
  )
}

export const limit: Handler = async (context, [person = ''], options) => {
  const limits = limitsOf(options)
  if (typeof limits === 'string') return usage(limits, 'peer limit')
  if (Object.keys(limits).length === 0)
    return usage(
      'Say what to change: --tools, --tier, --daily-usd, --hours or --messages-per-hour.',
      'peer limit',
    )
  const { client } = await context.gateway()
  const peer = await peerNamed(client, person)
  const { ledger } = await change(client, peer, { kind: 'limit', limits })
  const now: PeerLimits = { ...peer.limits, ...limits }
  return done({ channel: peer.channel, peer: peer.peer, limits: now, ledger }, () =>
    [`Changed ${personText(peer)}.${ledgerMark(ledger)}`, limitsText(now)].join('\n'),
  )
}

export const block: Handler = async (context, [person = '']) => {
  const { client } = await context.gateway()
  const peer = await peerNamed(client, person)
  const { ledger } = await change(client, peer, { kind: 'block' })
  return done(
    { channel: peer.channel, peer: peer.peer, ledger },
    `${personText(peer)} is answered no more.${ledgerMark(ledger)}`,
  )
}

export const remove: Handler = async (context, [person = '']) => {
  const { client } = await context.gateway()
  const peer = await peerNamed(client, person)
  const { ledger } = await change(client, peer, { kind: 'remove' })
  return done(
    { channel: peer.channel, peer: peer.peer, ledger },
    `${personText(peer)} is a stranger again, and is shown a code when they write.${ledgerMark(ledger)}`,
  )
}

function change(client: Client, { channel, peer }: PeerView, wanted: ChangePeer['change']) {
  return client.changePeer({ channel, peer, change: wanted })
}

/** By channel and id only: anybody can call themselves as somebody else does. */
async function peerNamed(client: Client, person: string): Promise<PeerView> {
  const found = (await client.peers()).find(({ channel, peer }) => `${channel}/${peer}` === person)
  if (found) return found
  throw new CountersignError('not_found', `There is nobody ${line(person)}.`, {
    next: 'Give channel and id, as `countersign peer list` shows them.',
  })
}

const personText = ({ channel, peer }: PeerView): string => line(`${channel}/${peer}`)

const roleWords: Readonly<Record<PeerRole, string>> = {
  operator: 'as you',
  trusted: 'as somebody you trust',
  guest: 'as a guest',
}

function standing({ state, role }: PeerView): string {
  if (state === 'asking') return 'asks to be let in'
  if (state === 'blocked' || role === null) return 'blocked'
  return role === 'operator' ? 'you' : role
}
