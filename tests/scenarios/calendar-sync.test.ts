import type { JsonObject, RunDetail, ServerFrame, SyncReport } from '@countersign/contract'
import { type CalendarServerForTests, startCalendarServer } from '@countersign/executor/calendar-server'
import {
  approve,
  connect,
  countersign,
  executorOf,
  type GatewayProcess,
  type Installation,
  openInstallation,
  openStallingDoor,
  type StallingDoor,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

let server: CalendarServerForTests
let door: StallingDoor
let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  server = await startCalendarServer()
  door = await openStallingDoor(server.port)
  installation = await openInstallation({
    passing: true,
    environment: { COUNTERSIGN_LOCAL_TARGETS: `localhost:${door.port}` },
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text}` }
      return lastUser.startsWith('{"name"') ? { calls: [JSON.parse(lastUser)] } : { text: 'Nothing.' }
    },
  })
  gateway = await installation.start()
  const { name, url, user } = server.account('home', door.port)
  const words = ['calendar-account', 'add', name, '--server', url, '--user', user, '--receives-new']
  expect(await countersign(installation, words, server.password)).toContain('Added home.')
}, 120_000)
afterAll(async () => {
  await installation?.close()
  door?.close()
  await server?.close()
})

async function sync(): Promise<SyncReport> {
  return gateway.client.syncCalendarAccount('home')
}

/** A call that the operator makes themselves. */
async function call(tool: string, args: JsonObject): Promise<RunDetail> {
  const { run } = await gateway.client.callTool(tool, JSON.stringify(args))
  const detail = await settledRun(gateway.client, run, 'either')
  expect(detail.calls).toMatchObject([{ outcome: 'ok' }])
  return detail
}

async function eventNamed(title: string) {
  const { items } = await gateway.client.calendarEvents({ search: title, from: '2026-01-01', limit: 100 })
  return items.filter((item) => item.data['title'] === title)
}

async function idOf(title: string): Promise<string> {
  const [found] = await eventNamed(title)
  if (!found) throw new Error(`there is no event ${title}`)
  return found.id
}

async function contactNamed(name: string) {
  const { items } = await gateway.client.contacts({ search: name })
  return items.filter((item) => item.data['name'] === name)
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const stampOf = (day: string, time: string) => `${day.replaceAll('-', '')}T${time}Z`

function event(uid: string, title: string, lines = ''): string {
  const day = inDays(10)
  return `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//phone//EN\nBEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\nDTSTART:${stampOf(day, '090000')}\nDTEND:${stampOf(day, '100000')}\nSUMMARY:${title}\nX-PHONE:kept\n${lines}END:VEVENT\nEND:VCALENDAR\n`
}

async function onServer(words: string): Promise<string[]> {
  const texts = await Promise.all(
    (await server.names('calendar')).map((name) => server.get(`calendar/${name}`)),
  )
  return texts.filter((text): text is string => text?.includes(words) === true)
}

/** Says yes to whatever waits. */
async function approveAll(): Promise<number> {
  const waiting = await gateway.client.approvals({ state: 'pending' })
  for (const { id, run } of waiting) {
    await approve(installation, gateway.client, id)
    await settledRun(gateway.client, run, 'either')
  }
  return waiting.length
}

describe('a calendar account', () => {
  test('brings events of the server as a stranger’s words, and their changes and ends', async () => {
    await server.put('calendar/phone.ics', event('phone', 'From the phone'))
    await server.put('calendar/weekly.ics', event('weekly', 'Weekly', 'RRULE:FREQ=WEEKLY;COUNT=4\n'))
    expect(await sync()).toMatchObject({ problem: null, taken: 5, conflicts: 0, unreadable: 0 })
    expect(await sync()).toMatchObject({ problem: null, taken: 0, sent: 0 })
    const [taken] = await eventNamed('From the phone')
    expect(taken).toMatchObject({
      data: { startTime: `${inDays(10)}T09:00:00Z`, isAllDay: false },
      label: { integrity: 'untrusted', confidentiality: 'private', sources: ['calendar account home'] },
    })
    expect(await eventNamed('Weekly')).toHaveLength(4)
    await server.put('calendar/phone.ics', event('phone', 'From my phone'))
    await server.remove('calendar/weekly.ics')
    expect(await sync()).toMatchObject({ problem: null, taken: 1, removed: 4 })
    expect(await eventNamed('From my phone')).toHaveLength(1)
    expect(await eventNamed('Weekly')).toEqual([])
    expect(JSON.stringify(installation.model.requests)).not.toContain(server.password)
    expect(gateway.log()).not.toContain(server.password)
  }, 120_000)

  test('is given what the operator adds, changes and deletes, without a question', async () => {
    await call('add_calendar_event', { title: 'Dentist', startTime: `${inDays(3)}T09:00:00Z`, reminder: 30 })
    await sync()
    expect(await onServer('SUMMARY:Dentist')).toMatchObject([expect.stringContaining('TRIGGER:-PT30M')])
    await call('update_calendar_event', { eventId: await idOf('Dentist'), location: 'Main Street' })
    await sync()
    expect(await onServer('LOCATION:Main Street')).toHaveLength(1)
    expect(await sync()).toMatchObject({ taken: 0, sent: 0, asking: 0, conflicts: 0 })
    const deleted = await call('delete_calendar_event', { eventId: await idOf('Dentist') })
    await sync()
    expect(await onServer('SUMMARY:Dentist')).toEqual([])
    // What is taken back here is taken back there.
    const { run } = await gateway.client.undoRun(deleted.run.id)
    await settledRun(gateway.client, run, 'either')
    await sync()
    expect(await onServer('SUMMARY:Dentist')).toHaveLength(1)
    expect(await gateway.client.approvals({ state: 'pending' })).toEqual([])
  }, 180_000)

  test('is asked for before an entry of the server is changed there, and keeps the rest of it', async () => {
    await call('update_calendar_event', { eventId: await idOf('From my phone'), title: 'Lunch' })
    expect(await sync()).toMatchObject({ asking: 1, sent: 0 })
    expect(await onServer('SUMMARY:Lunch')).toEqual([])
    const [asked] = await gateway.client.approvals({ state: 'pending' })
    const { approval } = await gateway.client.approval(asked?.id ?? '')
    expect(approval.card.headline).toContain('change the event “Lunch”')
    expect(await approveAll()).toBe(1)
    await waitFor(async () => expect(await sync()).toMatchObject({ asking: 0, conflicts: 0 }))
    expect(await onServer('SUMMARY:Lunch')).toMatchObject([expect.stringContaining('X-PHONE:kept')])
  }, 120_000)

  test('asks no longer once the server has it as it was wanted', async () => {
    await call('update_calendar_event', { eventId: await idOf('Lunch'), title: 'Brunch' })
    expect(await sync()).toMatchObject({ asking: 1, sent: 0 })
    expect(await gateway.client.approvals({ state: 'pending' })).toHaveLength(1)
    const text = (await server.get('calendar/phone.ics')) ?? ''
    await server.put('calendar/phone.ics', text.replace('SUMMARY:Lunch', 'SUMMARY:Brunch'))
    expect(await sync()).toMatchObject({ problem: null, sent: 0, asking: 0, conflicts: 0 })
    expect(await gateway.client.approvals({ state: 'pending' })).toEqual([])
  }, 120_000)

  test('shows both sides where both were changed, and loses neither', async () => {
    await call('add_calendar_event', { title: 'Talk', startTime: `${inDays(4)}T09:00:00Z` })
    await call('add_calendar_event', { title: 'Walk', startTime: `${inDays(4)}T11:00:00Z` })
    await sync()
    const [talk, walk] = [await idOf('Talk'), await idOf('Walk')]
    const text = (await server.get(`calendar/${talk}.ics`)) ?? ''
    await server.put(`calendar/${talk}.ics`, text.replace('SUMMARY:Talk', 'SUMMARY:Talk of the server'))
    await server.remove(`calendar/${walk}.ics`)
    await call('update_calendar_event', { eventId: talk, title: 'Talk of mine' })
    await call('update_calendar_event', { eventId: walk, title: 'Walk of mine' })
    await waitFor(async () => expect(await sync()).toMatchObject({ conflicts: 2 }))
    expect(await gateway.client.syncConflicts()).toMatchObject(
      [
        { id: talk, mine: { title: 'Talk of mine' }, theirs: { title: 'Talk of the server' } },
        { id: walk, mine: { title: 'Walk of mine' }, theirs: null },
      ].toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    )
    expect(await onServer('Talk of the server')).toHaveLength(1)
    await gateway.client.settleConflict(talk, { keep: 'theirs' })
    await gateway.client.settleConflict(walk, { keep: 'mine' })
    expect(await sync()).toMatchObject({ conflicts: 0 })
    expect(await eventNamed('Talk of the server')).toHaveLength(1)
    expect(await eventNamed('Talk of mine')).toEqual([])
    expect(await onServer('SUMMARY:Walk of mine')).toHaveLength(1)
    await expect(gateway.client.settleConflict(walk, { keep: 'mine' })).rejects.toThrow(
      'There is no conflict',
    )
  }, 180_000)

  test('keeps contacts the same on both sides', async () => {
    const card =
      'BEGIN:VCARD\nVERSION:3.0\nUID:ana\nFN:Ana Kovac\nN:Kovac;Ana;;;\nEMAIL:ana@kovac.test\nX-PHONE:kept\nEND:VCARD\n'
    await server.put('contacts/ana.vcf', card)
    await call('add_contact', { name: 'Bo Berg', phone: '+49 30 1234', relationship: 'friend' })
    await sync()
    expect(await contactNamed('Ana Kovac')).toMatchObject([{ data: { email: 'ana@kovac.test' } }])
    const [bo] = await contactNamed('Bo Berg')
    const theirs = (await server.get(`contacts/${bo?.id}.vcf`)) ?? ''
    expect(theirs).toContain('FN:Bo Berg')
    await server.put(`contacts/${bo?.id}.vcf`, theirs.replace('+49 30 1234', '+49 30 9999'))
    await server.remove('contacts/ana.vcf')
    expect(await sync()).toMatchObject({ problem: null, conflicts: 0 })
    expect(await contactNamed('Bo Berg')).toMatchObject([
      { data: { phone: '+49 30 9999', relationship: 'friend' } },
    ])
    expect(await contactNamed('Ana Kovac')).toEqual([])
  }, 120_000)

  test('is left as it is where what it says cannot be read, and the rest is synced', async () => {
    await server.put('calendar/bomb.ics', event('bomb', 'Bomb', 'RRULE:FREQ=SECONDLY\n'))
    await server.put('calendar/long.ics', event('long', 'Long', `DESCRIPTION:${'x'.repeat(290_000)}\n`))
    await server.put('calendar/good.ics', event('good', 'Good'))
    await server.put('calendar/often.ics', event('often', 'Often', 'RRULE:FREQ=WEEKLY;COUNT=3\n'))
    expect(await sync()).toMatchObject({ problem: null, unreadable: 1 })
    expect(await eventNamed('Good')).toHaveLength(1)
    expect((await eventNamed('Bomb')).length).toBeLessThanOrEqual(100)
    expect(await server.get('calendar/long.ics')).toContain('SUMMARY:Long')
    expect(await eventNamed('Often')).toHaveLength(3)
    // Too many seconds lie before what is looked at.
    const endless = event('often', 'Often', 'RRULE:FREQ=SECONDLY\n')
    await server.put('calendar/often.ics', endless.replaceAll(/(DTSTART|DTEND):\d{8}/g, '$1:20200101'))
    expect(await sync()).toMatchObject({ problem: null, removed: 0, sent: 0 })
    expect(await eventNamed('Often')).toHaveLength(3)
    expect(await sync()).toMatchObject({ taken: 0, removed: 0, sent: 0 })
  }, 120_000)

  test('has every entry once after kill -9 before and after each way', async () => {
    for (const [index, stall] of [
      { method: 'PUT', passes: false },
      { method: 'PUT', passes: true },
      { method: 'REPORT', passes: true },
    ].entries()) {
      const title = `Once ${index}`
      await server.put(`calendar/killed-${index}.ics`, event(`killed-${index}`, `Killed ${index}`))
      door.stallAt({ from: 'client', words: new RegExp(`^${stall.method} `), passes: stall.passes })
      await call('add_calendar_event', { title, startTime: `${inDays(5)}T09:00:00Z` })
      const cut = sync().catch(() => undefined)
      await door.reached()
      process.kill(executorOf(gateway.pid), 'SIGKILL')
      await gateway.kill()
      await cut
      door.stallAt(null)
      gateway = await installation.start()
      await waitFor(async () => {
        await sync()
        expect(await onServer(`SUMMARY:${title}`)).toHaveLength(1)
        expect(await sync()).toMatchObject({ problem: null, taken: 0, sent: 0, asking: 0, conflicts: 0 })
      })
      expect(await eventNamed(title)).toHaveLength(1)
      expect(await eventNamed(`Killed ${index}`)).toHaveLength(1)
    }
  }, 400_000)

  test('reminds of events of the server when it is time, like of those that were made here', async () => {
    const alarm = 'BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:Soon\nTRIGGER:-PT30M\nEND:VALARM\n'
    await server.put('calendar/remind.ics', event('remind', 'Remind once', alarm))
    await server.put(
      'calendar/series.ics',
      event('series', 'Remind weekly', `RRULE:FREQ=WEEKLY;COUNT=2\n${alarm}`),
    )
    await server.put('calendar/silent.ics', event('silent', 'Remind never'))
    expect(await sync()).toMatchObject({ problem: null, taken: 4 })
    const startsAt = `${inDays(10)}T09:00:00.000Z`
    await call('add_calendar_event', { title: 'Remind here', startTime: startsAt, reminder: 30 })
    const frames: ServerFrame[] = []
    const { url } = gateway
    const { signer } = installation
    const socket = await connect({ url, signer, since: null, onFrame: (frame) => frames.push(frame) })
    const told = () =>
      frames.flatMap((frame) =>
        frame.type === 'event' && frame.event.body.type === 'reminder.due' ? [frame.event.body] : [],
      )
    const reminded = () => told().filter(({ title }) => title.startsWith('Remind'))
    installation.pass(new Date(`${inDays(10)}T08:30:01Z`).getTime() - installation.now().getTime())
    await waitFor(() => expect(reminded()).toHaveLength(3))
    expect(
      reminded()
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(['Remind here', 'Remind once', 'Remind weekly'])
    for (const each of reminded()) expect(each).toMatchObject({ startsAt, late: false, begun: false })
    socket.close()
  }, 120_000)

  test('leaves everything where it is when it is removed', async () => {
    await server.put('calendar/last.ics', event('last', 'Last'))
    await sync()
    const before = (await server.names('calendar')).length
    await gateway.client.removeCalendarAccount('home')
    expect(await gateway.client.calendarAccounts()).toEqual([])
    expect(await server.names('calendar')).toHaveLength(before)
    expect(await eventNamed('Last')).toHaveLength(1)
    expect((await gateway.client.secrets()).map(({ name }) => name)).not.toContain('calendar.home')
  }, 60_000)
})
