/** Owns Signal as the tests see it: people with accounts, a group, and the daemon through which the assistant has its own. */
import type { Fault, Person, SaidOptions, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type Call, type Daemon, DaemonError, openDaemon } from './daemon.ts'

export const ownNumber = '+385990000001'
export const ownAci = '00000000-0000-4000-8000-000000000001'
const ana = { id: 'aaaaaaaa-0000-4000-8000-000000000002', name: 'Ana' }
const ben = { id: 'bbbbbbbb-0000-4000-8000-000000000003', name: 'Ben' }
const group = { id: Buffer.alloc(32, 7).toString('base64'), kind: 'group' } as const

export interface SignalPlatform extends TestPlatform {
  readonly daemon: Daemon
  /** What the assistant was heard to ask of signal-cli. */
  readonly calls: readonly Call[]
  envelope(who: Person, part: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

interface Sent extends Omit<Shown, 'id'> {
  readonly chat: string
  readonly timestamp: number
  readonly styles: readonly string[]
}

export async function openSignalPlatform(): Promise<SignalPlatform> {
  const sent: Sent[] = []
  const registered = new Set<string>([ana.id, ben.id, group.id])
  const told: unknown[] = []
  const calls: Call[] = []
  const stored = new Map<string, Uint8Array>()
  let fault: Fault | undefined
  let clock = Date.now() - 100_000
  const tick = () => {
    clock += 1
    return clock
  }

  const daemon = await openDaemon({
    accounts: [ownNumber],
    losesBefore: (method) => method === 'send' && take('lost-before') !== undefined,
    answer: (call) => {
      calls.push(call)
      return answerTo(call)
    },
  })

  function take<Kind extends Fault['kind']>(kind: Kind): Extract<Fault, { kind: Kind }> | undefined {
    if (fault?.kind !== kind) return undefined
    const taken = fault as Extract<Fault, { kind: Kind }>
    fault = undefined
    return taken
  }

  function answerTo({ method, params }: Call): unknown {
    switch (method) {
      case 'getUserStatus':
        return [{ recipient: ownNumber, number: ownNumber, uuid: ownAci, isRegistered: true }]
      case 'send':
        return send(params)
      case 'sendTyping':
        return { timestamp: tick(), results: [] }
      case 'getAttachment': {
        const bytes = stored.get(String(params['id']))
        if (!bytes) throw new DaemonError(-2, 'An error occurred reading attachment')
        return { data: Buffer.from(bytes).toString('base64') }
      }
      default:
        throw new DaemonError(-32_601, 'Method not implemented')
    }
  }

  function send(params: Readonly<Record<string, unknown>>): unknown {
    const chat = (params['groupId'] ?? (params['recipient'] as readonly string[])[0]) as string
    const address = { uuid: chat, number: null }
    const failed = (code: number, result: object) =>
      new DaemonError(code, 'Failed to send message', {
        response: { timestamp: tick(), results: [{ recipientAddress: address, ...result }] },
      })
    const slow = take('slow-down')
    if (slow) throw failed(-5, { type: 'RATE_LIMIT_FAILURE', retryAfterSeconds: slow.afterMs / 1_000 })
    if (take('refused')) throw failed(-1, { type: 'IDENTITY_FAILURE' })
    if (!registered.has(chat)) throw failed(-1, { type: 'UNREGISTERED_FAILURE' })
    const message = String(params['message'])
    const attachments = (params['attachments'] ?? []) as readonly string[]
    if (message === '' && attachments.length === 0)
      throw new DaemonError(-1, 'Sending empty message is not allowed')
    const timestamp = tick()
    const styles = ((params['textStyle'] ?? []) as string[]).map(checkedStyle)
    const shown: Sent = {
      chat,
      timestamp,
      text: message,
      styles,
      edited: false,
      pings: [],
      buttons: [],
      file: fileIn(attachments[0]),
    }
    const edits = params['editTimestamp']
    const at = sent.findIndex((one) => one.timestamp === edits && one.chat === chat)
    const before = sent[at]
    if (before) sent[at] = { ...shown, timestamp: before.timestamp, edited: true }
    else sent.push(shown)
    if (take('lost-after')) return 'lost'
    return { timestamp, results: [{ recipientAddress: address, type: 'SUCCESS' }] }
  }

  const envelope = (who: Person, part: Readonly<Record<string, unknown>>) => ({
    source: who.id,
    sourceNumber: null,
    sourceUuid: who.id,
    sourceName: who.name,
    sourceDevice: 1,
    timestamp: (part['dataMessage'] as { timestamp?: number } | undefined)?.timestamp ?? tick(),
    serverReceivedTimestamp: clock,
    serverDeliveredTimestamp: clock,
    ...part,
  })

  function tell(who: Person, part: Readonly<Record<string, unknown>>): void {
    const whole = envelope(who, part)
    told.push(whole)
    daemon.deliver(ownNumber, whole)
  }

  function dataOf(chat: TestChat, text: string, options: SaidOptions = {}): Record<string, unknown> {
    const isNamed = options.addressed === true && chat.kind === 'group'
    const { file, answers } = options
    const attachments = file ? [attachmentOf(file)] : undefined
    return {
      timestamp: tick(),
      message: text === '' && file ? null : isNamed ? `\uFFFC ${text}` : text,
      expiresInSeconds: 0,
      viewOnce: false,
      ...(isNamed
        ? { mentions: [{ name: ownNumber, number: ownNumber, uuid: ownAci, start: 0, length: 1 }] }
        : {}),
      ...(attachments ? { attachments } : {}),
      ...(answers === undefined ? {} : { quote: quoteOf(answers) }),
      ...groupPart(chat),
    }
  }

  function attachmentOf({ name, bytes, voice }: NonNullable<SaidOptions['file']>): object {
    const id = `att${stored.size}_${tick()}.${voice ? 'aac' : 'bin'}`
    stored.set(id, bytes)
    return {
      contentType: voice ? 'audio/aac' : 'application/octet-stream',
      filename: voice ? null : name,
      id,
      size: bytes.byteLength,
      width: null,
      height: null,
      caption: null,
      uploadTimestamp: clock,
    }
  }

  return {
    settings: { host: '127.0.0.1', port: daemon.port, account: ownNumber },
    secrets: {},
    people: { ana, ben },
    chats: { ana: { id: ana.id, kind: 'private' }, ben: { id: ben.id, kind: 'private' }, group },
    joins(number) {
      const id = `cccccccc-0000-4000-8000-${String(number).padStart(12, '0')}`
      registered.add(id)
      return { who: { id, name: `Person ${number}` }, chat: { id, kind: 'private' } }
    },
    nowhere: 'dddddddd-0000-4000-8000-000000000009',
    daemon,
    calls,
    envelope,
    async says(who, chat, text, options) {
      const dataMessage = dataOf(chat, text, options)
      tell(who, { dataMessage })
      return `${who.id}/${String(dataMessage['timestamp'])}`
    },
    async edits(who, chat, message, text) {
      const dataMessage = dataOf(chat, text)
      const targetSentTimestamp = Number(message.split('/')[1])
      tell(who, { timestamp: dataMessage['timestamp'], editMessage: { targetSentTimestamp, dataMessage } })
    },
    async deletes(who, chat, message) {
      const timestamp = Number(message.split('/')[1])
      tell(who, {
        dataMessage: { timestamp: tick(), message: null, remoteDelete: { timestamp }, ...groupPart(chat) },
      })
    },
    async repeats() {
      for (const one of told) daemon.deliver(ownNumber, one)
    },
    shown: (chat) =>
      sent.flatMap((one) => (one.chat === chat.id ? [{ ...one, id: `${ownAci}/${one.timestamp}` }] : [])),
    fail(next) {
      fault = next
    },
    disconnect: daemon.disconnect,
    away: daemon.away,
    back: daemon.back,
    close: daemon.away,
  }
}

const groupPart = ({ kind, id }: TestChat) =>
  kind === 'group' ? { groupInfo: { groupId: id, groupName: 'Garden', revision: 3, type: 'DELIVER' } } : {}

function quoteOf(message: string): object {
  const [authorUuid, id] = message.split('/')
  const authorNumber = authorUuid === ownAci ? ownNumber : null
  return {
    id: Number(id),
    author: authorUuid,
    authorNumber,
    authorUuid,
    text: 'what was said',
    attachments: [],
  }
}

function checkedStyle(style: string): string {
  if (!/^\d+:\d+:(BOLD|ITALIC|SPOILER|STRIKETHROUGH|MONOSPACE)$/.test(style))
    throw new DaemonError(-1, `Invalid textStyle syntax (${style})`)
  return style
}

function fileIn(address: string | undefined): Shown['file'] {
  if (address === undefined) return null
  const [, name, base64] = /^data:[^;,]+\/[^;,]+;filename=([^;,]+);base64,(.*)$/s.exec(address) ?? []
  if (name === undefined || base64 === undefined) throw new DaemonError(-1, 'The attachment is no data URI')
  return { name: decodeURIComponent(name), bytes: Buffer.from(base64, 'base64') }
}
