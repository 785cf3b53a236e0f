import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApprovalSubject, CalendarAccount, UrlResource } from '@countersign/contract'
import { calendarDestination } from '@countersign/contract'
import { calendarMethod, type EntryChange, FetchedEntries, wholeFields } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calendarServerCapabilities } from '../capabilities/calendar-server.ts'
import { createDocumentPrograms, type DocumentPrograms } from '../documents/document-programs.ts'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import { type CalendarServerForTests, startCalendarServer } from './testing/radicale.ts'

let server: CalendarServerForTests
let folder: string
let documents: DocumentPrograms

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-test-'))
  server = await startCalendarServer()
  const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  documents = createDocumentPrograms(probe.sandbox)
}, 60_000)
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()

function capabilities(account: CalendarAccount, { named = account, password = server.password } = {}) {
  const place = calendarDestination(named.url)
  if (!place) throw new Error('no place')
  const resource: UrlResource = {
    type: 'url',
    ...place,
    method: calendarMethod,
    addressClass: 'name',
    redirects: 'refused',
    carries: 'more',
  }
  const subject = { resources: [resource], sandbox: 'documents:x', secrets: [account.secret] }
  return calendarServerCapabilities(subject as unknown as ApprovalSubject, {
    egress: createEgress({
      allow: { ports: [], allowPrivate: [{ host: 'localhost', port: server.port }] },
      limits: defaultEgressLimits,
      lookup: async () => ['127.0.0.1'],
    }),
    secrets: { value: () => password },
    documents,
  })
}

const me = () => server.account('home')
const window = { from: '2026-03-01', to: '2026-04-30' }

function event(uid: string, lines: string): string {
  return `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//t//EN\nBEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\n${lines}\nEND:VEVENT\nEND:VCALENDAR\n`
}

async function fetched(...names: string[]): Promise<FetchedEntries> {
  const kind = names[0]?.endsWith('.vcf') ? ('contact' as const) : ('event' as const)
  const collection = kind === 'event' ? '/me/calendar/' : '/me/contacts/'
  const hrefs = names.map((name) => `${collection}${name}`)
  const got = await capabilities(me()).fetch(me(), { collection, kind, hrefs, window }, signal)
  if (got.kind === 'failed') throw new Error(`${got.reason}\n${server.log()}`)
  return got
}

type Fields = { readonly recurrence: string } & Readonly<Record<string, string | number | boolean>>

async function fieldsIn(name: string): Promise<Fields[] | undefined> {
  const [resource] = (await fetched(name)).resources
  expect(resource?.problem).toBeNull()
  return resource?.entries.map((entry) => ({
    recurrence: entry.recurrence,
    ...wholeFields(resource, entry),
  }))
}

function change(name: string, wish: Partial<EntryChange>): EntryChange {
  const kind = name.endsWith('.vcf') ? 'contact' : 'event'
  const href = `${kind === 'event' ? '/me/calendar/' : '/me/contacts/'}${name}`
  return {
    kind,
    action: 'write',
    href,
    etag: null,
    uid: name.replace(/\.\w+$/, ''),
    recurrence: '',
    others: false,
    title: 'x',
    set: {},
    unset: [],
    ...wish,
  }
}

async function push(...changes: EntryChange[]) {
  const done = await capabilities(me()).push(me(), changes, signal)
  if (done.kind === 'failed') throw new Error(done.reason)
  return done.changes
}

async function tagOf(name: string): Promise<string> {
  return (await fetched(name)).resources[0]?.etag ?? ''
}

describe('a calendar server', () => {
  it('is found from its address, with what changed since a state', async () => {
    await server.put('calendar/one.ics', event('one', 'DTSTART:20260305T090000Z\nSUMMARY:One'))
    const first = await capabilities(me()).list(me(), [], signal)
    if (first.kind === 'failed') throw new Error(`${first.reason}\n${server.log()}`)
    expect(first.collections.map(({ href, kind, name, whole }) => ({ href, kind, name, whole }))).toEqual([
      { href: '/me/calendar/', kind: 'event', name: 'Mine', whole: true },
      { href: '/me/contacts/', kind: 'contact', name: 'People', whole: true },
    ])
    expect(first.collections[0]?.entries).toMatchObject([{ href: '/me/calendar/one.ics' }])
    const known = first.collections.map(({ href, token }) => ({ href, token: token ?? '' }))
    await server.put('calendar/two.ics', event('two', 'DTSTART:20260306T090000Z\nSUMMARY:Two'))
    await server.remove('calendar/one.ics')
    const next = await capabilities(me()).list(me(), known, signal)
    if (next.kind === 'failed') throw new Error(next.reason)
    expect(next.collections[0]).toMatchObject({
      whole: false,
      entries: [{ href: '/me/calendar/two.ics' }],
      gone: ['/me/calendar/one.ics'],
    })
    const stale = await capabilities(me()).list(
      me(),
      [{ href: '/me/calendar/', token: 'sync:http://radicale.org/ns/sync/0' }],
      signal,
    )
    expect(stale).toMatchObject({ collections: [{ whole: true }, { whole: true }] })
  }, 60_000)

  it('is not reached with a permit for another place, or a wrong password', async () => {
    const other = { ...me(), url: `http://localhost:${server.port + 1}/` }
    expect(await capabilities(me(), { named: other }).list(me(), [], signal)).toMatchObject({
      reason: expect.stringContaining('another server'),
    })
    expect(await capabilities(me(), { password: 'wrong wrong' }).list(me(), [], signal)).toMatchObject({
      reason: expect.stringContaining('does not take the user or the password'),
    })
    const led = await capabilities(me()).fetch(
      me(),
      { collection: 'https://evil.example/x/', kind: 'event', hrefs: ['/a'], window },
      signal,
    )
    expect(led).toMatchObject({ kind: 'failed', reason: expect.stringContaining('another server') })
  }, 60_000)

  it('gives events in the words of our records', async () => {
    await server.put(
      'calendar/fields.ics',
      event(
        'fields',
        'DTSTART:20260305T090000Z\nDTEND:20260305T100000Z\nSUMMARY:Lunch\\, late\nLOCATION:Room\u202e 1\nDESCRIPTION:a\\nb\nCATEGORIES:work,fun\nBEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:-PT15M\nEND:VALARM',
      ),
    )
    expect(await fieldsIn('fields.ics')).toEqual([
      {
        recurrence: '',
        title: 'Lunch, late',
        startTime: '2026-03-05T09:00:00Z',
        endTime: '2026-03-05T10:00:00Z',
        isAllDay: false,
        location: 'Room 1',
        description: 'a\nb',
        category: 'work',
        reminder: 15,
      },
    ])
    await server.put(
      'calendar/days.ics',
      event('days', 'DTSTART;VALUE=DATE:20260305\nDTEND;VALUE=DATE:20260308\nSUMMARY:Away'),
    )
    expect(await fieldsIn('days.ics')).toMatchObject([
      { startTime: '2026-03-05', endTime: '2026-03-07', isAllDay: true },
    ])
    await server.put('calendar/float.ics', event('float', 'DTSTART:20260305T070000\nSUMMARY:Run'))
    expect(await fieldsIn('float.ics')).toMatchObject([{ startTime: '2026-03-05T07:00:00', isAllDay: false }])
  }, 60_000)

  it('gives the occurrences of a series, with its zone, its exceptions and without what is excluded', async () => {
    await server.put('calendar/series.ics', series)
    const found = await fieldsIn('series.ics')
    expect(found?.slice(0, 5).map((each) => [each.recurrence, each['title'], each['startTime']])).toEqual([
      ['20260302T090000', 'Team', '2026-03-02T08:00:00Z'],
      ['20260309T090000', 'Team, elsewhere', '2026-03-09T10:00:00Z'],
      ['20260323T090000', 'Team', '2026-03-23T08:00:00Z'],
      ['20260330T090000', 'Team', '2026-03-30T07:00:00Z'],
      ['20260406T090000', 'Team', '2026-04-06T07:00:00Z'],
    ])
    expect(found).toHaveLength(8)
  }, 60_000)

  it('keeps what our records do not know when an event or one occurrence is changed', async () => {
    await server.put(
      'calendar/keep.ics',
      event(
        'keep',
        'DTSTART:20260305T090000Z\nDURATION:PT1H\nSUMMARY:Old\nX-SECRET;A=B:kept\nCATEGORIES:a,b\nURL:https://x.example/',
      ),
    )
    const tag = await tagOf('keep.ics')
    const set = { title: 'New\r\nEND:VEVENT', category: 'c', reminder: 10 }
    const [done] = await push(change('keep.ics', { etag: tag, set }))
    expect(done).toMatchObject({ kind: 'written' })
    const text = (await server.get('calendar/keep.ics')) ?? ''
    for (const part of [
      'X-SECRET;A=B:kept',
      'URL:https://x.example/',
      'DURATION:PT1H',
      'DTSTART:20260305T090000Z',
      'TRIGGER:-PT10M',
    ])
      expect(text).toContain(part)
    expect(text.match(/^END:VEVENT/gm)).toHaveLength(1)
    expect(await fieldsIn('keep.ics')).toMatchObject([{ category: 'c', endTime: '2026-03-05T10:00:00Z' }])
    expect(text).toMatch(/CATEGORIES:c,b/)

    await server.put('calendar/series.ics', series)
    const whole = await tagOf('series.ics')
    const moved = {
      title: 'Moved',
      startTime: '2026-03-24T12:00:00Z',
      endTime: '2026-03-24T13:00:00Z',
      isAllDay: false,
    }
    expect(
      await push(change('series.ics', { etag: whole, recurrence: '20260323T090000', set: moved })),
    ).toMatchObject([{ kind: 'written' }])
    const then = await tagOf('series.ics')
    expect(
      await push(change('series.ics', { etag: then, recurrence: '20260330T090000', action: 'delete' })),
    ).toMatchObject([{ kind: 'written' }])
    const after = await fieldsIn('series.ics')
    expect(after?.slice(0, 4).map((each) => [each['title'], each['startTime']])).toEqual([
      ['Team', '2026-03-02T08:00:00Z'],
      ['Team, elsewhere', '2026-03-09T10:00:00Z'],
      ['Moved', '2026-03-24T12:00:00Z'],
      ['Team', '2026-04-06T07:00:00Z'],
    ])
    expect(await server.get('calendar/series.ics')).toContain('RRULE:FREQ=WEEKLY')
  }, 90_000)

  it('takes a change on the state that it was made on, and the same change twice', async () => {
    const set = { title: 'Made', startTime: '2026-03-05', isAllDay: true }
    const made = change('made.ics', { set })
    const [first] = await push(made)
    expect(first).toMatchObject({ kind: 'written' })
    expect(await push(made)).toMatchObject([{ kind: 'written' }])
    const tag = await tagOf('made.ics')
    const second = change('made.ics', { etag: tag, set: { title: 'Made again' } })
    expect(await push(second)).toMatchObject([{ kind: 'written' }])
    // Its answer was lost, and it is sent once more.
    expect(await push(second)).toMatchObject([{ kind: 'written' }])
    expect(await push(change('made.ics', { etag: tag, set: { title: 'Too late' } }))).toEqual([
      { kind: 'moved' },
    ])
    expect(await push(change('made.ics', { set: { ...set, title: 'Other' } }))).toEqual([{ kind: 'moved' }])
    expect(await push(change('made.ics', { etag: tag, action: 'delete' }))).toEqual([{ kind: 'moved' }])
    expect(await fieldsIn('made.ics')).toMatchObject([{ title: 'Made again', startTime: '2026-03-05' }])
    const last = change('made.ics', { etag: await tagOf('made.ics'), action: 'delete' })
    expect(await push(last)).toEqual([{ kind: 'written', etag: null }])
    expect(await push(last)).toEqual([{ kind: 'written', etag: null }])
    expect(await server.get('calendar/made.ics')).toBeUndefined()
  }, 90_000)

  it('is given no change of an event with guests by somebody who did not know of them', async () => {
    await server.put(
      'calendar/guests.ics',
      event(
        'guests',
        'DTSTART:20260305T090000Z\nSUMMARY:Party\nORGANIZER:mailto:eve@evil.test\nATTENDEE:mailto:me@home.test',
      ),
    )
    const [resource] = (await fetched('guests.ics')).resources
    expect(resource).toMatchObject({ shared: true })
    const wish = { etag: resource?.etag ?? '', set: { title: 'Mine' } }
    expect(await push(change('guests.ics', wish))).toEqual([{ kind: 'shared' }])
    expect(await push(change('guests.ics', { etag: wish.etag, action: 'delete' }))).toEqual([
      { kind: 'shared' },
    ])
    expect(await push(change('guests.ics', { ...wish, others: true }))).toMatchObject([{ kind: 'written' }])
  }, 60_000)

  it('is read within bounds, whatever it says', async () => {
    const rule = (from: string, words: string) => event('x', `DTSTART:${from}\nRRULE:${words}\nSUMMARY:x`)
    const read = async (data: string) => {
      const xml = `<multistatus xmlns="DAV:" xmlns:C="c"><response><href>/a</href><propstat><prop><getetag>1</getetag><C:calendar-data>${data}</C:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`
      const job = { program: 'calendar', op: 'entries', window } as const
      const made = await documents.run({ job, form: FetchedEntries }, Buffer.from(xml), signal)
      return made.kind === 'failed' ? made : made.facts.resources[0]
    }
    const zone =
      'BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:19000101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT'
    expect(
      await read(event('z', 'DTSTART;TZID=Z:20260305T090000\nSUMMARY:x').replace('BEGIN:VEVENT', zone)),
    ).toMatchObject({ problem: 'It takes too long to be read.', entries: [] })
    const dates = 'RDATE:20260306T090000Z,20260306T090000Z,20260307T090000Z'
    const twice = JSON.stringify(await read(event('t', `DTSTART:20260305T090000Z\n${dates}\nSUMMARY:x`)))
    expect(twice.match(/"recurrence":"20260306T090000Z"/g)).toHaveLength(1)
    // An alarm that sends e-mails or starts programs is no reminder of ours.
    const mails = 'BEGIN:VALARM\nACTION:EMAIL\nATTENDEE:mailto:x@y.test\nTRIGGER:-PT15M\nEND:VALARM'
    const mailing = await read(event('m', `DTSTART:20260305T090000Z\nSUMMARY:x\n${mails}`))
    expect(JSON.stringify(mailing)).not.toContain('reminder')
    const often = { problem: expect.stringContaining('too often'), entries: [{ alike: true }] }
    expect(await read(rule('19700101T000000Z', 'FREQ=SECONDLY'))).toMatchObject(often)
    expect((await read(rule('20260301T000000Z', 'FREQ=SECONDLY'))) as object).toHaveProperty(
      'entries.length',
      100,
    )
    expect(await read(rule('20260101T000000Z', 'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2'))).toMatchObject({
      entries: [],
    })
    expect(await read('BEGIN:X\n'.repeat(40_000))).toMatchObject({
      problem: expect.stringContaining('256 kB'),
    })
    expect(await read('BEGIN:X\n'.repeat(9_000))).toMatchObject({
      problem: expect.stringContaining('damaged'),
      entries: [],
    })
    expect(await read(event('x', 'SUMMARY:no beginning'))).toMatchObject({
      problem: expect.stringContaining('no beginning'),
    })
    const answer = { program: 'calendar', op: 'answer' } as const
    for (const xml of [
      '<!DOCTYPE a [<!ENTITY b "x">]><multistatus>&b;</multistatus>',
      `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`,
      'not xml',
    ])
      expect(
        await documents.run({ job: answer, form: FetchedEntries }, Buffer.from(xml), signal),
      ).toMatchObject({
        kind: 'failed',
        reason: expect.stringMatching(/document type|nested too deeply|XML/),
      })
  }, 90_000)

  it('gives contacts, and keeps the rest of a card that is changed', async () => {
    await server.put(
      'contacts/ana.vcf',
      'BEGIN:VCARD\nVERSION:3.0\nUID:ana\nFN:Ana Kovac\nN:Kovac;Ana;;;\nORG:Acme;Sales\nTITLE:Boss\nEMAIL;TYPE=work:ana@kovac.test\nEMAIL;TYPE=home:a@k.test\nTEL:+49 30 1234\nBDAY:1985-04-12\nADR;TYPE=home:;;Street 1;Town;;123;DE\nNOTE:hi\\nyou\nPHOTO;VALUE=uri:https://x.example/p.png\nEND:VCARD\n',
    )
    expect(await fieldsIn('ana.vcf')).toEqual([
      {
        recurrence: '',
        name: 'Ana Kovac',
        company: 'Acme',
        jobTitle: 'Boss',
        email: 'ana@kovac.test',
        phone: '+49 30 1234',
        birthday: '1985-04-12',
        address: 'Street 1\n123 Town\nDE',
        notes: 'hi\nyou',
      },
    ])
    const etag = await tagOf('ana.vcf')
    const set = { email: 'new@kovac.test', company: 'Beta', birthday: '1986-01-02' }
    expect(await push(change('ana.vcf', { etag, set, unset: ['notes'] }))).toMatchObject([
      { kind: 'written' },
    ])
    expect(await fieldsIn('ana.vcf')).toMatchObject([{ ...set, phone: '+49 30 1234' }])
    const text = (await server.get('contacts/ana.vcf')) ?? ''
    for (const part of ['a@k.test', 'Beta;Sales', 'https://x.example/p.png', 'N:Kovac;Ana'])
      expect(text).toContain(part)
    expect(text).not.toContain('NOTE')
    expect(
      await push(change('bo.vcf', { set: { name: 'Bo', phone: '12345', address: 'A 1\nB' } })),
    ).toMatchObject([{ kind: 'written' }])
    expect(await fieldsIn('bo.vcf')).toMatchObject([{ name: 'Bo', phone: '12345', address: 'A 1\nB' }])
  }, 60_000)
})

const series = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//t//EN',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'UID:series',
  'DTSTAMP:20260101T000000Z',
  'DTSTART;TZID=Europe/Berlin:20260105T090000',
  'DTEND;TZID=Europe/Berlin:20260105T100000',
  'RRULE:FREQ=WEEKLY',
  'EXDATE;TZID=Europe/Berlin:20260316T090000',
  'SUMMARY:Team',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:series',
  'DTSTAMP:20260101T000000Z',
  'RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000',
  'DTSTART;TZID=Europe/Berlin:20260309T110000',
  'DTEND;TZID=Europe/Berlin:20260309T120000',
  'SUMMARY:Team\\, elsewhere',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\n')
