import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shortId } from '../short-id.ts'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { budgetView, costLine } from '../testing/models.ts'
import { newId } from '../testing/records.ts'

let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench('2026-08-05T12:00:00.000Z')
})
afterEach(() => bench.close())

const asked = () => bench.gateway.models.asked.at(-1)
const textOf = async (argv: string[], columns?: number) =>
  (await bench.command(argv, columns === undefined ? {} : { columns })).text

function spend(): void {
  bench.gateway.models.costs = ({ from }) => {
    const today = from === '2026-08-05T00:00:00.000Z'
    return {
      total: costLine('', today ? 0.42 : 12.3, { calls: 31, undelivered: 2 }),
      beforeUsd: today ? 0.375 : 17.6,
      unattendedUsd: 0.05,
      reservedUsd: 0.02,
      estimatedUsd: 0.0042,
      adjustedUsd: -0.2,
      usdPerOutcome: 0.0123,
      cacheHitRate: 0.413,
      lines: [
        costLine('anthropic/large-1', 11.2, { cached: 90_000, undelivered: 2 }),
        costLine('openai/small', 1.1),
        costLine('ollama/qwen3:8b', 0),
      ],
    }
  }
}

describe('cost show', () => {
  it('says that nothing can spend, while that is so', async () => {
    expect(await textOf(['cost', 'show'])).toMatchInlineSnapshot(`
      "$0.00: nothing can spend while unattended.
      Start with \`countersign chat\`; see the limits with \`countersign cost budget\`.
      "
    `)
    bench.gateway.models.budgets = [
      budgetView({ name: 'unattended:month', scope: 'unattended', limitUsd: 2 }),
      budgetView({ name: 'unattended:day', scope: 'unattended', limitUsd: 1, period: 'day' }),
    ]
    expect(await textOf(['cost', 'show'])).toMatchInlineSnapshot(`
      "$0.00: nothing was spent. Unattended work may spend up to $1.00.
      Start with \`countersign chat\`; see the limits with \`countersign cost budget\`.
      "
    `)
  })

  it('shows four numbers, a chart and a table', async () => {
    spend()
    expect(await textOf(['cost', 'show'], 80)).toMatchInlineSnapshot(`
      "Today        $0.42   12 % more than before
      This month   $12.30  30 % less than before
      Unattended   $0.05   this month
      Per outcome  $0.01   per completed run, this month
      $0.02 is reserved for running calls.
      <$0.01 is estimated, because the provider reported no usage.
      -$0.20 was corrected from the bill.
      2 calls got no reply; they still count.
      41 % of the input came from the cache.

      This month: $12.30 by model
        anthropic/large-1  ██████████████████████████████  $11.20
        openai/small       ███                             $1.10
        ollama/qwen3:8b                                    $0.00

      Model              Calls  No reply  In    Cached  Out  $
      anthropic/large-1  10     2         120k  90k     4k   $11.20
      openai/small       10               120k  0       4k   $1.10
      ollama/qwen3:8b    10               120k  0       4k   $0.00
      "
    `)
    expect(await textOf(['cost', 'show', '--plain'], 60)).toMatchInlineSnapshot(`
      "Today        $0.42   12 % more than before
      This month   $12.30  30 % less than before
      Unattended   $0.05   this month
      Per outcome  $0.01   per completed run, this month
      $0.02 is reserved for running calls.
      <$0.01 is estimated, because the provider reported no usage.
      -$0.20 was corrected from the bill.
      2 calls got no reply; they still count.
      41 % of the input came from the cache.

      This month: $12.30 by model
        anthropic/large-1  ##############################  $11.20
        openai/small       ###                             $1.10
        ollama/qwen3:8b                                    $0.00

      anthropic/large-1
        Calls     10
        No reply  2
        In        120k
        Cached    90k
        Out       4k
        $         $11.20

      openai/small
        Calls   10
        In      120k
        Cached  0
        Out     4k
        $       $1.10

      ollama/qwen3:8b
        Calls   10
        In      120k
        Cached  0
        Out     4k
        $       $0.00
      "
    `)
    expect(await bench.document(['cost', 'show'])).toMatchObject({
      ok: true,
      today: { usd: 0.42, beforeUsd: 0.375 },
      month: { usd: 12.3 },
      report: { usdPerOutcome: 0.0123 },
    })
  })

  it('says that unattended work is held, and how to let it go on', async () => {
    bench.gateway.models.costs = () => ({
      total: costLine('', 1),
      lines: [costLine('a/b', 1)],
      guard: { at: '2026-08-05T11:02:00Z', reason: 'it spent 4 times as much as usual' },
    })
    expect(await textOf(['cost', 'show', '--today'])).toMatchInlineSnapshot(`
      "Today        $1.00     nothing before
      This month   $1.00     nothing before
      Unattended   $0.00     today
      Per outcome  none yet
      ⚠ Unattended work is on hold since 11:02: it spent 4 times as much as usual. Resume it with \`countersign cost resume\`.

      Today: $1.00 by model
        a/b  ██████████████████████████████  $1.00

      Model  Calls  In    Cached  Out  $
      a/b    10     120k  0       4k   $1.00
      "
    `)
  })

  it.each<[string[], Record<string, string>]>([
    [['--today'], { from: '2026-08-05T00:00:00.000Z', to: '2026-08-05T12:00:00.000Z', by: 'model' }],
    [['--week'], { from: '2026-08-03T00:00:00.000Z', to: '2026-08-05T12:00:00.000Z', by: 'model' }],
    [
      ['--by', 'day', '--from', '2026-07-01', '--to', '2026-07-31'],
      { from: '2026-07-01T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z', by: 'day' },
    ],
  ])('asks for the time of %j', async (argv, query) => {
    spend()
    await bench.command(['cost', 'show', ...argv])
    expect(bench.gateway.models.asked.map((each) => each.query)).toContainEqual(query)
  })

  it.each([
    ['an unknown group', ['--by', 'mood'], '--by is one of model'],
    ['two times', ['--today', '--week'], 'Give one period'],
    ['a time and a date', ['--today', '--from', '2026-07-01'], 'Give one period'],
    ['no date', ['--from', 'monday'], 'dates such as'],
    ['an end before the beginning', ['--from', '2026-08-02', '--to', '2026-07-01'], 'lies before'],
  ])('refuses %s', async (_what, argv, words) => {
    const { exit, complaints } = await bench.command(['cost', 'show', ...argv])
    expect([exit, complaints]).toEqual([2, expect.stringContaining(words)])
    expect(bench.gateway.models.asked).toEqual([])
  })
})

describe('cost top', () => {
  it('says that there is none, or lists the most expensive with a hint', async () => {
    expect(await textOf(['cost', 'top', '--week'])).toMatchInlineSnapshot(`
      "No run spent anything this week. Choose another period with --from 2026-01-01.
      "
    `)
    const run = newId('run')
    bench.gateway.models.costlyRuns = [
      {
        run,
        title: 'File the receipts',
        startedAt: '2026-08-04T09:00:00Z',
        unattended: true,
        turns: 31,
        calls: 40,
        usd: 4.2,
        hint: 'The same 80k tokens went in 31 times.',
      },
    ]
    expect(
      (await textOf(['cost', 'top', '--limit', '3'])).replaceAll(shortId(run), 'RUN 5678'),
    ).toMatchInlineSnapshot(`
      "Run       $      Started          Work                Who         What               Why so much
      RUN 5678  $4.20  yesterday 09:00  31 turns, 40 calls  unattended  File the receipts  The same 80k tokens went in 31 times.

      See what one did with \`countersign run show <run>\`.
      "
    `)
    expect(asked()?.query).toMatchObject({ limit: '3' })
    expect((await textOf(['cost', 'top'], 60)).replaceAll(shortId(run), 'RUN 5678')).toMatchInlineSnapshot(`
      "RUN 5678
        $            $4.20
        Started      yesterday 09:00
        Work         31 turns, 40 calls
        Who          unattended
        What         File the receipts
        Why so much  The same 80k tokens went in 31 times.

      See what one did with \`countersign run show <run>\`.
      "
    `)
    expect((await bench.document(['cost', 'top']))['runs']).toHaveLength(1)
    expect((await bench.command(['cost', 'top', '--limit', 'all'])).exit).toBe(2)
  })
})

describe('cost idle', () => {
  it('says that nothing was spent, or on what', async () => {
    expect(await textOf(['cost', 'idle'])).toMatchInlineSnapshot(`
      "$0.00: nothing was spent this month more than a day after your last message.
      "
    `)
    bench.gateway.models.idle = {
      usd: 0.31,
      calls: 12,
      lines: [costLine('schedule/brief', 0.31, { calls: 12 })],
    }
    expect(await textOf(['cost', 'idle', '--week'])).toMatchInlineSnapshot(`
      "$0.31 this week in 12 calls, more than a day after your last message.

      What            Calls  In    Cached  Out  $
      schedule/brief  12     120k  0       4k   $0.31

      Limit it with \`countersign cost budget set unattended 1 --per month\`.
      "
    `)
    expect(await bench.document(['cost', 'idle'])).toMatchObject({ usd: 0.31, calls: 12 })
  })
})

describe('cost budget', () => {
  it('says that there is none, or lists them', async () => {
    expect(await textOf(['cost', 'budget'])).toMatchInlineSnapshot(`
      "No budget yet. Set one with \`countersign cost budget set global 20 --per month\`.
      "
    `)
    bench.gateway.models.budgets = [
      budgetView({
        name: 'global:month',
        scope: 'global',
        limitUsd: 20,
        extraUsd: 5,
        spentUsd: 12.3,
        reservedUsd: 0.5,
        startsAgainAt: '2026-09-01T00:00:00Z',
      }),
      budgetView({ name: 'unattended:month', scope: 'unattended', limitUsd: 0, builtIn: true }),
      budgetView({
        name: 'run',
        scope: 'run',
        limitUsd: 0.5,
        period: 'ever',
        spentUsd: null,
        reservedUsd: null,
      }),
      budgetView({
        name: 'goal:day',
        scope: 'goal',
        limitUsd: 1,
        period: 'day',
        hard: false,
        spentUsd: null,
      }),
    ]
    expect(await textOf(['cost', 'budget', 'list'])).toMatchInlineSnapshot(`
      "Budget            Limit                      Spent   Left    At the limit  Starts again      Set
      global:month      $20.00 + $5.00 a month     $12.30  $12.20  stops         2026-09-01 00:00
      unattended:month  $0.00 a month              $0.00   $0.00   stops                           from the start
      run               $0.50 for each run         each            stops
      goal:day          $1.00 for each goal a day  each            tells you
      "
    `)
    expect(await textOf(['cost', 'budget'], 60)).toMatchInlineSnapshot(`
      "global:month
        Limit         $20.00 + $5.00 a month
        Spent         $12.30
        Left          $12.20
        At the limit  stops
        Starts again  2026-09-01 00:00

      unattended:month
        Limit         $0.00 a month
        Spent         $0.00
        Left          $0.00
        At the limit  stops
        Set           from the start

      run
        Limit         $0.50 for each run
        Spent         each
        At the limit  stops

      goal:day
        Limit         $1.00 for each goal a day
        Spent         each
        At the limit  tells you
      "
    `)
    expect((await bench.document(['cost', 'budget']))['budgets']).toHaveLength(4)
  })

  it('sets one for all, for each and for one', async () => {
    expect(await textOf(['cost', 'budget', 'set', 'global', '$20'])).toMatchInlineSnapshot(`
      "global:month is limited to $20.00 a month.  Ledger #7
      A call that could exceed it needs your approval.
      "
    `)
    expect(asked()?.body).toEqual({
      scope: 'global',
      subject: null,
      period: 'month',
      limitUsd: 20,
      hard: true,
    })
    expect(await textOf(['cost', 'budget', 'set', 'run', '0.50'])).toMatchInlineSnapshot(`
      "run is limited to $0.50 for each run.  Ledger #7
      A call that could exceed it needs your approval.
      "
    `)
    expect(
      await textOf(['cost', 'budget', 'set', 'goal', '2', '--per', 'day', '--for', 'goal_1', '--soft']),
    ).toMatchInlineSnapshot(`
      "goal:goal_1:day is limited to $2.00 a day.  Ledger #7
      You are notified at 50, 80 and 100 %; calls are not stopped.
      "
    `)
    expect(asked()?.body).toEqual({
      scope: 'goal',
      subject: 'goal_1',
      period: 'day',
      limitUsd: 2,
      hard: false,
    })
  })

  it('removes one by its name', async () => {
    bench.gateway.models.budgets = [budgetView({ name: 'global:month', scope: 'global', limitUsd: 20 })]
    expect(await textOf(['cost', 'budget', 'rm', 'global:month'])).toBe(
      'Removed the budget global:month.  Ledger #8\n',
    )
    expect((await bench.command(['cost', 'budget', 'rm', 'run'])).exit).toBe(3)
  })

  it.each([
    ['an unknown action', ['change']],
    ['no scope', ['set']],
    ['an unknown scope', ['set', 'moon', '3']],
    ['no amount', ['set', 'global']],
    ['words as an amount', ['set', 'global', 'much']],
    ['an exponent', ['set', 'global', '1e3']],
    ['an unknown time', ['set', 'global', '3', '--per', 'year']],
    ['no name to remove', ['rm']],
    ['an amount to remove', ['rm', 'global:month', '3']],
    ['a name to list', ['list', 'global']],
    ['an option without set', ['list', '--soft']],
  ])('refuses %s', async (_what, argv) => {
    expect((await bench.command(['cost', 'budget', ...argv])).exit).toBe(2)
    expect(bench.gateway.models.asked).toEqual([])
  })
})

describe('cost reconcile', () => {
  const reconciled = [
    {
      provider: 'anthropic',
      from: '2026-07-01T00:00:00.000Z',
      to: '2026-08-01T00:00:00.000Z',
      localUsd: 12.3,
      billedUsd: 12.45,
      drift: -0.012,
      adjusted: true,
      problem: null,
    },
    {
      provider: 'ollama',
      from: '2026-07-01T00:00:00.000Z',
      to: '2026-08-01T00:00:00.000Z',
      localUsd: 0,
      billedUsd: null,
      drift: null,
      adjusted: false,
      problem: 'It has no bill that can be asked for.',
    },
  ]

  it('takes an admin key from a pipe or a hidden prompt, or none', async () => {
    bench.gateway.models.reconciled = reconciled
    const argv = ['cost', 'reconcile', 'anthropic', '--from', '2026-07-01', '--to', '2026-07-31']
    const { text } = await bench.command(argv, { input: 'sk-admin-1\n' })
    expect(text).toMatchInlineSnapshot(`
      "Provider   Books   Bill      Drift   Result
      anthropic  $12.30  $12.45    -1.2 %  the recorded costs were corrected
      ollama     $0.00   not told          It has no bill that can be asked for.
      "
    `)
    expect(asked()?.body).toEqual({
      provider: 'anthropic',
      from: '2026-07-01T00:00:00.000Z',
      to: '2026-08-01T00:00:00.000Z',
      adminKey: 'sk-admin-1',
    })
    const typed = await bench.command(['cost', 'reconcile'], { terminal: true, input: 'sk-admin-2\r' })
    expect(asked()?.body).toMatchObject({ adminKey: 'sk-admin-2' })
    expect(`${typed.text}${typed.complaints}`).not.toContain('sk-admin')
    expect((await bench.document(['cost', 'reconcile']))['reconciled']).toHaveLength(2)
    expect(asked()?.body).not.toHaveProperty('adminKey')
  })

  it('says that there is no bill to ask for', async () => {
    expect(await textOf(['cost', 'reconcile'])).toMatchInlineSnapshot(`
      "No provider with a billing API is set up. Add one with \`countersign provider add\`.
      "
    `)
  })
})

it('cost resume lets unattended work go on', async () => {
  expect(await textOf(['cost', 'resume'])).toMatchInlineSnapshot(`
    "Unattended work was resumed.  Ledger #7
    See its costs with \`countersign cost show --today\`.
    "
  `)
  expect(asked()).toMatchObject({ method: 'POST', path: '/v1/costs/guard/lift' })
})
