/** Accounts of e-mail and calendars, set up in a real browser with real servers: dovecot, postfix and radicale. */
import { type CalendarServerForTests, startCalendarServer } from '@countersign/executor/calendar-server'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import { settledRun } from '@countersign/harness'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let entered: PairedPage
let page: Page
let mail: MailServers
let calendars: CalendarServerForTests

beforeAll(async () => {
  ;[mail, calendars] = await Promise.all([startMailServers(), startCalendarServer()])
  const ports = [mail.ports.imap, mail.ports.smtp, calendars.port]
  const targets = ports.map((port) => `localhost:${port}`).join(',')
  scene = await openScene({ environment: { COUNTERSIGN_LOCAL_TARGETS: targets } })
  entered = await scene.enter('/settings/accounts')
  page = entered.page
})
afterAll(async () => {
  await scene.close()
  await Promise.all([mail.close(), calendars.close()])
})

const dialog = (on = page) => on.getByRole('dialog')
const client = () => scene.gateway.client
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

const notice = (text: string) => page.getByRole('region', { name: 'Messages from the app' }).getByText(text)
const events = async () => (await client().calendarEvents({ from: '2027-01-01', limit: 10 })).items

async function choose(name: string, item: string): Promise<void> {
  await card(name).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe('an e-mail account', () => {
  test('is added by touch on a phone, and says what is wrong first', async () => {
    const hand = await scene.enter('/settings/accounts', { ...narrow, touch: true })
    const on = hand.page
    await on.getByRole('button', { name: 'Add e-mail account' }).tap()
    await dialog(on).getByLabel('Name', { exact: true }).fill('work')
    await dialog(on).getByLabel('Address').fill('me@home.test')
    await dialog(on).getByLabel('Password').fill(mail.password)
    await dialog(on).getByLabel('Reads from').fill(`localhost:${mail.ports.imap}`)
    await dialog(on).getByLabel('Sends by').fill('smtp.example.org')
    await dialog(on).getByLabel('Encryption').selectOption('none')
    await dialog(on).getByRole('button', { name: 'Add' }).tap()
    await dialog(on).getByText('Without encryption only this computer').waitFor()
    expect(await client().mailAccounts()).toEqual([])
    await dialog(on).getByLabel('Sends by').fill(`localhost:${mail.ports.smtp}`)
    await dialog(on).getByRole('button', { name: 'Add' }).tap()
    await dialog(on).waitFor({ state: 'detached' })
    expect(await client().mailAccounts()).toMatchObject([
      { name: 'work', imap: { port: mail.ports.imap, security: 'none' }, signedIn: true },
    ])
    expect(await on.content()).not.toContain(mail.password)
    await on.close()
  })

  test('is tried with its servers, and says when they do not let it in', async () => {
    await client().switchTool('email', true)
    await page.reload()
    await choose('work', 'Test the connection')
    await notice('work can be reached, and lets you in.').waitFor()
    await choose('work', 'Change')
    await dialog().getByLabel('New password').fill('not-the-password')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })
    await choose('work', 'Test the connection')
    await notice('did not accept the password').waitFor()
  })

  test('keeps its servers and its password where only the name beside the address changes', async () => {
    const [before] = await client().mailAccounts()
    await choose('work', 'Change')
    await dialog().getByLabel('Your name in e-mails').fill('Ana Kovač')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => client().mailAccounts()).toEqual([{ ...before, displayName: 'Ana Kovač' }])
    await dialog().waitFor({ state: 'detached' })
  })

  test('is removed with what opened it', async () => {
    await choose('work', 'Remove')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => client().mailAccounts()).toEqual([])
    expect(await client().secrets()).toEqual([])
    await page.getByText('You have added no e-mail account.').waitFor()
  })
})

describe('a calendar account', () => {
  test('is added and synced', async () => {
    await calendars.put('calendar/dentist.ics', dentist('20270302T090000Z'))
    await page.getByRole('button', { name: 'Add calendar account' }).click()
    await dialog().getByLabel('Name', { exact: true }).fill('home')
    await dialog().getByRole('textbox', { name: 'Server' }).fill('http://dav.example.org/')
    await dialog().getByLabel('User name').fill('me')
    await dialog().getByLabel('Password').fill(calendars.password)
    await dialog().getByRole('button', { name: 'Add' }).click()
    await dialog().getByText('Without TLS only localhost can be reached.').waitFor()
    await dialog().getByRole('textbox', { name: 'Server' }).fill(calendars.account('home').url)
    await dialog().getByRole('button', { name: 'Add' }).click()
    await dialog().waitFor({ state: 'detached' })
    await card('home').getByRole('button', { name: 'Sync now' }).click()
    await card('home').getByText('1 event, 0 contacts').waitFor()
  })

  test('shows what was changed on both sides, and the side that is kept stays', async () => {
    const [event] = await events()
    const moved = { eventId: event?.id, startTime: '2027-03-02T10:00:00Z', endTime: '2027-03-02T10:30:00Z' }
    const { run } = await client().callTool('update_calendar_event', JSON.stringify(moved))
    await settledRun(client(), run, 'either')
    await calendars.put('calendar/dentist.ics', dentist('20270302T110000Z'))
    await card('home').getByRole('button', { name: 'Sync now' }).click()
    await notice('1 conflict').waitFor()
    const conflict = page.getByRole('listitem').filter({ hasText: 'Keep what the server has' })
    await conflict
      .getByRole('row')
      .filter({ hasText: '11:00' })
      .filter({ hasText: '10:00' })
      .first()
      .waitFor()
    await conflict.getByRole('button', { name: 'Keep what the server has' }).click()
    await notice('Kept what the server has.').waitFor()
    await conflict.waitFor({ state: 'detached' })
    expect(await client().syncConflicts()).toEqual([])
  })

  test('is removed, and its events stay', async () => {
    await choose('home', 'Remove')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => client().calendarAccounts()).toEqual([])
    expect(await events()).toHaveLength(1)
  })
})

const dentist = (start: string) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    'BEGIN:VEVENT',
    'UID:dentist',
    'DTSTAMP:20270101T000000Z',
    `DTSTART:${start}`,
    'DURATION:PT30M',
    'SUMMARY:Dentist',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
