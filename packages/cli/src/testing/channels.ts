/** Channels, deliveries and people of the scripted gateway: lists that a test fills, and what was asked of them. */
import {
  AdmitPeer,
  ChangePeer,
  type ChannelKindView,
  type ChannelView,
  CountersignError,
  type DeliveryView,
  PeerLimits,
  type PeerView,
  StoreChannel,
  usualChoices,
  usualPeerLimits,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'

export interface FakeChannels {
  /** What changed something. */
  readonly asked: SeenRequest[]
  kinds: ChannelKindView[]
  channels: ChannelView[]
  deliveries: DeliveryView[]
  peers: PeerView[]
  /** Those of the operator's own that a test line goes to. */
  chats: number
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T11:00:00.000Z'

export function fakeChannels(): FakeChannels {
  const fake: FakeChannels = {
    asked: [],
    kinds: [kindView('telegram')],
    channels: [],
    deliveries: [],
    peers: [],
    chats: 1,
    answer(request) {
      const [, , noun, name = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      const isRead = request.method === 'GET'
      if (!isRead && ['channels', 'deliveries', 'peers'].includes(noun ?? '')) fake.asked.push(request)
      if (noun === 'channel-kinds') return fake.kinds
      if (noun === 'deliveries') return { ok: true, ledger: 9 }
      if (noun === 'channels') return isRead && name === '' ? fake.channels : ofChannel(request, name, verb)
      if (noun !== 'peers') return undefined
      return isRead ? fake.peers : ofPeer(request)
    },
  }

  function ofChannel({ method, body }: SeenRequest, name: string, verb: string): unknown {
    if (verb === 'deliveries') return fake.deliveries
    if (verb === 'test') return { chats: fake.chats }
    if (method === 'DELETE') return { ok: true, ledger: 9 }
    const known = fake.channels.find((each) => each.name === name)
    if (method === 'PATCH') {
      const found = known ?? channelView(name)
      const { kind, settings, choices } = found
      const channel = { name, kind, settings, choices: { ...choices, ...(body as object) } }
      return { channel, replaced: true, ledger: 8 }
    }
    const { kind, settings } = StoreChannel.parse(body)
    if (!known) fake.channels.push(channelView(name, { kind, settings }))
    return {
      channel: { name, kind, settings, choices: usualChoices },
      replaced: known !== undefined,
      ledger: 7,
    }
  }

  function ofPeer({ method, body }: SeenRequest): unknown {
    if (method === 'PATCH') {
      ChangePeer.parse(body)
      return { ok: true, ledger: 9 }
    }
    const { code, role, limits } = AdmitPeer.parse(body)
    if (code !== 'K7Q2MXRP') throw new CountersignError('not_found', 'Nobody who asks was shown this code.')
    const peer = peerView('48151623', { role, limits: PeerLimits.parse({ ...usualPeerLimits, ...limits }) })
    return { peer, ledger: 8 }
  }
  return fake
}

export function kindView(kind: string, parts: Partial<ChannelKindView> = {}): ChannelKindView {
  return {
    kind,
    title: kind.charAt(0).toUpperCase() + kind.slice(1),
    about: 'Talk to it in a chat.',
    steps: ['Make a bot.', 'Copy its token.'],
    secrets: [{ name: 'token', label: 'Token of the bot', optional: false }],
    settings: { type: 'object', properties: {}, additionalProperties: false },
    direction: 'both',
    bindable: true,
    decides: 2,
    groups: true,
    web: false,
    ...parts,
  }
}

export function channelView(name: string, parts: Partial<ChannelView> = {}): ChannelView {
  return {
    name,
    kind: 'telegram',
    title: 'Telegram',
    settings: {},
    choices: usualChoices,
    state: 'connected',
    since: at,
    problem: null,
    account: { id: '42', name: 'helper_bot' },
    lastInAt: null,
    lastOutAt: null,
    people: 0,
    asking: 0,
    waiting: 0,
    unknown: 0,
    held: 0,
    aside: 0,
    ...parts,
  }
}

export function peerView(peer: string, parts: Partial<PeerView> = {}): PeerView {
  return {
    channel: 'chat',
    peer,
    name: 'Ana',
    state: 'paired',
    role: 'guest',
    limits: usualPeerLimits,
    askedAt: at,
    pairedAt: at,
    lastInAt: null,
    ...parts,
  }
}

export function deliveryView(id: string, parts: Partial<DeliveryView> = {}): DeliveryView {
  return {
    id,
    channel: 'chat',
    chat: '48151623',
    kind: 'reply',
    state: 'sent',
    text: 'Hello.',
    attempts: 1,
    problem: null,
    at,
    sentAt: at,
    ...parts,
  }
}
