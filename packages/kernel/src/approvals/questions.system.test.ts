import { randomUUIDv7 } from 'node:crypto'
import type { QuestionId } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import {
  askQuestion,
  closeQuestion,
  openQuestions,
  type QuestionRow,
  settledChoices,
  unknownChoices,
  viewOfQuestion,
} from './questions.ts'

const actor = { kind: 'operator', id: 'desk' } as const
let store: MadeStore
let call: MadeCall

beforeAll(async () => {
  store = await openMadeStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
  store.clear()
})

type Put = { kind?: 'operator' | 'unknown'; text?: string; choices?: readonly string[] }
const put = (change: Put = {}, about = call) =>
  store.within(about.operator, (unit) =>
    askQuestion(
      unit,
      { ...about, kind: 'operator', text: 'Which?', choices: ['a', 'b'], ...change },
      randomUUIDv7,
    ),
  )
const row = (id: QuestionId, operator = call.operator): Promise<QuestionRow> =>
  store.read(operator, (db) =>
    db.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
const open = (run = call.run, operator = call.operator) =>
  store.read(operator, async (db) => (await openQuestions({ db }, run)).map(({ id }) => id))
const answer = async (id: QuestionId, words: string, seen?: QuestionRow) => {
  const question = seen ?? (await row(id))
  await store.within(call.operator, (unit) => closeQuestion(unit, question, words, actor))
}

describe('a question', () => {
  it('waits with its choices, and is shown as it was asked', async () => {
    const id = await put()
    expect(id).toMatch(/^q_[0-9a-f]{32}$/)
    expect(viewOfQuestion(await row(id))).toEqual({
      id,
      kind: 'operator',
      session: call.session,
      run: call.run,
      call: call.call,
      text: 'Which?',
      choices: ['a', 'b'],
      state: 'open',
      answer: null,
      createdAt: store.now.toISOString(),
    })
  })

  it('is recorded as asked by the run, and told with its whole text', async () => {
    const text = 'a'.repeat(499) + 'bc'
    const question = await put({ text })
    const { session, run, call: about } = call
    expect(store.entries).toEqual([
      {
        type: 'question.asked',
        actor: { kind: 'agent', id: run },
        session,
        run,
        call: about,
        data: { question, kind: 'operator', text: text.slice(0, 500) },
      },
    ])
    expect(store.events).toEqual([
      {
        type: 'question.asked',
        session,
        run,
        question,
        call: about,
        kind: 'operator',
        text,
        choices: ['a', 'b'],
      },
    ])
  })

  it('about an effect of unknown end is asked by the gateway', async () => {
    await put({ kind: 'unknown' })
    expect(store.entries).toMatchObject([{ actor: { kind: 'gateway', id: 'gateway' } }])
  })

  it('is stored without the character that the database cannot hold', async () => {
    const id = await put({ text: 'a\0b' })
    await answer(id, 'c\0d')
    expect(await row(id)).toMatchObject({ text: 'a\uFFFDb', answer: 'c\uFFFDd' })
  })
})

describe('the open questions of a run', () => {
  it('are those that nobody answered, in the order in which they were asked', async () => {
    const [first, second, third] = [await put(), await put(), await put()]
    expect(await open()).toEqual([first, second, third])
    await answer(second, 'a')
    expect(await open()).toEqual([first, third])
  })

  it('are not those of another run, nor of another operator', async () => {
    const other = await store.newCall(call.operator)
    await put()
    const theirs = await put({}, other)
    expect(await open(other.run)).toEqual([theirs])
    expect(await open(call.run, await store.newOperator())).toEqual([])
  })
})

describe('an answer', () => {
  it('closes the question, and is recorded and told', async () => {
    const [id, other] = [await put(), await put()]
    const words = 'a'.repeat(499) + 'bc'
    await answer(id, words)
    expect(await row(id)).toMatchObject({ state: 'answered', answer: words })
    expect(await row(other)).toMatchObject({ state: 'open', answer: null })
    const { session, run, call: about } = call
    expect(store.entries.at(-1)).toEqual({
      type: 'question.answered',
      actor,
      session,
      run,
      call: about,
      data: { question: id, answer: words.slice(0, 500) },
    })
    expect(store.events.at(-1)).toEqual({
      type: 'question.answered',
      session,
      run,
      question: id,
      answer: words,
    })
  })

  it('to a question of an agent is free', async () => {
    const id = await put()
    await answer(id, 'neither of them')
    expect(await row(id)).toMatchObject({ state: 'answered' })
  })

  it.each(unknownChoices)('to an effect of unknown end may be “%s”', async (choice) => {
    const id = await put({ kind: 'unknown', choices: unknownChoices })
    await answer(id, choice)
    expect(await row(id)).toMatchObject({ state: 'answered', answer: choice })
  })

  it('to an effect of unknown end is one of three, and any other is refused', async () => {
    expect(unknownChoices).toEqual(['done', 'not done', 'try again'])
    const id = await put({ kind: 'unknown', choices: unknownChoices })
    await expect(answer(id, 'perhaps')).rejects.toMatchObject({ code: 'usage' })
    expect(await row(id)).toMatchObject({ state: 'open', answer: null })
  })

  it('to an effect of unknown end whose run is over lets nobody try it again', async () => {
    const id = await put({ kind: 'unknown', choices: settledChoices })
    await expect(answer(id, 'try again')).rejects.toMatchObject({ code: 'usage' })
    await answer(id, 'done')
    expect(await row(id)).toMatchObject({ state: 'answered', answer: 'done' })
  })

  it('is given once: whoever saw the question open and came later is refused', async () => {
    const id = await put()
    const seen = await row(id)
    await answer(id, 'a')
    await expect(answer(id, 'b', seen)).rejects.toMatchObject({ code: 'conflict' })
    expect(await row(id)).toMatchObject({ answer: 'a' })
  })

  it('is not given to the question of another operator', async () => {
    const theirs = await store.newCall(await store.newOperator())
    const id = await put({}, theirs)
    const seen = await row(id, theirs.operator)
    await expect(answer(id, 'a', seen)).rejects.toMatchObject({ code: 'conflict' })
    expect(await row(id, theirs.operator)).toMatchObject({ state: 'open' })
  })
})
