import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContext, type OptionValues } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import {
  type FakeGoals,
  fakeGoals,
  goalCard,
  goalId,
  goalView,
  stepView,
  taskView,
} from '../testing/goals.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { goalRows } from './rows/goal.ts'
import { taskRows } from './rows/task.ts'

const entry = (id: string, text: string) => ({
  id,
  text,
  at: '2026-08-01T11:00:00.000Z',
  by: 'operator',
  label: null,
})

let home: TestHome
let fake: FakeGoals
beforeEach(() => {
  home = testHome()
  fake = fakeGoals()
})
afterEach(() => home.remove())

const client = () => fakeClient((request) => fake.answer(request))

async function command(name: string, args: string[] = [], options: OptionValues = {}, columns?: number) {
  const row = [...goalRows, ...taskRows].find((each) => each.name === name)
  if (!row) throw new Error(`no ${name}`)
  const host = testHost({
    home,
    clock: () => new Date('2026-08-01T12:00:00Z'),
    ...(columns === undefined ? {} : { columns }),
  })
  const flags = { ...usualFlags, plain: true }
  const context = {
    ...createContext(host, flags),
    gateway: () => Promise.resolve({ client: client() } as never),
  }
  try {
    return written(await (await row.load())(context, args, options), false)
  } catch (error) {
    return written(failed(await failureOf(error)), false)
  }
}
const text = async (name: string, args: string[] = [], options: OptionValues = {}, columns?: number) => {
  const { output, errors } = await command(name, args, options, columns)
  return `${output}${errors}`
}
const sent = () => fake.asked.filter(({ method }) => method !== 'GET').at(-1)

describe('goal list and goal board', () => {
  it('say what to do while there is none', async () => {
    expect(await text('goal list')).toContain('countersign goal add')
    expect(await text('goal board')).toContain('No goal yet.')
    expect(await text('goal list', [], { status: 'paused' })).toContain('No goal is paused.')
    expect(await text('task list')).toContain('No task yet.')
  })

  it('show the tree, wide and narrow', async () => {
    fake.cards = [
      goalCard(goalView(2, 'Find a teacher', { parentId: goalId(1), due: '2026-07-01', overdue: true })),
      goalCard(goalView(1, 'Learn Danish', { priority: 7, progress: 40 })),
    ]
    expect(await text('goal list')).toMatchInlineSnapshot(`
      "Goal              Id        State   Priority  Done  Due
      Learn Danish      00000001  active  7         40 %
        Find a teacher  00000002  active  5         0 %   2026-07-01, overdue
      "
    `)
    const narrow = await text('goal list', [], {}, 50)
    for (const each of narrow.split('\n')) expect(each.length).toBeLessThanOrEqual(50)
  })

  it('put what waits for you where you see it, with the command that answers it', async () => {
    fake.cards = [
      goalCard(goalView(1, 'Travel', { due: '2026-09-01' }), {
        column: 'waiting-on-you',
        nextStep: 'Book a hotel',
        asks: [
          {
            kind: 'approval',
            ref: 'K7Q2',
            text: 'Send mail to \u001b[31mhotel',
            run: idFrom('run', randomUUIDv7()),
          },
        ],
        agentsRunning: 1,
        tierMax: 2,
        spentTodayUsd: 0.12,
        moneyPerDayUsd: 1,
      }),
      goalCard(goalView(2, 'Books', { status: 'paused' }), { column: 'paused', heldBy: 'Office' }),
      goalCard(goalView(3, 'Hangs'), { stuckSince: '2026-08-01T11:00:00.000Z' }),
    ]
    expect(await text('goal board')).toMatchInlineSnapshot(`
      "Active (1)
        Hangs
          0 % · priority 5
          It has made no progress since 11:00. See \`countersign run list\`, or pause it with \`countersign goal pause 00000003\`.

      Waiting on you (1)
        Travel
          0 % · priority 5 · due 2026-09-01 · 1 at work · up to “Crosses a boundary” · $0.12 of $1.00
          Next: Book a hotel
          Needs your approval: Send mail to ⟨U+001B⟩[31mhotel  \`countersign approval show K7Q2\`

      Waiting on world (0)

      Paused (1)
        Books
          0 % · priority 5
          Held by “Office”.

      Done (0)
      "
    `)
  })

  it('refuse a state that there is not', async () => {
    expect(await command('goal list', [], { status: 'open' })).toMatchObject({ exit: 2 })
    expect(await command('task list', [], { status: 'open' })).toMatchObject({ exit: 2 })
  })
})

describe('goal add and goal set', () => {
  it('send the limits as they were meant', async () => {
    const options = {
      brief: 'Every month.',
      priority: '8',
      tools: 'read_file, group:notes',
      hosts: 'none',
      folders: 'books',
      money: '$0.50',
      tierMax: 'T1',
      quietHours: '22:00-07:00',
    }
    expect(await text('goal add', ['Bookkeeping'], options)).toContain('Added “Bookkeeping”')
    expect(sent()?.body).toEqual({
      title: 'Bookkeeping',
      description: 'Every month.',
      priority: 8,
      limits: {
        tools: ['read_file', 'group:notes'],
        hosts: [],
        folders: ['books'],
        moneyPerDayUsd: 0.5,
        tierMax: 1,
        quietHours: { from: '22:00', to: '07:00', zone: 'UTC' },
      },
    })
    await text('goal set', ['bookk'], { hosts: 'any', money: 'any', due: 'none', parent: 'none' })
    expect(sent()).toMatchObject({
      method: 'PUT',
      path: `/v1/goals/${goalId(1)}`,
      body: { due: null, parentId: null, limits: { hosts: null, moneyPerDayUsd: null } },
    })
  })

  it.each([
    [{ priority: '11' }, 'from 1 to 10'],
    [{ tierMax: '5' }, 'from 0 to 4'],
    [{ money: 'much' }, 'not an amount'],
    [{ quietHours: 'night' }, 'takes hours such as'],
    [{ status: 'open' }, '--status is one of'],
    [{ progress: '101' }, 'from 0 to 100'],
    [{ parent: 'Nowhere' }, 'no goal Nowhere'],
    [{ stepDone: '9' }, 'no step 9'],
    [{}, 'Say what to change'],
  ])('refuse %j with a sentence', async (options, words) => {
    fake.cards = [goalCard(goalView(1, 'Travel'))]
    const { exit, errors } = await command('goal set', ['Travel'], options)
    expect(exit).toBe(2)
    expect(errors).toContain(words)
    expect(sent()).toBeUndefined()
  })

  it('add a note, a learning and a step, and mark one as done by its number', async () => {
    fake.cards = [goalCard(goalView(1, 'Travel'))]
    fake.steps = [stepView('step_a', 'Passport'), stepView('step_b', 'Hotel')]
    expect(
      await text('goal set', ['Travel'], { note: 'Asked.', learning: 'Closed on Monday.', step: 'Train' }),
    ).toContain('Ledger #8')
    await text('goal set', ['Travel'], { stepDone: '2' })
    expect(sent()).toMatchObject({
      path: `/v1/goals/${goalId(1)}/steps/step_b`,
      body: { status: 'completed' },
    })
  })

  it('remove a step, a note and a learning by their numbers', async () => {
    const notes = [entry('note_a', 'Asked.'), entry('note_b', 'Called.')]
    fake.cards = [goalCard(goalView(1, 'Travel', { notes, learnings: [entry('learning_a', 'Closed.')] }))]
    fake.steps = [stepView('step_a', 'Passport'), stepView('step_b', 'Hotel')]
    const removed = () => `${sent()?.method} ${sent()?.path.split('/').slice(-2).join('/')}`
    expect(await text('goal set', ['Travel'], { removeStep: '2' })).toContain('Removed the step “Hotel”.')
    expect(removed()).toBe('DELETE steps/step_b')
    expect(await text('goal set', ['Travel'], { removeNote: '1' })).toContain('Removed the note “Called.”.')
    expect(removed()).toBe('DELETE notes/note_b')
    await text('goal set', ['Travel'], { removeLearning: '1' })
    expect(removed()).toBe('DELETE learnings/learning_a')
    expect(await command('goal set', ['Travel'], { removeNote: '3' })).toMatchObject({ exit: 2 })
  })

  it('find a goal by its title, unless two could be meant', async () => {
    fake.cards = [goalCard(goalView(1, 'Travel')), goalCard(goalView(2, 'Travel light'))]
    expect(await text('goal pause', ['travel'])).toContain('“Travel” and 2 under it is paused')
    expect(await command('goal pause', ['trav'])).toMatchObject({ exit: 2 })
    expect(await command('goal pause', ['Nothing'])).toMatchObject({
      exit: 3,
      errors: expect.stringContaining('goal list --all'),
    })
  })
})

describe('the states of a goal', () => {
  it('say when another pause still holds it', async () => {
    fake.cards = [goalCard(goalView(1, 'Travel'), { heldBy: 'Year' })]
    expect(await text('goal resume', ['Travel'])).toContain('still held by “Year”')
    fake.cards = [goalCard(goalView(1, 'Travel'))]
    expect(await text('goal resume', ['Travel'])).toBe('“Travel” goes on.  Ledger #7\n')
    expect(await text('goal done', ['Travel'])).toBe('“Travel” is done.  Ledger #7\n')
  })

  it('remove only what was confirmed', async () => {
    fake.cards = [goalCard(goalView(1, 'Travel'))]
    expect(await command('goal rm', ['Travel'])).toMatchObject({
      exit: 2,
      errors: expect.stringContaining('--status archived'),
    })
    expect(sent()).toBeUndefined()
    await command('goal rm', ['Travel'], { yes: true })
    expect(sent()).toMatchObject({ method: 'DELETE' })
  })
})

describe('goal show and task show', () => {
  it('tell everything that belongs to it', async () => {
    fake.cards = [
      goalCard(
        goalView(1, 'Travel', {
          description: 'To Japan.',
          progress: 50,
          limits: { tierMax: 1, hosts: [] },
          learnings: [
            { id: 'e', text: 'Closed on Monday.', at: '2026-08-01T11:30:00.000Z', by: 'goal', label: null },
          ],
        }),
        { path: ['Year'], spentTodayUsd: 0.5 },
      ),
    ]
    fake.steps = [
      stepView('step_a', 'Passport', { status: 'completed' }),
      stepView('step_b', 'Hotel', { ready: false }),
    ]
    fake.tasks = [taskView('atask_1', { status: 'paused', nextRetryAt: '2026-08-01T12:00:20.000Z' })]
    expect(await text('goal show', ['Travel'])).toMatchInlineSnapshot(`
      "Year › Travel
      Id            goal_00000000000000000000000000000001
      State         active
      Done          [#####-----] 50 %
      Priority      5 of 10
      Spent today   $0.50
      Conversation  ses_1

      To Japan.

      Limits
        Hosts  none
        Tier   up to “Undoable”

      Steps
        [x]  1.  Passport                   step_a
        [ ]  2.  Hotel  (waits for others)  step_b

      Tasks of agents
        atask_1  paused, tried again in 20 s (attempt 2)  Hotels

      Learnings
        1  30 min ago, goal
           Closed on Monday.
      "
    `)
  })

  it('show a task with its result, harmless, and how to try it again', async () => {
    fake.tasks = [taskView('atask_1', { status: 'failed', problem: 'no network', result: 'half\u202e' })]
    const shown = await text('task show', ['atask_1'])
    for (const part of ['no network', 'Find three hotels.', 'half', 'countersign task retry atask_1'])
      expect(shown).toContain(part)
    expect(shown).not.toContain('\u202e')
    expect(await text('task list')).toContain('atask_1')
    expect(await text('task retry', ['atask_1'])).toContain('attempt 2')
    expect(await text('task cancel', ['atask_1'])).toContain('Finished calls are not undone.')
    expect(await command('task show', ['atask_2'])).toMatchObject({ exit: 3 })
  })

  it('look after work at once, and tell what was found, mended and not done', async () => {
    expect(await text('task inspect')).toBe('Nothing is stuck.\n')
    fake.inspection = {
      ...fake.inspection,
      findings: [{ kind: 'run_stuck', id: 'run_1', seen: 'Nothing came\u202e.', done: 'It was stopped.' }],
      problems: ['old tasks: no database'],
    }
    const told = await text('task inspect')
    for (const part of ['run_1', 'It was stopped.', 'Not done  old tasks', 'ledger query type:health'])
      expect(told).toContain(part)
    expect(told).not.toContain('\u202e')
  })
})

it('has examples and help for every command', () => {
  for (const row of [...goalRows, ...taskRows]) {
    expect(row.examples.length, row.name).toBeGreaterThan(0)
    for (const example of row.examples) expect(example).toContain(`countersign ${row.name}`)
  }
})
