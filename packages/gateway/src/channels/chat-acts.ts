/**
 * Owns what a line or a button of a chat does besides talking: decisions and commands. A decision counts only from the
 * operator's own account, in their private chat, about a card that stands there whole, and binds to what that card showed.
 */
import type { InboundEvent, InboundMessage } from '@countersign/channels'
import {
  type ApprovalId,
  CountersignError,
  forDisplay,
  highestGatewayTier,
  idFrom,
  type OperatorId,
  type RunId,
  type SlashCommand,
  slashCommands,
  slashUsage,
} from '@countersign/contract'
import type { Actor, Kernel } from '@countersign/kernel'
import type { OpenChannel } from './chat-of-run.ts'
import type { ChannelOutbox } from './outbox.ts'
import { isOwnChat, type Peer, pairedPeer, peerId } from './peers.ts'
import { channelDb } from './tables.ts'
import { undoLast } from './undo-in-chat.ts'

export interface ChatDecision {
  readonly channel: OpenChannel
  readonly chat: string
  readonly peer: Peer
  /** It was said where a decision counts. */
  readonly decides: boolean
  readonly verdict: 'approve' | 'deny'
  readonly code: string
  readonly reason: string
}

export interface ChatCommand {
  readonly channel: OpenChannel
  readonly event: InboundMessage
  readonly peer: Peer
  readonly decides: boolean
  readonly command: SlashCommand
}

export interface ChatActs {
  /** What to say. */
  decide(decision: ChatDecision): Promise<string>
  /** What to say; undefined where it was pressed by somebody who is told nothing. */
  press(channel: OpenChannel, event: Extract<InboundEvent, { type: 'pressed' }>): Promise<string | undefined>
  /** What to say; undefined where it is for the assistant after all. */
  command(command: ChatCommand): Promise<string | undefined>
}

export interface ChatActParts {
  readonly kernel: Pick<
    Kernel,
    'approval' | 'decide' | 'records' | 'readOnly' | 'stopRun' | 'undoRun' | 'pause' | 'resume'
  >
  readonly operator: OperatorId
  readonly uuid: () => string
  readonly outbox: Pick<ChannelOutbox, 'arrived'>
  readonly review: (code: string) => string
  readonly status: () => Promise<string>
  /** What was spent since the operator's day began. */
  readonly cost: () => Promise<string>
}

const notHere = 'That can only be decided in your own chat with me, or in the app.'

const longestHeadline = 200

const notYours = 'In a group only my operator can do that.'

/** A card as it stands in a chat. */
interface ShownCard {
  readonly approval: ApprovalId
  /** Null where it cannot be approved by an answer. */
  readonly digest: string | null
}

type WhichCard = { readonly approval: ApprovalId } | { readonly message: string }

export function createChatActs(parts: ChatActParts): ChatActs {
  const { kernel, operator } = parts
  const actorOf = (channel: OpenChannel, peer: Peer): Actor => ({
    kind: 'operator',
    id: peerId(channel.name, peer.peer),
  })

  async function decide(decision: ChatDecision): Promise<string> {
    const { channel, chat, code, decides, verdict } = decision
    if (!decides) return notHere
    const row = await kernel.approval(operator, code).catch(missing)
    const card = row && (await shownIn(channel.name, chat, { approval: row.id }))
    if (!row || !card) return `There is no request ${code} in this chat.`
    if (verdict === 'deny') return deny(decision, card.approval)
    return approve(decision, card, row.code)
  }

  async function approve({ channel, peer }: ChatDecision, card: ShownCard, code: string): Promise<string> {
    if (card.digest === null || !channel.choices.approvals || channel.manifest.decides < highestGatewayTier)
      return `${code} is to be read whole before it is approved: ${parts.review(code)}`
    return said(async () => {
      const decided = await kernel.decide(
        operator,
        card.approval,
        { verdict: 'approve', digest: card.digest ?? '' },
        { ...actorOf(channel, peer), reach: highestGatewayTier },
      )
      return `${decided.approval.code}: approved once.`
    })
  }

  function deny({ channel, peer, reason }: ChatDecision, approval: ApprovalId): Promise<string> {
    return said(async () => {
      const decided = await kernel.decide(
        operator,
        approval,
        { verdict: 'deny', reason, stop: false },
        { ...actorOf(channel, peer), reach: highestGatewayTier },
      )
      return `${decided.approval.code}: denied.`
    })
  }

  /** The card that was sent there, and arrived. Who answers at once may be faster than the word that it did. */
  async function shownIn(channel: string, chat: string, which: WhichCard): Promise<ShownCard | undefined> {
    const found = await cardIn(channel, chat, which)
    if (found) return found
    await parts.outbox.arrived(channel, chat)
    return cardIn(channel, chat, which)
  }

  async function cardIn(channel: string, chat: string, which: WhichCard): Promise<ShownCard | undefined> {
    const row = await kernel.records.read(operator, ({ db }) =>
      channelDb(db)
        .selectFrom('channel_outbox')
        .select(['about', 'digest'])
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where('kind', '=', 'card')
        .where('state', '=', 'sent')
        .$if('approval' in which, (query) =>
          query.where('about', '=', 'approval' in which ? which.approval : ''),
        )
        .$if('message' in which, (query) =>
          query.where('message', '=', 'message' in which ? which.message : ''),
        )
        .orderBy('position')
        .executeTakeFirst(),
    )
    return row?.about ? { approval: row.about as ApprovalId, digest: row.digest } : undefined
  }

  return {
    decide,
    async press(channel, event) {
      const peer = await kernel.records.read(operator, (tx) => pairedPeer(tx, channel.name, event.sender.id))
      if (peer === undefined || peer === 'blocked') return undefined
      const isOwn = isOwnChat(peer, event.chat) && event.sender.proven && channel.manifest.proves === 'sender'
      if (!isOwn) return notHere
      const card = await shownIn(channel.name, event.chat.id, { message: event.message })
      if (!card || (event.data !== 'approve' && event.data !== 'deny')) return 'This is no request any more.'
      const { code } = await kernel.approval(operator, card.approval)
      const decision: ChatDecision = {
        channel,
        chat: event.chat.id,
        peer,
        decides: true,
        verdict: event.data,
        code,
        reason: '',
      }
      return event.data === 'deny' ? deny(decision, card.approval) : approve(decision, card, code)
    },
    async command({ channel, event, peer, decides, command }) {
      const isOwn = peer.role === 'operator'
      switch (command.kind) {
        case 'help':
          return helpText(isOwn)
        case 'new':
          if (event.chat.kind === 'group' && !isOwn) return notYours
          // What is at work there would have nobody to answer to.
          if (await activeIn(channel, event))
            return 'Something is still at work here: say /stop first, or wait.'
          await beginAnew(channel.name, event)
          return 'A new conversation begins with your next message.'
        case 'stop':
          if (event.chat.kind === 'group' && !isOwn) return notYours
          return said(() => stopIn(channel, event, peer))
        case 'status':
          return decides ? parts.status() : undefined
        case 'cost':
          return decides ? parts.cost() : undefined
        case 'undo':
          // It changes what is there, so it needs what an approval needs.
          if (!decides || channel.manifest.decides < highestGatewayTier || !channel.choices.approvals)
            return notHere
          return said(() => undoIn(channel, event, peer))
        case 'pending':
          return decides ? pendingText(await pendingIn(channel.name, event.chat.id)) : undefined
        case 'pause':
        case 'resume': {
          if (!decides || channel.manifest.decides < highestGatewayTier || !channel.choices.approvals)
            return notHere
          const act = command.kind === 'pause' ? kernel.pause : kernel.resume
          await act(operator, actorOf(channel, peer))
          return command.kind === 'pause' ? 'Everything is paused.' : 'Everything goes on.'
        }
        case 'unknown':
          // A platform has commands of its own, such as /start.
          return helpText(isOwn)
        default:
          return 'That works in the app and in the terminal.'
      }
    },
  }

  /** The chat's next message opens another conversation. */
  async function beginAnew(channel: string, { chat, thread }: InboundMessage): Promise<void> {
    await kernel.records.change(operator, ({ db }) =>
      channelDb(db)
        .updateTable('channel_chats')
        .set({ session_id: idFrom('ses', parts.uuid()) })
        .where('channel', '=', channel)
        .where('chat', '=', chat.id)
        .where('thread', '=', thread ?? '')
        .execute(),
    )
  }

  async function undoIn(channel: OpenChannel, event: InboundMessage, peer: Peer): Promise<string> {
    const session = (await sessionIn(channel, event))?.id
    if (session === undefined) return 'Nothing was done here yet.'
    return undoLast(kernel, operator, session, actorOf(channel, peer))
  }

  async function activeIn(channel: OpenChannel, event: InboundMessage): Promise<RunId | null> {
    return (await sessionIn(channel, event))?.active_run_id ?? null
  }

  async function sessionIn(channel: OpenChannel, { chat, thread }: InboundMessage) {
    return kernel.records.read(operator, ({ db }) =>
      channelDb(db)
        .selectFrom('channel_chats')
        .innerJoin('sessions', 'sessions.id', 'channel_chats.session_id')
        .select(['sessions.id', 'sessions.active_run_id'])
        .where('channel_chats.channel', '=', channel.name)
        .where('channel_chats.chat', '=', chat.id)
        .where('channel_chats.thread', '=', thread ?? '')
        .executeTakeFirst(),
    )
  }

  async function stopIn(channel: OpenChannel, event: InboundMessage, peer: Peer): Promise<string> {
    const run = await activeIn(channel, event)
    if (run === null) return 'Nothing is running here.'
    await kernel.stopRun(operator, run, actorOf(channel, peer))
    return 'Stopping.'
  }

  function pendingIn(channel: string, chat: string) {
    return kernel.records.read(operator, ({ db }) =>
      channelDb(db)
        .selectFrom('channel_outbox')
        .innerJoin('approvals', (join) =>
          join.on('approvals.id', '=', ({ ref }) => ref('channel_outbox.about') as never),
        )
        .select(['approvals.code', 'approvals.card'])
        // Of a card in several messages, the first.
        .where('channel_outbox.key', 'not like', '%#%')
        .where('channel_outbox.channel', '=', channel)
        .where('channel_outbox.chat', '=', chat)
        .where('channel_outbox.kind', '=', 'card')
        .where('approvals.state', '=', 'pending')
        .orderBy('channel_outbox.position')
        .limit(10)
        .execute(),
    )
  }
}

function pendingText(
  cards: readonly { readonly code: string; readonly card: { readonly headline: string } }[],
): string {
  if (cards.length === 0) return 'Nothing waits for you here.'
  // One line each, so that none of them speaks for another.
  return cards.map(({ code, card }) => `${code}: ${shortened(forDisplay(card.headline).text)}`).join('\n')
}

/** It is for finding the card, which says the rest. */
const shortened = (line: string): string =>
  line.length > longestHeadline ? `${line.slice(0, longestHeadline)}…` : line

/** Commands that mean something in a chat. */
const ofEverybody: readonly string[] = ['new', 'stop', 'help']
const ofOperator: readonly string[] = [
  ...ofEverybody,
  'pending',
  'approve',
  'deny',
  'status',
  'cost',
  'undo',
  'pause',
  'resume',
]

function helpText(isOwn: boolean): string {
  const names = isOwn ? ofOperator : ofEverybody
  return slashCommands
    .filter(({ name }) => names.includes(name))
    .map((row) => `${slashUsage(row)}: ${row.about}`)
    .join('\n')
}

/** What a person can do something about is told; anything else is ours, and is tried again. */
async function said(act: () => Promise<string>): Promise<string> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CountersignError && error.code !== 'internal') return error.message
    throw error
  }
}

function missing(error: unknown): undefined {
  if (error instanceof CountersignError && error.code === 'not_found') return undefined
  throw error
}
