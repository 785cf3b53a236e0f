import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunId, SessionId } from '@countersign/contract'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tablesHolding } from './tables-holding.ts'
import { verifierSays } from './verified-ledger.ts'

/** Stands in words, arguments, results and cards of the conversations, and nowhere else. */
const word = 'kittiwake'

// Each look goes through every table, and a gateway is started again.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let installation: Installation
let gateway: GatewayProcess
beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastResults, lastUser }) =>
      lastResults.length > 0
        ? { text: `Done with the ${word}.` }
        : {
            calls: [
              { name: 'write_file', args: { path: 'note.txt', content: 'for later' } },
              { name: 'remember', args: { content: `Likes the ${word}`, type: 'fact' } },
              { name: 'search_agent_history', args: { query: word } },
              ...(lastUser.includes('shell')
                ? [{ name: 'execute_shell', args: { command: `rm -rf ~/${word}` } }]
                : []),
            ],
          },
    environment: { COUNTERSIGN_AUTONOMY: 'low' },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

const send = (text: string, session: SessionId | null = null, isPrivate = session === null) =>
  gateway.client.send({
    key: crypto.randomUUID(),
    session,
    text,
    mode: 'auto',
    ...(isPrivate ? { private: true } : {}),
  })
const everywhere = () => tablesHolding(installation, word, { everywhere: true })
const lists = async () => (await gateway.client.sessions()).map(({ id }) => id)
async function gone(session: SessionId): Promise<void> {
  await expect.poll(lists, { timeout: 60_000 }).not.toContain(session)
}

async function ended(run: RunId | null) {
  for (;;) {
    const { run: view } = await settledRun(gateway.client, run ?? '', 'either')
    if (view.state === 'stopped') return view
    for (const waiting of await gateway.client.approvals({ state: 'pending' }))
      await approve(installation, gateway.client, waiting.id)
  }
}

const verified = async () =>
  verifierSays(installation, await new Response(await gateway.client.exportLedger()).text())

test('nothing of a private conversation is left anywhere, and the ledger says that something was done', async () => {
  const { session, run } = await send(`A shell for the ${word}`)
  await ended(run)
  await ended((await send(`And the ${word} again, in the shell`, session)).run)
  const detail = await gateway.client.session(session)
  expect(detail.session).toMatchObject({ private: true, title: 'Private conversation' })
  expect(detail.messages.map(({ text }) => text)).toContain(`Done with the ${word}.`)
  // While it goes on the ledger has no word of it either.
  expect(await everywhere()).not.toContain('ledger_entries')
  await gateway.client.removeSession(session)
  await gone(session)
  expect(await everywhere()).toEqual([])
  expect(JSON.stringify(await gateway.client.live())).not.toContain(word)
  expect(JSON.stringify(await gateway.client.modelTraces({}))).not.toContain(word)
  // The effect is the operator's own and stays, and so does the entry that says which tool was used.
  expect(readFileSync(join(installation.paths.workspace, 'note.txt'), 'utf8')).toBe('for later')
  const entries = await gateway.client.ledger({ q: `run:${run}`, limit: 100 })
  const types = entries.entries.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['effect.intended', 'effect.outcome', 'approval.decided']))
  expect(JSON.stringify(entries)).toContain('write_file')
  expect(await verified()).toContain('Ledger verified')
})

test('a private conversation has no tool that remembers or begins work elsewhere', async () => {
  const { session, run } = await send(`The ${word}`)
  await ended(run)
  const { calls } = await gateway.client.run(run ?? '')
  expect(calls.find(({ tool }) => tool === 'remember')?.outcome).not.toBe('ok')
  await gateway.client.removeSession(session)
  await gone(session)
})

test('is erased where the gateway was killed while it waited for its operator', async () => {
  const { session, run } = await send(`A shell for the ${word}`)
  await settledRun(gateway.client, run ?? '', 'parked')
  expect(await everywhere()).not.toEqual([])
  await gateway.kill()
  gateway = await installation.start()
  await gone(session)
  await expect.poll(everywhere, { timeout: 60_000 }).toEqual([])
  await expect(send('And now?', session)).rejects.toMatchObject({ code: 'conflict' })
  expect(await gateway.client.approvals({ state: 'pending' })).toEqual([])
  expect(await verified()).toContain('Ledger verified')
})

test('is private from its first message or never, and a conversation beside it is kept', async () => {
  const { session, run } = await send('Hello there', null, false)
  await ended(run)
  await expect(send('And now?', session, true)).rejects.toMatchObject({ code: 'usage' })
  await gateway.kill()
  gateway = await installation.start()
  expect(await lists()).toContain(session)
  expect(existsSync(join(installation.paths.workspace, 'note.txt'))).toBe(true)
})
