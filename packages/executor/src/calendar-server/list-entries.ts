/** Finds the calendars and address books of an account, and what changed in each since a state that the server named. */
import { type Failure, type ServerCollection, syncLimits } from '@countersign/tools'
import { type Found, multistatus, propfind, type StatusResponse } from './multistatus.ts'
import { failed, hostOf, placeAt, type ServerSession } from './server-session.ts'

type Known = readonly { readonly href: string; readonly token: string }[]

const collectionProps = `<d:resourcetype/><d:displayname/><d:sync-token/><s:getctag/><c:supported-calendar-component-set/>`

export async function listEntries(
  session: ServerSession,
  known: Known,
): Promise<{ readonly kind: 'listed'; readonly collections: ServerCollection[] } | Failure> {
  const places = await findCollections(session)
  if ('kind' in places) return places
  const collections: ServerCollection[] = []
  for (const place of places) {
    const token = known.find(({ href }) => href === place.href)?.token
    const listed = await listCollection(session, place, token)
    if ('reason' in listed) return listed
    collections.push(listed)
  }
  return { kind: 'listed', collections }
}

interface Place extends Pick<ServerCollection, 'href' | 'name' | 'kind'> {
  readonly syncToken: string | null
  readonly ctag: string | null
}

async function findCollections(session: ServerSession): Promise<Place[] | Failure> {
  const { account } = session
  const begin = await propfind(session, account.url, '0', `<d:current-user-principal/>${collectionProps}`)
  if (begin.kind === 'failed') return begin
  const own = begin.responses.flatMap((response) => placeOf(response, session))
  if (own.length > 0) return own
  const principal = await principalOf(session, begin)
  if (typeof principal !== 'string') return principal
  const homes = await propfind(session, principal, '0', '<c:calendar-home-set/><a:addressbook-home-set/>')
  if (homes.kind === 'failed') return homes
  const at = new Set(
    homes.responses.flatMap(({ calendarHome, contactsHome }) => [calendarHome, contactsHome]),
  )
  const places = new Map<string, Place>()
  for (const home of at) {
    if (home === null) continue
    const inside = await propfind(session, home, '1', collectionProps)
    if (inside.kind === 'failed') return inside
    for (const place of inside.responses.flatMap((response) => placeOf(response, session)))
      places.set(place.href, place)
  }
  if (places.size === 0)
    return failed(
      `${hostOf(account)} has neither a calendar nor an address book for ${account.user}. Make one there first.`,
    )
  if (places.size > syncLimits.collections)
    return failed(
      `${hostOf(account)} has more than ${syncLimits.collections} calendars. Name one by its own address.`,
    )
  return [...places.values()].toSorted((left, right) => (left.href < right.href ? -1 : 1))
}

/** Where the server says who is asking; some say so at one well-known place only. */
async function principalOf(session: ServerSession, begin: Found): Promise<string | Failure> {
  const said = begin.responses.find(({ principal }) => principal !== null)?.principal
  if (said) return said
  const known = await propfind(session, '/.well-known/caldav', '0', '<d:current-user-principal/>')
  const there =
    known.kind === 'found' ? known.responses.find(({ principal }) => principal !== null) : undefined
  return (
    there?.principal ??
    failed(`${hostOf(session.account)} is not a CalDAV or CardDAV server at this address. Check the address.`)
  )
}

function placeOf(
  { href, types, components, name, syncToken, ctag }: StatusResponse,
  { account }: ServerSession,
): Place[] {
  const isCalendar = types.includes('calendar') && (components.length === 0 || components.includes('VEVENT'))
  const kind = isCalendar ? 'event' : types.includes('addressbook') ? 'contact' : undefined
  if (!kind || placeAt(account, href) === undefined) return []
  return [{ href, kind, name: name ?? href, syncToken, ctag }]
}

async function listCollection(
  session: ServerSession,
  { href, name, kind, syncToken, ctag }: Place,
  known: string | undefined,
): Promise<ServerCollection | Failure> {
  const state = syncToken === null ? (ctag === null ? null : `ctag:${ctag}`) : `sync:${syncToken}`
  const about = { href, name: name.slice(0, 200), kind }
  if (state !== null && state === known)
    return { ...about, token: state, whole: false, entries: [], gone: [] }
  if (syncToken !== null) {
    const since = known?.startsWith('sync:') ? known.slice(5) : ''
    const changed = await changesSince(session, href, since)
    if (changed.kind === 'found')
      return collection(about, changed, { whole: since === '', token: changed.syncToken })
    // The server no longer knows that state: everything is looked at.
    const all = since === '' ? changed : await changesSince(session, href, '')
    if (all.kind === 'found') return collection(about, all, { whole: true, token: all.syncToken })
  }
  const all = await propfind(session, href, '1', '<d:getetag/><d:resourcetype/>')
  if (all.kind === 'failed') return all
  return collection(about, all, { whole: true, token: null, state })
}

async function changesSince(session: ServerSession, href: string, token: string): Promise<Found | Failure> {
  const body = `<?xml version="1.0" encoding="utf-8"?><d:sync-collection xmlns:d="DAV:"><d:sync-token>${xmlText(token)}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`
  return multistatus(session, { method: 'REPORT', href, body })
}

export function xmlText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function collection(
  about: Pick<ServerCollection, 'href' | 'name' | 'kind'>,
  { responses }: Found,
  {
    whole,
    token,
    state,
  }: { readonly whole: boolean; readonly token: string | null; readonly state?: string | null },
): ServerCollection | Failure {
  const inside = responses.filter(
    ({ href, types }) => href !== about.href && href !== '' && !types.includes('collection'),
  )
  if (inside.length > syncLimits.entries)
    return failed(`“${about.name}” has more than ${syncLimits.entries} entries, and so many are not synced.`)
  const gone = inside.filter(({ status, etag }) => etag === null && (status === 404 || status === 410))
  const entries = inside.flatMap(({ href, etag }) =>
    etag === null ? [] : [{ href, etag: etag.slice(0, 300) }],
  )
  return {
    ...about,
    token: token === null ? (state ?? null) : `sync:${token}`,
    whole,
    entries,
    gone: gone.map(({ href }) => href),
  }
}
