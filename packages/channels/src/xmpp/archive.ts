/**
 * Owns how an archive (XEP-0313) is read: from where we were, page by page, again whenever something new is in it. What
 * comes over the stream only says that there is something; what is taken is what the archive tells, so that it is the
 * same whenever it is told.
 */
import { bareOf, StanzaError, type XmppSession } from './session.ts'
import { attrOf, childOf, elementsOf, type Markup, textOf, type XmlElement, xml } from './xml.ts'

/** After which entry to go on. The id is empty where there was none yet. */
export interface ArchivePosition {
  readonly id: string
  readonly at: string
}

export interface ArchivedMessage extends ArchivePosition {
  readonly message: XmlElement
}

export interface XmppArchive {
  /** Reads what is new, on this session. Rejects where the archive does not answer. */
  read(session: XmppSession): Promise<void>
  /** Up to where everything is taken. */
  readonly position: ArchivePosition | undefined
}

export interface ArchiveParts {
  /** A room; ours where undefined. */
  readonly room: string | undefined
  readonly position: ArchivePosition | undefined
  /** Resolves when it is taken. */
  take(archived: ArchivedMessage): Promise<void>
  /** The position changed. */
  moved(): void
}

interface Place {
  readonly entry: ArchivePosition
  isTaken: boolean
  /** Resolves when it is taken, or the channel ends. */
  settled: Promise<void>
}

export const archiveSpace = 'urn:xmpp:mam:2'
const pageSize = 50
/** What waits to be taken before no more is read. */
const mostWaiting = 500

export function createArchive(parts: ArchiveParts): XmppArchive {
  /** In the order of the archive, from the first that is not taken. */
  const line: Place[] = []
  let position = parts.position
  let seen = parts.position
  let reading: Promise<void> | undefined
  let isNew = false

  function follow(archived: ArchivedMessage): void {
    const entry = { id: archived.id, at: archived.at }
    const place: Place = { entry, isTaken: false, settled: Promise.resolve() }
    line.push(place)
    seen = entry
    place.settled = parts.take(archived).then(
      () => {
        place.isTaken = true
        while (line[0]?.isTaken) position = line.shift()?.entry
        parts.moved()
      },
      // It rejects only when the channel ends; the next start reads it again.
      () => undefined,
    )
  }

  async function readAll(session: XmppSession): Promise<void> {
    if (seen === undefined) {
      seen = await lastIn(session, parts.room)
      position = seen
      parts.moved()
    }
    do {
      isNew = false
      for (let isComplete = false; !isComplete; ) {
        const page = await pageAfter(session, parts.room, seen)
        for (const archived of page.messages) follow(archived)
        if (line.length > mostWaiting) await line[0]?.settled
        isComplete = page.isComplete || page.messages.length === 0
      }
    } while (isNew)
  }

  return {
    get position() {
      return position
    },
    read(session) {
      isNew = true
      reading ??= readAll(session).finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

interface Page {
  readonly messages: readonly ArchivedMessage[]
  readonly isComplete: boolean
}

/** What the archive forgot is left out; then the time says where to go on. */
async function pageAfter(
  session: XmppSession,
  room: string | undefined,
  seen: ArchivePosition | undefined,
): Promise<Page> {
  try {
    return await page(session, room, after(seen?.id ?? ''))
  } catch (error) {
    if (!(error instanceof StanzaError) || error.condition !== 'item-not-found' || !seen) throw error
    return page(session, room, [since(seen.at), resultSet(xml('max', {}, String(pageSize)))])
  }
}

async function lastIn(session: XmppSession, room: string | undefined): Promise<ArchivePosition> {
  const { messages } = await page(session, room, [resultSet(xml('max', {}, '1'), xml('before'))])
  return messages.at(-1) ?? { id: '', at: new Date().toISOString() }
}

async function page(
  session: XmppSession,
  room: string | undefined,
  filters: readonly Markup[],
): Promise<Page> {
  const queryid = crypto.randomUUID()
  const messages: ArchivedMessage[] = []
  const stop = session.listen((element) => {
    const result = childOf(element, 'result', archiveSpace)
    const from = bareOf(attrOf(element, 'from'))
    if (attrOf(result, 'queryid') !== queryid || (from !== '' && from !== (room ?? session.bare))) return
    const forwarded = childOf(result, 'forwarded', 'urn:xmpp:forward:0')
    const message = childOf(forwarded, 'message')
    const at = new Date(attrOf(childOf(forwarded, 'delay'), 'stamp'))
    const id = attrOf(result, 'id')
    if (!message || id === '' || Number.isNaN(at.getTime())) return
    messages.push({ id, at: at.toISOString(), message })
  })
  try {
    const answer = await session.ask('set', room, xml('query', { xmlns: archiveSpace, queryid }, ...filters))
    return { messages, isComplete: attrOf(childOf(answer, 'fin', archiveSpace), 'complete') === 'true' }
  } finally {
    stop()
  }
}

const resultSet = (...children: readonly Markup[]): Markup =>
  xml('set', { xmlns: 'http://jabber.org/protocol/rsm' }, ...children)

function after(id: string): Markup[] {
  const max = xml('max', {}, String(pageSize))
  return [id === '' ? resultSet(max) : resultSet(max, xml('after', {}, id))]
}

function since(at: string): Markup {
  const field = (name: string, value: string, type?: string) =>
    xml('field', { var: name, type }, xml('value', {}, value))
  return xml(
    'x',
    { xmlns: 'jabber:x:data', type: 'submit' },
    field('FORM_TYPE', archiveSpace, 'hidden'),
    field('start', at),
  )
}

/** The id under which an archive has what came over the stream; undefined where it has not. */
export function archivedAs(message: XmlElement, by: string): string | undefined {
  const id = elementsOf(message).find(
    (child) =>
      child.name === 'stanza-id' && child.space === 'urn:xmpp:sid:0' && bareOf(attrOf(child, 'by')) === by,
  )
  return attrOf(id, 'id') || undefined
}

export const bodyOf = (message: XmlElement): string => textOf(childOf(message, 'body'))
