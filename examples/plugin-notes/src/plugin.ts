/** The channel to a small notes server: people write in rooms, and whoever has a key reads and writes there. */
import {
  type Account,
  cleanText,
  createKeeper,
  createTaking,
  type InboundEvent,
  jsonIn,
  keepConnected,
  type OutboundMessage,
  type PluginChannelContext,
  plainMarkdown,
  pluginChannel,
  RejectedError,
  retryAfterMs,
  type SendResult,
  type WebCallResult,
  webCall,
} from 'countersign/channels'

interface Note {
  readonly number: number
  readonly at: string
  readonly room: { readonly id: string; readonly kind: 'private' | 'group'; readonly title: string }
  readonly from: { readonly id: string; readonly name: string }
  readonly text: string
  /** It calls us by our name, or answers a note of ours. */
  readonly forUs: boolean
}

const most = 1_000_000

export const channel = pluginChannel({
  title: 'Notes',
  about: 'Rooms on a small notes server, with a key of your own.',
  steps: ['Ask whoever runs the server for an account and its key.'],
  settings: { server: { kind: 'text', about: 'The address of the server, such as https://notes.example' } },
  secret: 'Key of the account',
  text: { most: 4_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: true },
  sendsOnce: true,
  proves: 'sender',
  async open(context) {
    const server = notesServer(context)
    const closing = new AbortController()
    const signal = AbortSignal.any([context.signal, closing.signal])
    const hearing = createHearing(context, signal)
    const { ended } = await keepConnected({ ...context, signal }, async (standing) => {
      const account = await server.account(signal)
      if (typeof account === 'string') return account
      standing(account)
      return hearing.listen(server, account.id)
    })
    return {
      send: (message) => server.send(message, signal),
      async close() {
        closing.abort()
        await ended
      },
    }
  },
})

type NotesServer = ReturnType<typeof notesServer>

function notesServer({ settings, credential = '' }: PluginChannelContext) {
  const address = String(settings['server'])
  if (!URL.canParse(address)) throw new RejectedError('The address of the server is no address.')
  // What cannot stand in a header would be told in an error, key and all.
  if (!/^[!-~]+$/.test(credential)) throw new RejectedError('A key has no spaces or line breaks.')
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const ask = (path: string, signal: AbortSignal, body?: object) =>
    webCall(new URL(path, address).href, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
      most,
      patienceMs: 60_000,
      signal,
    })
  return {
    ask,
    /** Who we are there, or why that is not known now. */
    async account(signal: AbortSignal): Promise<Account | string> {
      const me = await ask('/me', signal)
      if (me.kind !== 'answered') return `The server cannot be reached: ${me.problem}`
      if (me.status === 401) throw new RejectedError('The server does not accept the key.')
      const account = jsonIn(me.body) as Account | undefined
      return me.status === 200 && account ? account : `The server answered ${me.status}.`
    },
    async send({ key, chat, text, format }: OutboundMessage, signal: AbortSignal): Promise<SendResult> {
      const plain = cleanText(format === 'markdown' ? plainMarkdown(text) : text)
      return sentOf(await ask(`/rooms/${encodeURIComponent(chat)}/notes`, signal, { key, text: plain }))
    },
  }
}

function sentOf(answer: WebCallResult): SendResult {
  if (answer.kind === 'not-sent') return { kind: 'later', afterMs: null, problem: answer.problem }
  if (answer.kind === 'lost') return { kind: 'unknown', problem: answer.problem }
  const { status, headers, body } = answer
  const { id } = (jsonIn(body) ?? {}) as { readonly id?: unknown }
  if (status === 200 && typeof id === 'string') return { kind: 'sent', message: id }
  const problem = `The server answered ${status}.`
  if (status === 429 || status === 503) return { kind: 'later', afterMs: retryAfterMs(headers), problem }
  return { kind: status >= 500 ? 'unknown' : 'refused', problem }
}

/** Where it was is kept, so that nothing is heard twice or left out. */
function createHearing(context: PluginChannelContext, signal: AbortSignal) {
  const taking = createTaking({ take: context.take, signal })
  const untaken = new Set<number>()
  let seen = Number(context.state ?? 0)
  const position = () => Math.min(seen, ...[...untaken].map((number) => number - 1))
  const keeper = createKeeper({ keep: context.keep, signal }, () => String(position()))

  function hear(note: Note, ownId: string): void {
    seen = Math.max(seen, note.number)
    if (note.from.id === ownId) return
    untaken.add(note.number)
    // What is not taken is told again after a restart, because the position stays before it.
    void taking
      .give({ chat: note.room.id, id: String(note.number) }, async () => eventOf(note))
      .then(() => untaken.delete(note.number))
      .then(keeper.changed, () => undefined)
  }

  return {
    /** Until the connection is lost, with why. */
    async listen(server: NotesServer, ownId: string): Promise<string> {
      for (;;) {
        const answer = await server.ask(`/notes?after=${seen}`, signal)
        if (answer.kind !== 'answered') return `The connection was lost: ${answer.problem}`
        if (answer.status !== 200) return `The server answered ${answer.status}.`
        for (const note of jsonIn(answer.body) as readonly Note[]) hear(note, ownId)
      }
    },
  }
}

function eventOf({ number, at, room, from, text, forUs }: Note): InboundEvent {
  return {
    type: 'message',
    id: String(number),
    chat: { ...room, title: cleanText(room.title).slice(0, 300) },
    at,
    sender: { id: from.id, name: cleanText(from.name).slice(0, 300), proven: true, bot: false },
    text: cleanText(text).slice(0, 100_000),
    thread: null,
    addressed: forUs,
    forwarded: false,
    files: [],
  }
}
