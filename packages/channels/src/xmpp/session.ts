/** Owns one stream that we are logged in on: questions and their answers, and everything else for whoever listens. */
import type { XmppStream } from './stream.ts'
import { attrOf, childOf, elementsOf, type Markup, textOf, type XmlElement, xml } from './xml.ts'

export interface XmppSession {
  /** Without the resource. */
  readonly bare: string
  readonly domain: string
  /** Resolves with the answer. Rejects with `StanzaError` where the answer is an error, with another where none came. */
  ask(type: 'get' | 'set', to: string | undefined, question: Markup): Promise<XmlElement>
  /** False where it is lost already. */
  say(markup: Markup): boolean
  /** Everything that is no answer and no question. Returns how to stop. */
  listen(listener: (element: XmlElement) => void): () => void
  /** Reads until it is over, and says why. */
  run(): Promise<string>
  /** Resolves when it is over. */
  readonly over: Promise<void>
}

/** What the other side complains of. */
export class StanzaError extends Error {
  override readonly name = 'StanzaError'
  readonly condition: string
  /** `wait` where it may go later. */
  readonly type: string

  constructor(error: XmlElement | undefined) {
    const parts = error ? elementsOf(error) : []
    const condition = parts.find(({ name }) => name !== 'text')?.name ?? 'undefined-condition'
    const text = textOf(parts.find(({ name }) => name === 'text')).slice(0, 300)
    super(text === '' ? `The server says: ${condition}.` : `The server says: ${text} (${condition})`)
    this.condition = condition
    this.type = attrOf(error, 'type')
  }
}

interface Question {
  readonly to: string | undefined
  resolve(answer: XmlElement): void
  reject(problem: Error): void
}

const answerMs = 30_000

export const bareOf = (jid: string): string => jid.split('/', 1)[0]?.toLowerCase() ?? ''

export function createSession(stream: XmppStream, jid: string): XmppSession {
  const bare = bareOf(jid)
  const domain = bare.slice(bare.indexOf('@') + 1)
  const questions = new Map<string, Question>()
  const listeners = new Set<(element: XmlElement) => void>()
  const over = Promise.withResolvers<void>()

  /** Only whoever was asked answers; our own account and its server may leave out their name. */
  const isAsked = (from: string, to = bare): boolean =>
    to === bare ? ['', domain].includes(from) || bareOf(from) === bare : from === to

  function settle(element: XmlElement): void {
    const id = attrOf(element, 'id')
    const question = questions.get(id)
    if (!question || !isAsked(attrOf(element, 'from'), question.to)) return
    if (attrOf(element, 'type') === 'result') question.resolve(element)
    else question.reject(new StanzaError(childOf(element, 'error')))
  }

  function hear(element: XmlElement): void {
    if (element.name === 'iq' && /^(result|error)$/.test(attrOf(element, 'type'))) return settle(element)
    if (element.name === 'iq') return void stream.write(answerTo(element))
    if (element.name === 'message' || element.name === 'presence')
      for (const listener of listeners) listener(element)
  }

  return {
    bare,
    domain,
    async ask(type, to, question) {
      const id = crypto.randomUUID()
      const { promise, resolve, reject } = Promise.withResolvers<XmlElement>()
      const timer = setTimeout(() => reject(new Error('The server does not answer.')), answerMs)
      questions.set(id, { to, resolve, reject })
      if (!stream.write(xml('iq', { type, to, id }, question))) reject(new Error(stream.problem))
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        questions.delete(id)
      }
    },
    say: (markup) => stream.write(markup),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async run() {
      for (let element = await stream.next(); element; element = await stream.next()) {
        if (element.name === 'error') stream.destroy(new StanzaError(element).message)
        else hear(element)
      }
      for (const { reject } of questions.values()) reject(new Error(stream.problem))
      over.resolve()
      return stream.problem
    },
    over: over.promise,
  }
}

/** Whoever asks must be answered; we tell nothing but that we are there. */
function answerTo(element: XmlElement): Markup {
  const attrs = { to: attrOf(element, 'from') || undefined, id: attrOf(element, 'id') }
  if (childOf(element, 'ping', 'urn:xmpp:ping')) return xml('iq', { ...attrs, type: 'result' })
  const condition = xml('service-unavailable', { xmlns: 'urn:ietf:params:xml:ns:xmpp-stanzas' })
  return xml('iq', { ...attrs, type: 'error' }, xml('error', { type: 'cancel' }, condition))
}

export const pingMarkup: Markup = xml('ping', { xmlns: 'urn:xmpp:ping' })

/** What somebody can do, as they say. */
export async function featuresOf(session: XmppSession, to: string): Promise<ReadonlySet<string>> {
  const answer = await session.ask(
    'get',
    to,
    xml('query', { xmlns: 'http://jabber.org/protocol/disco#info' }),
  )
  const query = childOf(answer, 'query')
  return new Set(query ? elementsOf(query).map((feature) => attrOf(feature, 'var')) : [])
}
