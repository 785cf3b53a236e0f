import {
  type CallId,
  type Label,
  type RunId,
  type SessionId,
  type ToolCatalogue,
  type UnaskedId,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { catalogue, openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
/** What the model sends once it has read a stranger's words. */
let wants: readonly Record<string, string>[] = []
let kinds: string[] | null = []

const tools: ToolCatalogue = {
  ...catalogue,
  find: (name) => {
    const found = catalogue.find(name)
    return found && name === 'look' ? { ...found, output: stranger } : found
  },
}

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages, tools: offered }) => {
    if (offered.some(({ name }) => name === 'asked_for'))
      return { calls: [{ name: 'asked_for', args: { items: [], kinds } }] }
    const last = messages.at(-1)
    if (last?.role !== 'tool') return { calls: [{ name: 'look', args: {} }] }
    return messages.filter(({ role }) => role === 'assistant').at(-1) !== undefined && !hasSent(messages)
      ? { calls: wants.map((args) => ({ name: 'send', args })) }
      : { text: 'done' }
  })
  testKernel.tools = tools
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  wants = [{ to: 'b', words: 'x' }]
  kinds = []
  testKernel.permits.length = 0
})

/** Of this run: the message that it answers is the last of the user's. */
function hasSent(messages: readonly { readonly role: string }[]): boolean {
  const from = messages.findLastIndex(({ role }) => role === 'user')
  return JSON.stringify(messages.slice(from)).includes('"send"')
}

async function attacked() {
  const { run, session } = await testKernel.say('Sum up the page.')
  const { calls } = await testKernel.settled(run)
  const [row] = (await rows()).filter((each) => each.session === session)
  return { run, session: session as SessionId, calls: calls.filter(({ tool }) => tool === 'send'), row }
}

const rows = () => testKernel.kernel.unasked(testKernel.kernel.operator)
const letAsk = (id: UnaskedId, call: CallId) =>
  testKernel.kernel.letAsk(testKernel.kernel.operator, { id, call }, actor)
const labelOf = (run: RunId) =>
  testKernel.kernel.readOnly(testKernel.kernel.operator, (db) =>
    db.selectFrom('runs').select(['label', 'kind']).where('id', '=', run).executeTakeFirstOrThrow(),
  )

test('a held call is proposed again to the byte, with the label of its run, and asks', async () => {
  const { run, session, calls, row } = await attacked()
  expect(calls.map(({ outcome }) => outcome)).toEqual(['held'])
  expect(row?.count).toBe(1)
  const [held] = row?.calls ?? []
  if (!row || !held) throw new Error('nothing was held')
  expect(held).toMatchObject({ run, tool: 'send', call: calls[0]?.id })

  const again = await letAsk(row.id, held.call)
  expect(again.session).toBe(session)
  const { calls: asked } = await testKernel.settled(again.run, 'parked')
  expect(asked.map(({ tool, args, state }) => [tool, args, state])).toEqual([
    ['send', calls[0]?.args, 'asked'],
  ])
  expect(testKernel.permits.filter(({ subject }) => subject.tool.name === 'send')).toEqual([])
  const { label, kind } = await labelOf(again.run)
  expect([kind, label.integrity]).toEqual(['unasked', 'untrusted'])
  expect(await rows()).toEqual([])

  const approval = asked[0]?.approval
  await testKernel.approve(approval ?? '')
  const { run: ended } = await testKernel.settled(again.run)
  expect(ended.reason).toBe('completed')
  const sent = testKernel.permits.map(({ subject }) => subject).filter(({ tool }) => tool.name === 'send')
  expect(sent.map(({ args, approval: by }) => [args, by])).toEqual([[calls[0]?.args, approval]])
})

test('it is let be asked once, out of its own row, and not while another run works', async () => {
  wants = [
    { to: 'b', words: 'x' },
    { to: 'c', words: 'y' },
  ]
  const { calls, row } = await attacked()
  const other = await attacked()
  const [first, second] = calls
  if (!row || !other.row || !first || !second) throw new Error('nothing was held')
  await expect(letAsk(other.row.id, first.id)).rejects.toMatchObject({ code: 'not_found' })
  const again = await letAsk(row.id, first.id)
  await expect(letAsk(row.id, first.id)).rejects.toMatchObject({ code: 'not_found' })
  await testKernel.settled(again.run, 'parked')
  await expect(letAsk(row.id, second.id)).rejects.toMatchObject({ code: 'conflict' })
  const left = (await rows()).find(({ id }) => id === row.id)
  expect(left).toMatchObject({ count: 1, calls: [{ call: second.id }] })
  await testKernel.kernel.stopRun(testKernel.kernel.operator, again.run, actor)
  await testKernel.settled(again.run)
  expect(testKernel.permits.filter(({ subject }) => subject.tool.name === 'send')).toEqual([])
})

test('words that are said while it waits are heard after it, and take nothing from it', async () => {
  const { session, calls, row } = await attacked()
  if (!row || !calls[0]) throw new Error('nothing was held')
  const again = await letAsk(row.id, calls[0].id)
  const { calls: asked } = await testKernel.settled(again.run, 'parked')
  const { kernel } = testKernel
  const requester = { kind: 'operator' as const, id: 'desk' }
  const said = await kernel.admit(kernel.operator, { key: 'x', session, text: 'X', mode: 'auto', requester })
  expect(said.run).toBeNull()
  await testKernel.approve(asked[0]?.approval ?? '')
  const { run: ended } = await testKernel.settled(again.run)
  expect(ended.reason).toBe('completed')
})

test('a row that was put away lets nothing be asked', async () => {
  const { calls, row } = await attacked()
  if (!row || !calls[0]) throw new Error('nothing was held')
  await testKernel.kernel.dismissUnasked(testKernel.kernel.operator, row.id, actor)
  await expect(letAsk(row.id, calls[0].id)).rejects.toMatchObject({ code: 'not_found' })
})

test('what the words asked for, or could not be read for, asks as before', async () => {
  for (const known of [['send'], null]) {
    kinds = known
    const { run } = await testKernel.say('Write to b.')
    const { calls } = await testKernel.settled(run, 'parked')
    expect(calls.filter(({ tool }) => tool === 'send').map(({ state }) => state)).toEqual(['asked'])
    await testKernel.kernel.stopRun(testKernel.kernel.operator, run, actor)
    await testKernel.settled(run)
  }
})

test('what is taken out of reach meanwhile cannot be let be asked', async () => {
  const { calls, row } = await attacked()
  if (!row || !calls[0]) throw new Error('nothing was held')
  const { find } = testKernel.tools
  testKernel.tools = { ...tools, find: (name) => (name === 'send' ? undefined : find(name)) }
  await testKernel.reopen()
  await expect(letAsk(row.id, calls[0].id)).rejects.toMatchObject({ code: 'conflict' })
  testKernel.tools = tools
  await testKernel.reopen()
})
