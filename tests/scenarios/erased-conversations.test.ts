import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tablesHolding } from './tables-holding.ts'
import { verifierSays } from './verified-ledger.ts'

/** Stands in words, arguments, results and cards of the conversation, and nowhere else. */
const word = 'zanzibar'

let installation: Installation
let gateway: GatewayProcess
beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastResults, lastUser }) =>
      lastResults.length > 0 || !lastUser.includes(word)
        ? { text: `Done with ${lastUser}.` }
        : {
            calls: [
              { name: 'write_file', args: { path: `${word}.txt`, content: `about ${word}` } },
              { name: 'execute_shell', args: { command: `echo ${word} > /tmp/${word}; rm -rf ~/${word}` } },
              { name: 'search_agent_history', args: { query: word } },
            ],
          },
    environment: { COUNTERSIGN_AUTONOMY: 'low' },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

async function talk(session: string | null, text: string) {
  const key = crypto.randomUUID()
  const sent = await gateway.client.send({ key, session: session as never, text, mode: 'auto' })
  for (;;) {
    const { run } = await settledRun(gateway.client, sent.run ?? '', 'either')
    if (run.state === 'stopped') return sent.session
    for (const waiting of await gateway.client.approvals())
      await approve(installation, gateway.client, waiting.id)
  }
}

const holding = () => tablesHolding(installation, word)
const ledger = async () => new Response(await gateway.client.exportLedger()).text()

const verified = async () => verifierSays(installation, await ledger())

test('nothing of a deleted conversation is left but what the ledger says, which stays whole', async () => {
  const session = await talk(null, `Tell me of ${word}`)
  expect(await holding()).toEqual(expect.arrayContaining(['calls', 'events', 'inputs', 'messages']))
  const { statistics } = await gateway.client.session(session)
  expect(statistics).toMatchObject({ messages: 3, runs: 1, calls: 3 })
  expect(statistics.inputTokens).toBeGreaterThan(0)
  await gateway.client.removeSession(session)
  // The file itself is the operator's, and what is known of files names it.
  expect((await holding()).filter((name) => !['file_labels', 'own_paths'].includes(name))).toEqual([])
  // As the person is told who deletes it.
  expect(await ledger()).toContain(word)
  expect(await verified()).toContain('Ledger verified')
  expect((await gateway.client.sessions()).map(({ id }) => id)).not.toContain(session)
})

test('a cleared conversation goes on, without a word of what was before', async () => {
  const session = await talk(null, `Tell me of ${word}`)
  await gateway.client.markSession(session, { metadata: { client: 'Ana', project: 'boat' } })
  await gateway.client.markSession(session, { metadata: { client: null } })
  expect((await gateway.client.clearSession(session)).messages).toBe(3)
  expect((await gateway.client.thread(session)).items).toEqual([])
  const asked = installation.model.requests.length
  await talk(session, 'And now?')
  expect(JSON.stringify(installation.model.requests.slice(asked))).not.toContain(word)
  const detail = await gateway.client.session(session)
  expect(detail.messages.map(({ text }) => text)).toEqual(['And now?', 'Done with And now?.'])
  expect(detail.session.metadata).toEqual({ project: 'boat' })
  expect(await verified()).toContain('Ledger verified')
})
