/**
 * The program for calendar servers. Takes apart what the server says, and changes an entry without losing what our
 * records cannot hold: only the fields that are named are touched.
 */
import { doneWithin } from './bounded-work.ts'
import { changeContact, readContact } from './contact-entry.ts'
import type { EntryFields, EntryWish, ReadEntries } from './entry.ts'
import { changeEvent, readEvents } from './event-entry.ts'
import { readMultistatus } from './multistatus.ts'
import { type Json, type Made, serve } from './serve.ts'
import { lineOf } from './shown-text.ts'

type Request =
  | { readonly op: 'answer' }
  | { readonly op: 'entries'; readonly window: { readonly from: string; readonly to: string } }
  | ({ readonly op: 'change'; readonly kind: 'event' | 'contact' } & EntryWish)

const largestEntry = 262_144
/** For one entry, and for all that take long; of those that come then only those are read that take none. */
const entryMs = { longest: 1_000, all: 12_000, shortest: 50 }

await serve<Request>(async (request, bytes) => {
  const text = new TextDecoder().decode(bytes)
  if (request.op === 'answer') return answer(text)
  if (request.op === 'entries') return entries(text, request.window)
  const { kind, op: _, ...wish } = request
  const { made, ...facts } = kind === 'event' ? changeEvent(text, wish) : changeContact(text, wish)
  return { facts: { ...facts }, files: [new TextEncoder().encode(made)] }
})

function answer(xml: string): Made {
  const { responses, syncToken } = readMultistatus(xml)
  return {
    facts: {
      syncToken,
      responses: responses.map(({ data: _data, name, types, components, ...rest }) => ({
        ...rest,
        name: name === null ? null : lineOf(name, 200),
        types: types.slice(0, 20),
        components: components.slice(0, 20),
      })),
    },
  }
}

function entries(xml: string, window: { readonly from: string; readonly to: string }): Made {
  const resources: Json[] = []
  const gone: string[] = []
  let left = entryMs.all
  for (const { href, etag, status, data } of readMultistatus(xml).responses) {
    if (href === '') continue
    if (data === null || etag === null) {
      if (status === 404 || status === 410 || status === null) gone.push(href)
      continue
    }
    const from = performance.now()
    const longest = Math.max(Math.min(left, entryMs.longest), entryMs.shortest)
    resources.push({ href, etag: etag.slice(0, 300), ...readable(data, window, longest) })
    left -= performance.now() - from
  }
  return { facts: { resources, gone } }
}

/** One entry that cannot be read says so, and the others are read. */
function readable(data: string, window: { readonly from: string; readonly to: string }, longestMs: number) {
  const none = { uid: '', shared: false, repeats: false, common: {} as EntryFields, entries: [] }
  if (data.length > largestEntry) return { ...none, problem: 'It is larger than 256 kB.' }
  try {
    const isContact = /^\s*BEGIN:VCARD/i.test(data)
    const work = (): ReadEntries => (isContact ? readContact(data) : readEvents(data, window))
    const read = doneWithin(longestMs, work)?.result
    if (!read) return { ...none, problem: 'It takes too long to be read.' }
    return { ...read, uid: read.uid.slice(0, 500), entries: read.entries.map((entry) => ({ ...entry })) }
  } catch (error) {
    const said = lineOf(error instanceof Error ? error.message : String(error), 200)
    return { ...none, problem: `It is damaged: ${said}` }
  }
}
