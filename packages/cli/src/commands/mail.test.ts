import { stripVTControlCharacters } from 'node:util'
import type { MailAccountView, MailSearch } from '@countersign/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createContext, type Handler } from '../context.ts'
import { written } from '../output/answer.ts'
import { usualFlags } from '../testing/flags.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { list, searchable } from './mail.ts'

let home: TestHome
let gateway: FakeGateway
let accounts: MailAccountView[]
let set: { readonly path: string; readonly body: unknown }[]
beforeEach(async () => {
  home = testHome()
  gateway = await fakeGateway(home.paths, home.establish())
  accounts = []
  set = []
  gateway.models.answer = ({ path, method, body }) => {
    if (path === '/v1/mail/accounts') return accounts
    if (method !== 'PUT') return undefined
    set.push({ path, body })
    const isOn = (body as { readonly searchable: boolean }).searchable
    return { name: 'work', searchable: isOn, removed: isOn ? 0 : 12, ledger: 7 }
  }
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

async function run(handler: Handler, ...words: string[]): Promise<string> {
  const host = testHost({ home, WebSocket: gateway.WebSocket, values: { NO_COLOR: '1', TERM: 'dumb' } })
  const answer = await handler(createContext(host, usualFlags), words, {})
  const { output, errors } = written(answer, false)
  return stripVTControlCharacters(output + errors)
}

const server = { host: 'mail.example.org', port: 993, security: 'tls' } as const
const account = (name: string, search: MailSearch | null): MailAccountView => ({
  name,
  address: `${name}@example.org`,
  displayName: '',
  user: name,
  imap: server,
  smtp: server,
  secret: `mail.${name}`,
  signedIn: true,
  search,
})

test('an account is made searchable and taken out of the search', async () => {
  expect(await run(searchable, 'work', 'on')).toContain('read for the search in the background')
  expect(await run(searchable, 'work', 'off')).toContain('Removed from the search: 12.  Ledger #7')
  expect(set).toEqual([
    { path: '/v1/mail/accounts/work/searchable', body: { searchable: true } },
    { path: '/v1/mail/accounts/work/searchable', body: { searchable: false } },
  ])
})

test('another word than on or off changes nothing', async () => {
  for (const word of ['', 'yes', 'On']) expect(await run(searchable, 'work', word)).toContain('Say on or off')
  expect(set).toEqual([])
})

test('the list says which accounts are searched, how far, and what is wrong', async () => {
  const search = { emails: 120, waiting: 30, lookedAt: null, problem: null }
  accounts = [
    account('home', null),
    account('work', search),
    account('old', { ...search, waiting: 0, problem: 'The server\u001b[31m is away.' }),
  ]
  const text = await run(list)
  expect(text).toMatch(/home .* no$/m)
  expect(text).toMatch(/work .* 120 e-mails, 30 to read$/m)
  expect(text).toMatch(/old .* 120 e-mails$/m)
  expect(text).toContain('old could not be read for the search: The server')
  expect(text).not.toContain('\u001b')
})
