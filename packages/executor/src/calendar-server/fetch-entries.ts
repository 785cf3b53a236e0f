/** Fetches entries by their names. A batch that is too much for the sandbox is halved until each is read or known to be unreadable. */
import { type Failure, FetchedEntries, type WantedEntries } from '@countersign/tools'
import { xmlText } from './list-entries.ts'
import { failed, hostOf, type ServerSession } from './server-session.ts'

type Fetched = { readonly kind: 'fetched' } & FetchedEntries

export async function fetchEntries(
  session: ServerSession,
  wanted: WantedEntries,
): Promise<Fetched | Failure> {
  const { hrefs } = wanted
  const [only, ...more] = hrefs
  if (only === undefined) return { kind: 'fetched', resources: [], gone: [] }
  const tried = await fetchBatch(session, wanted)
  if (tried.kind !== 'unread') return tried
  if (more.length === 0) return { kind: 'fetched', resources: [unreadable(only, tried.reason)], gone: [] }
  const middle = Math.ceil(hrefs.length / 2)
  const left = await fetchEntries(session, { ...wanted, hrefs: hrefs.slice(0, middle) })
  if (left.kind === 'failed') return left
  const right = await fetchEntries(session, { ...wanted, hrefs: hrefs.slice(middle) })
  if (right.kind === 'failed') return right
  return {
    kind: 'fetched',
    resources: [...left.resources, ...right.resources],
    gone: [...left.gone, ...right.gone],
  }
}

async function fetchBatch(
  session: ServerSession,
  { collection, kind, hrefs, window }: WantedEntries,
): Promise<Fetched | Failure | { readonly kind: 'unread'; readonly reason: string }> {
  const [name, space, data] =
    kind === 'event'
      ? ['calendar-multiget', 'urn:ietf:params:xml:ns:caldav', 'calendar-data']
      : ['addressbook-multiget', 'urn:ietf:params:xml:ns:carddav', 'address-data']
  const list = hrefs.map((href) => `<d:href>${xmlText(href)}</d:href>`).join('')
  const answer = await session.ask({
    method: 'REPORT',
    href: collection,
    headers: { 'content-type': 'application/xml; charset=utf-8', depth: '1' },
    body: `<?xml version="1.0" encoding="utf-8"?><x:${name} xmlns:d="DAV:" xmlns:x="${space}"><d:prop><d:getetag/><x:${data}/></d:prop>${list}</x:${name}>`,
  })
  if (answer.kind === 'failed') return answer.isBody ? { kind: 'unread', reason: answer.reason } : answer
  if (answer.status !== 207)
    return failed(`${hostOf(session.account)} answered ${answer.status} when entries were fetched.`)
  const read = await session.documents.run(
    { job: { program: 'calendar', op: 'entries', window }, form: FetchedEntries },
    answer.body,
    session.signal,
  )
  if (read.kind === 'failed') return session.signal.aborted ? read : { kind: 'unread', reason: read.reason }
  const { resources, gone } = read.facts
  // Nobody asked for anything else, whatever the server says.
  const asked = new Map(hrefs.map((href) => [decoded(href), href]))
  const named = <T extends { readonly href: string }>(each: T): T[] => {
    const href = asked.get(decoded(each.href))
    return href === undefined ? [] : [{ ...each, href }]
  }
  return {
    kind: 'fetched',
    resources: resources.flatMap(named),
    gone: gone.flatMap((href) => named({ href }).map((each) => each.href)),
  }
}

/** Servers do not always spell a name as they were asked for it. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

function unreadable(href: string, reason: string): FetchedEntries['resources'][number] {
  const problem = `It cannot be read: ${reason}`.slice(0, 300)
  return { href, etag: 'unread', uid: '', shared: false, repeats: false, problem, common: {}, entries: [] }
}
