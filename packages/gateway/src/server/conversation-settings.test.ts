import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usualConversations } from '@countersign/contract'
import { beforeEach, expect, test } from 'vitest'
import { routeApp } from '../testing/route-app.ts'
import { addConversationSettingRoutes } from './conversation-settings.ts'

let file: string
let recorded: unknown[]

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'countersign-settings-')), 'config.json')
  writeFileSync(file, JSON.stringify({ timeZone: 'Europe/Vienna' }))
  recorded = []
})

function app() {
  const { app: routes } = routeApp((to) =>
    addConversationSettingRoutes(to, {
      kernel: {
        act: (_operator, entry) => {
          recorded.push(entry)
          return Promise.resolve(7)
        },
      },
      file,
      now: usualConversations,
    }),
  )
  return routes
}
const put = (body: unknown) =>
  app().request('/v1/conversation-settings', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('shows what holds, and what is written for the next start', async () => {
  writeFileSync(file, JSON.stringify({ conversations: { summaries: 2 } }))
  const answer = await app().request('/v1/conversation-settings')
  expect(await answer.json()).toEqual({
    now: { silenceMinutes: 30, summaries: 5 },
    next: { silenceMinutes: 30, summaries: 2 },
  })
})

test('keeps a choice in the configuration file beside the rest, and records who made it', async () => {
  const answer = await put({ silenceMinutes: 60, summaries: 0 })
  expect(await answer.json()).toMatchObject({
    settings: { now: usualConversations, next: { silenceMinutes: 60, summaries: 0 } },
    ledger: 7,
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    timeZone: 'Europe/Vienna',
    conversations: { silenceMinutes: 60, summaries: 0 },
  })
  expect(recorded).toMatchObject([
    { type: 'conversations.changed', data: { silenceMinutes: 60, summaries: 0 } },
  ])
})

test.each([
  { silenceMinutes: 9, summaries: 5 },
  { silenceMinutes: 241, summaries: 5 },
  { silenceMinutes: 30, summaries: -1 },
  { silenceMinutes: 30, summaries: 11 },
  { silenceMinutes: 30.5, summaries: 5 },
  { silenceMinutes: 30 },
])('refuses %j and changes nothing', async (body) => {
  expect((await put(body)).status).toBe(400)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ timeZone: 'Europe/Vienna' })
  expect(recorded).toEqual([])
})
