import {
  ConversationExport,
  ImportSession,
  type Label,
  operatorLabel,
  type SessionId,
  Thread,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createArchive } from './archive.ts'
import { createHistory, type History } from './history.ts'
import { createPrivateConversations } from './private.ts'
import { noSummary, openTestHistory, type TestHistory } from './testing/test-history.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
const start = new Date('2026-03-01T12:00:00.000Z')
const actor = { kind: 'operator', id: 'desk' } as const
let testHistory: TestHistory
let history: History
beforeAll(async () => {
  testHistory = await openTestHistory()
})
afterAll(() => testHistory.close())
beforeEach(() => {
  testHistory.now = new Date(start.getTime() + 60_000)
  const { context } = testHistory
  const archive = createArchive({ context, summarise: noSummary })
  const redact = (text: string) => text.replaceAll('hunter22', '‹secret:key›')
  const privates = createPrivateConversations({
    context,
    stopRun: () => Promise.resolve(),
    forgetRequests: () => undefined,
  })
  history = createHistory({
    context,
    archive,
    privates,
    redact,
    toolNames: () => Promise.resolve(new Set(['read_file'])),
  })
})

const operator = () => testHistory.context.operator
const thread = async (session: SessionId, page: { before?: number; limit: number } = { limit: 50 }) =>
  Thread.parse(await history.thread(operator(), session, page))
const talk = () =>
  testHistory.seed({
    at: start,
    title: 'Boats',
    label: untrusted,
    agent: 'goal',
    goal: 'goal_1',
    turns: [
      {
        user: 'Look at the boats, the key is hunter22',
        calls: [{ headline: 'Fetch boats', summary: 'Fetched 2 kB', undoable: true }],
      },
      { agent: 'There are two.', label: untrusted },
      { user: 'Write them down', agent: 'May I?', calls: [{ headline: 'Write boats.txt', outcome: null }] },
    ],
  })

describe('the thread', () => {
  it('shows who said what and what was done, and not what only a model is told', async () => {
    const { session } = await talk()
    const seen = await thread(session)
    expect(
      seen.items.map((item) =>
        item.kind === 'message'
          ? [item.source, item.text]
          : ['did', item.headline, item.outcome, item.tier, item.undoable],
      ),
    ).toEqual([
      ['user', 'Look at the boats, the key is hunter22'],
      ['did', 'Fetch boats', 'ok', 1, true],
      ['agent', 'There are two.'],
      ['user', 'Write them down'],
      ['agent', 'May I?'],
      ['did', 'Write boats.txt', null, 1, false],
    ])
    expect(seen).toMatchObject({ title: 'Boats', origin: null, before: null })
  })

  it('comes in pages that leave nothing out, says how a run failed, and what is archived', async () => {
    const { session } = await testHistory.seed({
      at: start,
      turns: Array.from({ length: 5 }, (_, at) => ({ user: `q${at}`, agent: `a${at}` })),
    })
    await testHistory.seed({
      session,
      at: start,
      turns: [{ user: 'once more' }],
      error: 'The model failed: no key.',
    })
    await history.archive(operator(), session, actor)
    const texts: string[] = []
    let before: number | null | undefined
    do {
      const page = await thread(session, { limit: 4, ...(typeof before === 'number' ? { before } : {}) })
      texts.unshift(
        ...page.items.flatMap((item) => (item.kind === 'message' ? [`${item.source} ${item.text}`] : [])),
      )
      expect(page.items.every((item) => item.kind === 'activity' || item.archived)).toBe(true)
      before = page.before
    } while (before !== null)
    expect(texts).toEqual([
      ...Array.from({ length: 5 }, (_, at) => [`user q${at}`, `agent a${at}`]).flat(),
      'user once more',
      'error The model failed: no key.',
    ])
    await expect(thread(`ses_${'0'.repeat(32)}` as SessionId)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a fork', () => {
  it('has the words up to a message, their labels, and nothing that could be undone or asked', async () => {
    const { session } = await talk()
    const place = (await thread(session)).items.find(
      (item) => item.kind === 'message' && item.source === 'agent',
    )
    const made = await history.fork(operator(), session, { upTo: place?.position ?? 0 }, actor)
    expect(made).toMatchObject({ title: 'Fork of Boats', messages: 3, ledger: expect.any(Number) })
    const seen = await thread(made.session)
    expect(seen.origin).toMatchObject({ kind: 'fork', forkedFrom: session, upTo: place?.position })
    expect(seen.items.map((item) => (item.kind === 'message' ? item.text : 'did'))).toEqual([
      'Look at the boats, the key is hunter22',
      '[Fetch boats (done): Fetched 2 kB]',
      'There are two.',
    ])
    const rows = await testHistory.change(async ({ db }) => ({
      session: await db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', made.session)
        .executeTakeFirstOrThrow(),
      runs: await db.selectFrom('runs').selectAll().where('session_id', '=', made.session).execute(),
      calls: await db.selectFrom('calls').selectAll().where('session_id', '=', made.session).execute(),
      segments: await db.selectFrom('segments').selectAll().execute(),
    }))
    expect(rows.session).toMatchObject({ label: untrusted, active_run_id: null, archived_to: 0 })
    expect(rows.runs).toMatchObject([
      {
        state: 'stopped',
        reason: 'completed',
        kind: 'agent',
        agent: 'goal',
        goal: 'goal_1',
        label: untrusted,
      },
    ])
    expect(rows.calls).toEqual([])
    expect(rows.segments).toEqual([])
    expect((await thread(session)).items).toHaveLength(6)
  })

  it('of a run that is not over is worth what its calls brought in, though the session does not know it yet', async () => {
    const { session } = await testHistory.seed({
      at: start,
      state: 'parked',
      label: untrusted,
      turns: [{ user: 'Read it', calls: [{ headline: 'Fetch it', summary: 'Words of a stranger' }] }],
    })
    await testHistory.owner.within(operator(), ({ db }) =>
      db
        .updateTable('sessions')
        .set({ label: JSON.stringify(operatorLabel) })
        .where('id', '=', session)
        .execute(),
    )
    const made = await history.fork(operator(), session, {}, actor)
    const { label } = await testHistory.change(({ db }) =>
      db.selectFrom('sessions').select('label').where('id', '=', made.session).executeTakeFirstOrThrow(),
    )
    expect(label).toEqual(untrusted)
    const { messages } = await history.exported(operator(), session)
    expect(messages.map((each) => each.label.integrity)).toEqual(['operator', 'untrusted'])
  })

  it('goes on where it was taken: its words are as fresh as the fork, and what was archived stays so', async () => {
    const { session } = await talk()
    await history.archive(operator(), session, actor)
    await testHistory.seed({ session, at: start, turns: [{ user: 'New words' }] })
    testHistory.now = new Date(start.getTime() + 24 * 3_600_000)
    const made = await history.fork(operator(), session, { title: 'Mine' }, actor)
    expect(
      (await thread(made.session)).items.filter((item) => item.kind === 'message' && !item.archived),
    ).toMatchObject([{ text: 'New words' }])
    testHistory.says = 'I know of the boats.'
    const { run } = await testHistory.kernel.admit(operator(), {
      key: 'go on here',
      session: made.session,
      text: 'Go on',
      mode: 'auto',
      requester: actor,
    })
    await expect
      .poll(() =>
        testHistory.change(({ db }) =>
          db
            .selectFrom('runs')
            .select('state')
            .where('id', '=', run as never)
            .executeTakeFirst(),
        ),
      )
      .toEqual({ state: 'stopped' })
    expect((await thread(made.session)).items.at(-1)).toMatchObject({
      text: 'I know of the boats.',
      archived: false,
    })
  })

  it('refuses a place that the session does not have, and a session that is not there', async () => {
    const { session } = await talk()
    await expect(history.fork(operator(), session, { upTo: 999_999 }, actor)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      history.fork(operator(), `ses_${'0'.repeat(32)}` as SessionId, {}, actor),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('export and import', () => {
  it('carry words, labels and what was done, without secrets', async () => {
    const { session } = await talk()
    const file = ConversationExport.parse(
      JSON.parse(JSON.stringify(await history.exported(operator(), session))),
    )
    expect(JSON.stringify(file)).not.toContain('hunter22')
    expect(
      file.messages.map(({ role, label, activity }) => [role, label.integrity, activity.length]),
    ).toEqual([
      ['user', 'operator', 0],
      ['assistant', 'untrusted', 1],
      ['assistant', 'untrusted', 0],
      ['user', 'operator', 0],
      ['assistant', 'untrusted', 1],
    ])
    const made = await history.imported(operator(), ImportSession.parse({ conversation: file }), actor)
    expect(made).toMatchObject({ title: 'Boats', messages: 5 })
    const seen = await thread(made.session)
    expect(seen.origin).toMatchObject({ kind: 'import', forkedFrom: null })
    expect(seen.items.every((item) => item.kind === 'message')).toBe(true)
    const labels = () =>
      testHistory.change(async ({ db }) => [
        (
          await db
            .selectFrom('sessions')
            .select('label')
            .where('id', '=', made.session)
            .executeTakeFirstOrThrow()
        ).label,
        ...(
          await db.selectFrom('messages').select('label').where('session_id', '=', made.session).execute()
        ).map(({ label }) => label),
      ])
    for (const label of await labels()) {
      expect(label.integrity).toBe('untrusted')
      expect(label.sources).toContain('import')
    }
  })

  it('believe the operator who vouches for a file, and a file that says it is worth less', async () => {
    const { session } = await talk()
    const conversation = await history.exported(operator(), session)
    const made = await history.imported(operator(), { conversation, mine: true, title: 'Own' }, actor)
    const rows = await testHistory.change(({ db }) =>
      db
        .selectFrom('messages')
        .select('label')
        .where('session_id', '=', made.session)
        .orderBy('position')
        .execute(),
    )
    expect(rows.map(({ label }) => label.integrity)).toEqual([
      'operator',
      'untrusted',
      'untrusted',
      'operator',
      'untrusted',
    ])
    expect((await testHistory.ledger()).findLast(({ type }) => type === 'session.imported')?.data).toEqual({
      messages: 5,
      mine: true,
    })
  })

  it('refuse what does not fit the format to the letter, the future and an empty file', async () => {
    const { session } = await talk()
    const file = await history.exported(operator(), session)
    const [first, second] = file.messages
    for (const wrong of [
      { ...file, version: 2 },
      { ...file, calls: [] },
      { ...file, messages: [{ ...first, role: 'system' }] },
      { ...file, messages: [{ ...first, calls: [{ name: 'write_file', args: '{}' }] }] },
      { ...file, messages: [second, { ...first, at: '2020-01-01T00:00:00Z' }] },
      { ...file, messages: [{ ...first, label: { ...untrusted, sources: ['a\nb'] } }] },
      { ...file, session: { ...file.session, work: {} } },
    ]) {
      expect(
        ImportSession.safeParse({ conversation: wrong }).success,
        JSON.stringify(wrong).slice(0, 200),
      ).toBe(false)
    }
    const future = { ...file, messages: [{ ...first, at: '2030-01-01T00:00:00Z' }] } as ConversationExport
    for (const conversation of [future, { ...file, messages: [] }]) {
      await expect(history.imported(operator(), { conversation, mine: true }, actor)).rejects.toMatchObject({
        code: 'usage',
      })
    }
  })
})

describe('by hand', () => {
  it('names a session anew, with an entry, and refuses one that is not there', async () => {
    const { session } = await talk()
    await history.rename(operator(), session, 'Ships', actor)
    expect((await thread(session)).title).toBe('Ships')
    expect((await testHistory.ledger()).at(-1)).toMatchObject({
      type: 'session.renamed',
      data: { from: 'Boats', to: 'Ships' },
    })
    await expect(
      history.rename(operator(), `ses_${'0'.repeat(32)}` as SessionId, 'X', actor),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('archives, says when nothing is left, and refuses while a run waits', async () => {
    const { session } = await talk()
    expect(await history.archive(operator(), session, actor)).toMatchObject({
      messages: 5,
      episode: expect.stringMatching(/^epi_/),
    })
    expect(await history.archive(operator(), session, actor)).toMatchObject({ episode: null, messages: 0 })
    await testHistory.seed({ session, at: start, turns: [{ user: 'wait' }], state: 'parked' })
    await expect(history.archive(operator(), session, actor)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('finds today and not what ended before midnight', async () => {
    const { session } = await testHistory.seed({
      at: new Date('2026-02-28T20:00:00Z'),
      turns: [{ user: 'a lighthouse' }],
    })
    await history.archive(operator(), session, actor)
    const found = (timeframe: 'today' | 'last_week') =>
      history.search(operator(), { text: 'lighthouse', timeframe, limit: 5 })
    expect(await found('today')).toEqual([])
    expect(await found('last_week')).toMatchObject([{ session }])
  })
})
