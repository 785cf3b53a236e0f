import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCatalogue } from '@countersign/contract'
import type { HostIdentity } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandTable, globalOptions } from './command-table.ts'
import { usageExit } from './output/failure.ts'
import { run } from './program.ts'
import { type FakeGateway, fakeGateway } from './testing/gateway.ts'
import { type TestHome, type TestHost, testHome, testHost } from './testing/home.ts'
import { approvalDetail, newId } from './testing/records.ts'

let home: TestHome
let identity: HostIdentity
let gateway: FakeGateway | undefined
beforeEach(() => {
  home = testHome()
  identity = home.establish()
})
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
  home.remove()
})

async function start(): Promise<FakeGateway> {
  gateway = await fakeGateway(home.paths, identity)
  return gateway
}

const hostOf = (options: Partial<Parameters<typeof testHost>[0]> = {}): TestHost =>
  testHost({ home, WebSocket: gateway?.WebSocket, ...options })

async function command(...argv: string[]): Promise<{ exit: number; text: string; complaints: string }> {
  const host = hostOf()
  const exit = await run(argv, host)
  return { exit, text: host.written(), complaints: host.complaints() }
}

/** Runs with --json and insists that stdout is one document. */
async function document(
  ...argv: string[]
): Promise<{ exit: number; value: Record<string, unknown> & { error?: Record<string, unknown> } }> {
  const { exit, text } = await command(...argv, '--json')
  expect(text.endsWith('\n') && text.indexOf('\n') === text.length - 1).toBe(true)
  const value = JSON.parse(text)
  expect(value.ok).toBe(exit === 0)
  if (exit !== 0)
    expect(Object.keys(value.error)).toEqual(expect.arrayContaining(['type', 'message', 'next']))
  return { exit, value }
}

describe('without a gateway', () => {
  const needsGateway: string[][] = [
    ['status'],
    ['ask', 'hello'],
    ['ask', 'hi', 'there'],
    ['session', 'list'],
    ['session'],
    ['cost'],
    ['ledger'],
    ['session', 'show', 'ses_1'],
    ['run', 'list'],
    ['run', 'show', 'run_1'],
    ['run', 'stop', 'run_1'],
    ['run', 'undo', 'run_1'],
    ['approval', 'list'],
    ['approval', 'show', 'K7Q2'],
    ['approval', 'approve', 'K7Q2', '--yes'],
    ['approval', 'deny', 'K7Q2'],
    ['approval', 'edit', 'K7Q2', '--set', 'a=b'],
    ['approval', 'extend', 'K7Q2'],
    ['approval', 'ask', 'K7Q2', 'Why?'],
    ['question', 'list'],
    ['question', 'answer', 'q_1', 'yes'],
    ['grant', 'list'],
    ['grant', 'show', 'gr_1'],
    ['grant', 'revoke', 'gr_1'],
    ['grant', 'prune', '--unused', '30d'],
    ['grant', 'suggest'],
    ['what-can'],
    ['run', 'replay', 'run_1'],
    ['run', 'fork', 'run_1'],
    ['run', 'compare', 'run_1', 'run_2'],
    ['run', 'tail', 'run_1', '--stream'],
    ['why', 'K7Q2'],
    ['ledger', 'verify'],
    ['ledger', 'export', '--out', '/tmp/never-written'],
    ['pause'],
    ['resume'],
  ]

  it.each(needsGateway.map((argv) => [argv.join(' '), argv] as const))(
    '%s exits 8 with one document',
    async (_name, argv) => {
      const { exit, value } = await document(...argv)
      expect(exit).toBe(8)
      expect(value.error).toMatchObject({
        type: 'gateway_unreachable',
        next: 'Start it with `countersign up`.',
      })
    },
  )

  it('says so in words, with the next step last, and nothing on stdout', async () => {
    const { exit, text, complaints } = await command('status')
    expect(exit).toBe(8)
    expect(text).toBe('')
    expect(complaints).toBe('No gateway is running on this host.\nStart it with `countersign up`.\n')
  })

  it('says the same of an address where nobody listens', async () => {
    expect((await document('status', '--url', 'http://127.0.0.1:9')).exit).toBe(8)
  })

  it.each([
    ['version', ['version']],
    ['paths', ['paths']],
    ['completion', ['completion', 'zsh']],
    ['down', ['down']],
    ['--version', ['--version']],
    ['--help', ['approval', '--help']],
    ['help', ['help', 'approval']],
  ])('%s answers all the same', async (_name, argv) => {
    expect((await document(...argv)).exit).toBe(0)
  })

  it('doctor looks at the host, and only warns that nothing runs', async () => {
    const { value } = await document('doctor')
    const report = value.ok === true ? value : (value.error?.details as Record<string, unknown>)
    const { findings } = report
    expect(findings).toContainEqual(expect.objectContaining({ id: 'gateway', severity: 'warning' }))
    expect(findings).toContainEqual(expect.objectContaining({ id: 'trust', severity: 'ok' }))
  })

  it('doctor exits 13 when others can read the device key', async () => {
    chmodSync(home.paths.deviceKey, 0o644)
    const { exit, value } = await document('doctor')
    expect(exit).toBe(13)
    expect(value.error).toMatchObject({
      type: 'doctor_found_errors',
      next: `chmod 600 ${home.paths.deviceKey}`,
    })
  })
})

describe('help', () => {
  it('begins with the five commands of every day, and puts each command into a group', async () => {
    const { exit, text } = await command('--help')
    expect(exit).toBe(0)
    expect(text).toMatch(/Every day\n {2}up .*\n {2}chat .*\n {2}approval .*\n {2}status .*\n {2}open /)
    expect(text).not.toContain('\nMore\n')
    for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(110)
  })

  it('does not repeat the options of every command', async () => {
    const { text } = await command('run', 'list', '--help')
    expect(text).not.toContain('--no-color')
    expect(text).toContain('Options of every command: countersign --help')
  })
})

describe('usage', () => {
  it.each([
    ['an unknown command', ['bogus']],
    ['an unknown option', ['status', '--bogus']],
    ['a missing argument', ['why']],
    ['too many arguments', ['status', 'now']],
    ['an unknown command with --help', ['bogus', '--help']],
    ['an unknown verb with --help', ['run', 'bogus', '--help']],
    ['a wrong duration', ['status', '--wait', '10']],
    ['an unknown shell', ['completion', 'tcsh']],
    ['an empty message', ['ask', ' ']],
    ['a wrong port', ['up', '--port', 'x']],
    ['a wrong address', ['status', '--url', 'nowhere']],
    ['a wrong scope', ['approval', 'approve', 'K7Q2', '--for', 'ever']],
    ['a maximum without a scope', ['approval', 'approve', 'K7Q2', '--max', '3']],
    ['a rule and a scope', ['approval', 'approve', 'K7Q2', '--rule', 'call', '--for', 'run']],
    ['a wrong stop', ['approval', 'approve', 'K7Q2', '--rule', 'world']],
    ['a place without a rule', ['approval', 'approve', 'K7Q2', '--where', 'agent']],
    ['a rule for several', ['approval', 'approve', 'K7Q2', 'M3XD', '--rule', 'call', '--yes']],
    ['an edit of nothing', ['approval', 'edit', 'K7Q2']],
    ['an edit of all and of some', ['approval', 'edit', 'K7Q2', '--args', '{}', '--set', 'a=b']],
    ['too many hours', ['approval', 'extend', 'K7Q2', '--hours', '169']],
    ['an empty question', ['approval', 'ask', 'K7Q2', ' ']],
    ['a prune without a time', ['grant', 'prune']],
    ['a wrong number of days', ['grant', 'list', '--unused', 'month']],
    ['a wrong time of day', ['run', 'replay', 'run_1', '--at', '24:00']],
    ['a run that is played as JSON', ['run', 'replay', 'run_1', '--speed', '10']],
    ['a run that is followed as JSON', ['run', 'tail', 'run_1']],
    ['a wrong state', ['approval', 'list', '--state', 'lost']],
    ['a conversation as JSON', ['chat']],
    ['a live list as JSON', ['approval', 'watch']],
    ['an export on stdout as JSON', ['ledger', 'export']],
  ])('%s exits 2 with one document', async (_name, argv) => {
    const { exit, value } = await document(...argv)
    expect(exit).toBe(2)
    expect(value.error).toMatchObject({ type: 'usage', next: expect.stringContaining('--help') })
  })

  it('has the exit code of the catalogue', () => {
    expect(usageExit).toBe(errorCatalogue.usage.exit)
  })

  it('ends a complaint with how to get help on that very command', async () => {
    expect((await command('approval', 'approve')).complaints).toContain(
      '`countersign approval approve --help`',
    )
  })

  it('has no value of a command that an option of every command would take', () => {
    const withValue = ({ flags }: { readonly flags: string }) => /--[a-z-]+(?= <)/.exec(flags)?.[0] ?? []
    const ofAll = globalOptions.flatMap(withValue)
    for (const { name, options } of commandTable)
      for (const option of options.flatMap(withValue)) expect(ofAll, name).not.toContain(option)
  })

  it('has help with an example for every command', async () => {
    for (const row of commandTable) {
      const { exit, text } = await command(...row.name.split(' '), '--help')
      expect(exit).toBe(0)
      expect(text).toContain('Examples:')
      expect(row.examples.length).toBeGreaterThan(0)
    }
  })
})

describe('with a gateway', () => {
  it.each(
    [
      ['status'],
      ['session', 'list'],
      ['run', 'list'],
      ['run', 'stop', 'run_1'],
      ['run', 'undo', 'run_1'],
      ['approval', 'list'],
      ['question', 'list'],
      ['grant', 'list'],
      ['grant', 'revoke', 'gr_1', 'gr_2'],
      ['grant', 'prune', '--unused', '30d'],
      ['grant', 'suggest'],
      ['what-can'],
      ['what-can', 'researcher'],
      ['why', 'K7Q2'],
      ['ledger', 'verify'],
      ['pause'],
      ['resume'],
      ['up'],
    ].map((argv) => [argv.join(' '), argv] as const),
  )('%s answers in JSON and in words', async (_name, argv) => {
    await start()
    expect((await document(...argv)).exit).toBe(0)
    const { exit, text } = await command(...argv)
    expect(exit).toBe(0)
    expect(text.length).toBeGreaterThan(0)
    expect(text).not.toContain('\u001b')
  })

  it('colours a terminal, unless it is told not to', async () => {
    await start()
    const coloured = hostOf({ terminal: true })
    await run(['status'], coloured)
    expect(coloured.written()).toContain('\u001b[')
    for (const [argv, values] of [
      [['status', '--no-color'], {}],
      [['status', '--plain'], {}],
      [['status'], { NO_COLOR: '1' }],
    ] as const) {
      const host = hostOf({ terminal: true, values })
      await run(argv, host)
      expect(host.written()).not.toContain('\u001b[')
    }
  })

  it('exits 3 for what does not exist', async () => {
    await start()
    expect((await document('approval', 'show', 'NONE')).exit).toBe(3)
    expect((await document('run', 'show', newId('run'))).exit).toBe(3)
    expect((await document('ask', 'x', '--session', 'ses_1')).exit).toBe(3)
  })

  it('exits 9 when this device is not known there', async () => {
    await start()
    const stranger = testHome()
    try {
      stranger.establish()
      const host = testHost({ home: stranger })
      expect(await run(['status', '--json', '--url', gateway?.url ?? ''], host)).toBe(9)
      const keyless = testHome()
      expect(await run(['status', '--json', '--url', gateway?.url ?? ''], testHost({ home: keyless }))).toBe(
        9,
      )
      keyless.remove()
    } finally {
      stranger.remove()
    }
  })

  it('exits 11 when the ledger does not verify', async () => {
    const fake = await start()
    fake.ledgerOk = false
    const { exit, value } = await document('ledger', 'verify')
    expect(exit).toBe(11)
    expect(value.error).toMatchObject({ type: 'ledger_broken', details: { problem: 'entry 4 was changed' } })
  })

  it('exports the ledger to stdout as it comes, or to a file', async () => {
    await start()
    const piped = await command('ledger', 'export')
    expect(piped).toMatchObject({ exit: 0, text: '{"n":1}\n{"n":2}\n' })
    expect(piped.complaints).toContain('countersign-verify')
    const out = join(home.folder, 'ledger.jsonl')
    expect((await document('ledger', 'export', '--out', out)).value).toMatchObject({ lines: 2, out })
    expect(readFileSync(out, 'utf8')).toBe(piped.text)
  })

  it('prints why as a chain with ledger numbers', async () => {
    await start()
    const { text } = await command('why', 'K7Q2')
    expect(text.split('\n')[1]).toMatch(/The effect\. +#12$/)
    expect(text).not.toMatch(/[a-z]+_[0-9a-f]{32}/)
  })
})

describe('approving from the command line', () => {
  it('seals a T3 call and tells the ledger number', async () => {
    const fake = await start()
    fake.approvals.push(approvalDetail({ identity, code: 'K7Q2', tier: 3 }))
    const { exit, text } = await command('approval', 'approve', 'k7q2', '--yes')
    expect({ exit, text }).toEqual({ exit: 0, text: 'approved K7Q2  Ledger #9\n' })
    expect(fake.decisions[0]).toMatchObject({
      verdict: 'approve',
      seal: { by: 'device', device: identity.device.id },
    })
  })

  it('creates the grant that was asked for', async () => {
    const fake = await start()
    fake.approvals.push(approvalDetail({ identity, code: 'K7Q2', tier: 2 }))
    const { value } = await document('approval', 'approve', 'K7Q2', '--yes', '--for', '30m', '--max', '3')
    expect(value).toMatchObject({ ok: true, ledger: 9, grant: expect.stringMatching(/^gr_/) })
    expect(fake.decisions[0]).toMatchObject({ grant: { scope: 'time', minutes: 30, maxUses: 3 } })
  })

  it('asks in a terminal, where Enter alone is no consent and the code is', async () => {
    const fake = await start()
    fake.approvals.push(approvalDetail({ identity, code: 'K7Q2', tier: 3 }))
    const reluctant = hostOf({ terminal: true })
    reluctant.typed.write('\n')
    expect(await run(['approval', 'approve', 'K7Q2'], reluctant)).toBe(0)
    expect(reluctant.written()).toContain('Exactly what will run')
    expect(fake.decisions).toEqual([])
    const willing = hostOf({ terminal: true })
    willing.typed.write('K7Q2\n')
    await run(['approval', 'approve', 'K7Q2'], willing)
    expect(fake.decisions).toHaveLength(1)
  })

  it('refuses without a terminal and without --yes', async () => {
    const fake = await start()
    fake.approvals.push(approvalDetail({ identity, code: 'K7Q2', tier: 2 }))
    expect((await document('approval', 'approve', 'K7Q2')).exit).toBe(2)
    expect(fake.decisions).toEqual([])
  })

  it('exits 9 for a T4 call, 14 for a second verdict and 14 for a record that was tampered with', async () => {
    const fake = await start()
    const forged = approvalDetail({ identity, code: 'FAKE', tier: 2 })
    fake.approvals.push(
      approvalDetail({ identity, code: 'CRIT', tier: 4 }),
      approvalDetail({ identity, code: 'K7Q2', tier: 2 }),
      {
        ...forged,
        approval: { ...forged.approval, card: { ...forged.approval.card, headline: 'Read a file' } },
      },
    )
    expect((await document('approval', 'approve', 'CRIT', '--yes')).exit).toBe(9)
    expect((await document('approval', 'approve', 'FAKE', '--yes')).exit).toBe(14)
    expect((await document('approval', 'show', 'FAKE')).value).toMatchObject({
      problem: expect.stringContaining('card'),
    })
    expect((await document('approval', 'deny', 'K7Q2', '--reason', 'use the portal')).exit).toBe(0)
    const again = await document('approval', 'approve', 'K7Q2', '--yes')
    expect(again.exit).toBe(14)
    expect(again.value.error?.next).toContain('countersign approval show K7Q2')
    expect(fake.decisions).toEqual([{ verdict: 'deny', reason: 'use the portal', stop: false }])
  })
})

describe('ask', () => {
  it('gives the reply of its own run', async () => {
    await start()
    const { exit, value } = await document('ask', 'hello')
    expect(exit).toBe(0)
    expect(value).toMatchObject({
      reply: 'You said hello',
      reason: 'completed',
      run: expect.stringMatching(/^run_/),
    })
    expect(await command('ask', 'hello')).toMatchObject({ exit: 0, text: 'You said hello\n' })
  })

  it('exits 5 with the code when its run waits for an approval', async () => {
    const fake = await start()
    fake.onMessage = ({ session, run: id }) =>
      fake.ask(approvalDetail({ identity, code: 'K7Q2', tier: 3, session, run: id }))
    const { exit, value } = await document('ask', 'send it')
    expect(exit).toBe(5)
    expect(value.error).toMatchObject({ type: 'approval_required', details: { code: 'K7Q2', tier: 3 } })
  })

  it('waits with --wait until it is decided and finished, and exits 7 when that takes longer', async () => {
    const fake = await start()
    fake.onMessage = (message) => {
      fake.onDecision = () => fake.reply(message, 'sent')
      fake.ask(
        approvalDetail({ identity, code: 'K7Q2', tier: 2, session: message.session, run: message.run }),
      )
    }
    expect((await document('ask', 'send it', '--wait', '300ms')).exit).toBe(7)
    fake.approvals.length = 0
    const asked = document('ask', 'send it', '--wait', '20s')
    await expect.poll(() => fake.approvals.length).toBe(1)
    await document('approval', 'approve', 'K7Q2', '--yes')
    expect((await asked).value).toMatchObject({ reply: 'sent' })
  })

  it('exits 5 with the question when the agent asks something', async () => {
    const fake = await start()
    fake.onMessage = ({ session, run: id }) => {
      fake.emit({
        type: 'question.asked',
        session,
        run: id,
        question: newId('q'),
        call: newId('call'),
        kind: 'operator',
        text: 'Which?',
        choices: [],
      })
      fake.emit({ type: 'run.parked', session, run: id, on: 'question' })
    }
    const { exit, value } = await document('ask', 'go')
    expect(exit).toBe(5)
    expect(value.error).toMatchObject({
      message: 'The agent asks: Which?',
      next: expect.stringContaining('question answer q_'),
    })
  })

  it.each([
    ['denied', 6],
    ['error', 1],
    ['manual', 14],
  ] as const)('maps a run that ended %s to exit %d', async (reason, exit) => {
    const fake = await start()
    fake.onMessage = ({ session, run: id, input }) =>
      fake.emit({ type: 'run.ended', session, run: id, input, reason, message: 'because' })
    expect((await document('ask', 'go')).exit).toBe(exit)
  })

  it('loses nothing when the connection breaks in the middle', async () => {
    const fake = await start()
    fake.onMessage = (message) => {
      fake.drop()
      setTimeout(() => fake.reply(message, 'after the break'), 50)
    }
    expect((await document('ask', 'hello')).value).toMatchObject({ reply: 'after the break' })
    expect(fake.messages).toEqual(['hello'])
  })
})

describe('the program itself', () => {
  it('prints its version quickly and completes without loading anything', () => {
    const main = join(import.meta.dirname, 'main.ts')
    const env = { PATH: '/usr/bin:/bin', COUNTERSIGN_HOME: home.folder }
    expect(execFileSync(process.execPath, [main, 'version'], { encoding: 'utf8', env })).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    )
    execFileSync('bash', ['-n'], {
      input: execFileSync(process.execPath, [main, 'completion', 'bash'], { env }),
    })
  })
})
