import type { CallView } from '@countersign/contract'
import type { HostIdentity } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, type TestHost, testHome, testHost } from '../testing/home.ts'
import { modelView } from '../testing/models.ts'
import { approvalDetail, newId } from '../testing/records.ts'

let home: TestHome
let identity: HostIdentity
let gateway: FakeGateway
let ahead = 0
beforeEach(async () => {
  ahead = 0
  home = testHome()
  identity = home.establish()
  gateway = await fakeGateway(home.paths, identity)
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

const hostOf = (terminal: boolean): TestHost =>
  testHost({
    home,
    WebSocket: gateway.WebSocket,
    terminal,
    values: { NO_COLOR: '1' },
    clock: () => new Date(Date.now() + ahead),
  })

function callOf(tool: string, result: string): CallView {
  return {
    id: newId('call'),
    parent: null,
    turn: 1,
    tool,
    headline: '',
    args: '{}',
    tier: 0,
    decision: null,
    state: 'ended',
    outcome: 'ok',
    summary: 'It is done.',
    result,
    approval: null,
    undoable: false,
    undone: false,
    intendedAt: null,
    startedAt: null,
    endedAt: null,
  }
}

describe('through a pipe', () => {
  it('answers one line after another and ends with the input', async () => {
    const host = hostOf(false)
    host.typed.end('one\n\ntwo\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(host.written()).toBe('You said one\nYou said two\n')
    expect(gateway.messages).toEqual(['one', 'two'])
  })

  it('shows the card of a parked run and exits 5', async () => {
    gateway.onMessage = ({ session, run: id }) =>
      gateway.ask(approvalDetail({ identity, code: 'K7Q2', tier: 3, session, run: id }))
    const host = hostOf(false)
    host.typed.end('send it\n')
    expect(await run(['chat'], host)).toBe(5)
    expect(host.written()).toContain('⏸ Approval K7Q2 · Leaves your hands')
    expect(gateway.decisions).toEqual([])
  })

  it('unfolds what a call brought, the last first', async () => {
    gateway.calls.push(callOf('read_file', 'First line\nSecond line'), callOf('list_files', ''))
    const host = hostOf(false)
    host.typed.end('do it\n/show\n/show 2\n/show 3\n/show x\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(host.written()).toMatch(/list_files {2}\w+\n {2}│ It is done\./)
    expect(host.written()).toMatch(/read_file {2}\w+\n {2}│ First line\n {2}│ Second line/)
    expect(host.written()).toContain('The last run made 2 calls.')
    expect(host.written()).toContain('Write it as /show.')
    expect(gateway.messages).toEqual(['do it'])
  })

  it('says why by a short id', async () => {
    let id = ''
    gateway.onMessage = (message) => {
      id = message.run
      gateway.reply(message, 'done')
      host.typed.end(`/why ${id.slice(-8)}\n/why 00000000\n`)
    }
    const host = hostOf(false)
    host.typed.write('do it\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(host.written()).toContain(`\n${id}\n`)
    expect(host.written()).toContain('There is no 00000000.')
  })

  it('shows the models, and sends the chosen one once with the next message', async () => {
    gateway.models.models = [
      modelView('acme/large-1', { title: 'Large 1' }),
      modelView('acme/small'),
      modelView('other/small'),
      modelView('acme/deaf', { capabilities: [] }),
    ]
    const host = hostOf(false)
    const typed = ['/model', '/model big', '/model small', '/model large-1', '/model', 'one', 'two']
    host.typed.end([...typed, '/model default', 'three', ''].join('\n'))
    expect(await run(['chat'], host)).toBe(0)
    expect(host.written()).toContain('Your usual model answers here.\n   acme/large-1  Large 1\n')
    expect(host.written()).not.toContain('acme/deaf')
    expect(host.written()).toContain('There is no model big. /model lists them.')
    expect(host.written()).toContain('small is the name of several: acme/small, other/small.')
    expect(host.written()).toContain('acme/large-1 answers here.\n●  acme/large-1')
    expect(gateway.messages).toEqual(['one', 'two', 'three'])
    expect(gateway.chosenModels).toEqual(['acme/large-1', undefined, null])
  })

  it('decides by a typed code, never by a letter', async () => {
    gateway.onMessage = (message) => {
      if (message.text === 'a') return gateway.reply(message, 'only a message')
      gateway.onDecision = () => gateway.reply(message, 'sent')
      gateway.ask(
        approvalDetail({ identity, code: 'K7Q2', tier: 3, session: message.session, run: message.run }),
      )
    }
    const host = hostOf(false)
    host.typed.end('send it\na\n/approve K7Q2\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(gateway.messages).toEqual(['send it', 'a'])
    expect(gateway.decisions).toHaveLength(1)
    expect(host.written()).toContain('approved K7Q2  Ledger #9')
    expect(host.written()).toContain('sent\n')
  })

  it('goes on after the gateway restarts: nothing lost, nothing doubled', async () => {
    gateway.onMessage = (message) => {
      gateway.delta(message, 1, 'You ')
      setTimeout(() => gateway.drop(), 20)
      setTimeout(() => gateway.reply(message, 'You said it'), 40)
    }
    const host = hostOf(false)
    host.typed.end('it\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(host.written().replaceAll('\n', ' ')).toMatch(/^You +Reconnecting… Connected again. said it $/)
    expect(gateway.messages).toEqual(['it'])
  })

  it('sends a message again that a crash swallowed, and it is taken once', async () => {
    gateway.loseNext = true
    const host = hostOf(false)
    host.typed.end('it\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(gateway.messages).toEqual(['it'])
    expect(host.written()).toContain('You said it')
  })
})

describe('through a pipe, while the provider limits the rate', () => {
  const retry = {
    at: '2026-08-01T14:00:42.000Z',
    attempt: 2,
    of: 5,
    because: 'The rate is limited.',
    provider: 'acme',
  }

  it('waits for the next try, marks what no longer holds, and sends the next line after it', async () => {
    gateway.onMessage = (message) => {
      const { session, run: id } = message
      if (message.text === 'two') return gateway.reply(message, 'second')
      gateway.delta(message, 1, 'Hel')
      setTimeout(() => gateway.emit({ type: 'run.parked', session, run: id, on: 'retry', retry }), 20)
      setTimeout(() => gateway.emit({ type: 'run.resumed', session, run: id }), 40)
      setTimeout(() => gateway.reply(message, 'first'), 60)
    }
    const host = hostOf(false)
    host.typed.end('one\ntwo\n')
    expect(await run(['chat'], host)).toBe(0)
    expect(host.written()).toBe(
      [
        'Hel',
        '(Ignore the text above; the reply starts again.)',
        '⏳ The rate is limited. Trying again now (2 of 5).',
        'first',
        'second',
        '',
      ].join('\n'),
    )
    expect(gateway.messages).toEqual(['one', 'two'])
  })
})

describe('in a terminal', () => {
  async function conversation(
    work: (type: (text: string) => void, host: TestHost) => Promise<void>,
  ): Promise<TestHost> {
    const host = hostOf(true)
    const ending = run(['chat'], host)
    await work((text) => host.typed.write(`${text}\n`), host)
    host.typed.write('/exit\n')
    expect(await ending).toBe(0)
    return host
  }

  it('keeps two lines typed before the first answer in one session', async () => {
    const sessions = new Set<string>()
    gateway.onMessage = (message) => {
      sessions.add(message.session)
      gateway.reply(message, `heard ${message.text}`)
    }
    const host = await conversation(async (type, { written }) => {
      type('one')
      type('two')
      await expect.poll(() => written()).toContain('heard two')
    })
    expect(host.written()).toContain('heard one')
    expect(sessions.size).toBe(1)
  })

  it('takes several pasted lines as one message, once Enter is pressed', async () => {
    await conversation(async (type, { typed, written }) => {
      typed.write('see: \u001b[200~one\r\n\ttwo\rthree\u0007\n\u001b[201~')
      await expect.poll(() => written()).toContain('one↵  two↵three')
      expect(gateway.messages).toEqual([])
      type(' please')
      await expect.poll(() => gateway.messages).toEqual(['see: one\n  two\nthree please'])
      const long = 'a line of it\n'.repeat(100)
      typed.write(`\u001b[200~${long}\u001b[201~`)
      await expect.poll(() => written()).toContain('[pasted 1: 100 lines]')
      type('')
      await expect.poll(() => gateway.messages.at(1)).toBe(long.trimEnd())
    })
  })

  it('completes the model that /model names', async () => {
    gateway.models.models = [modelView('acme/large-1'), modelView('acme/small')]
    await conversation(async (type, { typed, written }) => {
      typed.write('/mod\t')
      await expect.poll(() => written()).toContain('/model ')
      typed.write('acme/l\t')
      await expect.poll(() => written()).toContain('arge-1')
      type('')
      await expect.poll(() => written()).toContain('From the next message on, acme/large-1 answers')
    })
  })

  function askOnMessage(tier: 2 | 3 | 4, content?: string): void {
    gateway.onMessage = ({ session, run: id, input }) => {
      gateway.onDecision = () => gateway.reply({ session, run: id, input }, 'decided')
      const card = content === undefined ? {} : { preview: { kind: 'write' as const, path: 'x', content } }
      gateway.ask(approvalDetail({ identity, code: 'K7Q2', tier, session, run: id, card }))
    }
  }

  it('approves with a letter and Enter, once the card has stood for a moment', async () => {
    askOnMessage(3)
    await conversation(async (type, host) => {
      type('send it')
      await expect.poll(() => host.written()).toContain('[a] approve once')
      type('')
      type('a')
      await expect.poll(() => host.written()).toContain('appeared just now')
      expect(gateway.decisions).toEqual([])
      ahead = 1_000
      type('')
      type('a')
      await expect.poll(() => host.written()).toContain('decided')
    })
    expect(gateway.decisions).toMatchObject([{ verdict: 'approve', seal: { by: 'device' } }])
  })

  it('denies with a reason', async () => {
    askOnMessage(2)
    await conversation(async (type, host) => {
      type('send it')
      await expect.poll(() => host.written()).toContain('[d] deny')
      ahead = 1_000
      type('d')
      await expect.poll(() => host.written()).toContain('Reason for the agent?')
      type('use the portal')
      await expect.poll(() => gateway.decisions.length).toBe(1)
    })
    expect(gateway.decisions).toEqual([{ verdict: 'deny', reason: 'use the portal', stop: false }])
  })

  it.each(['y', 'ok', 'x'])('changes nothing for %s, which is no option of the card', async (text) => {
    askOnMessage(3)
    await conversation(async (type, host) => {
      type('send it')
      await expect.poll(() => host.written()).toContain('[a] approve once')
      ahead = 1_000
      type(text)
      await expect.poll(() => host.written()).toMatch(/Type a, .*d, q, v or w\./)
    })
    expect(gateway.decisions).toEqual([])
    expect(gateway.messages).toEqual(['send it'])
    expect(gateway.approvals[0]?.approval.state).toBe('pending')
  })

  it('says that a longer text is a message, and sends it only after y', async () => {
    askOnMessage(3)
    await conversation(async (type, host) => {
      type('send it')
      await expect.poll(() => host.written()).toContain('[a] approve once')
      type('yes please')
      await expect.poll(() => host.written()).toContain('That is a message.')
      type('')
      await expect.poll(() => host.written()).toContain('Not sent. K7Q2 still waits.')
      expect(gateway.messages).toEqual(['send it'])
      type('use the other file')
      await expect.poll(() => host.written().split('That is a message.').length).toBe(3)
      type('y')
      await expect.poll(() => gateway.messages).toEqual(['send it', 'use the other file'])
    })
  })

  it('wants a long card read before it is approved', async () => {
    askOnMessage(3, 'row\n'.repeat(60))
    await conversation(async (type, host) => {
      type('write it')
      await expect.poll(() => host.written()).toContain('to read first: v')
      ahead = 1_000
      type('a')
      await expect.poll(() => host.written()).toContain('Read all of it first')
      expect(gateway.decisions).toEqual([])
      type('v')
      await expect.poll(() => host.written()).toContain('Exactly what will run')
      type('a')
      await expect.poll(() => gateway.decisions.length).toBe(1)
    })
  })

  it('does not approve T4, nor a card that is not what waits', async () => {
    askOnMessage(4)
    await conversation(async (type, host) => {
      type('send it')
      await expect.poll(() => host.written()).toContain('Critical')
      ahead = 1_000
      type('a')
      await expect.poll(() => host.written()).toContain('passkey')
      gateway.approvals[0] = approvalDetail({ identity, code: 'K7Q2', tier: 2 })
      const [replaced] = gateway.approvals
      type('/approve K7Q2')
      await expect.poll(() => host.written()).toContain('again to approve it')
      expect(replaced?.approval.state).toBe('pending')
    })
    expect(gateway.decisions).toEqual([])
  })

  it('answers a question by its number', async () => {
    gateway.onMessage = ({ session, run: id }) => {
      const question = { id: newId('q'), text: 'Which?', choices: ['red', 'blue'] }
      gateway.questions.push({
        ...question,
        kind: 'operator',
        session,
        run: id,
        call: newId('call'),
        state: 'open',
        answer: null,
        createdAt: '',
      })
      gateway.emit({
        type: 'question.asked',
        session,
        run: id,
        question: question.id,
        call: newId('call'),
        kind: 'operator',
        text: question.text,
        choices: question.choices,
      })
      gateway.emit({ type: 'run.parked', session, run: id, on: 'question' })
    }
    await conversation(async (type, host) => {
      type('choose')
      await expect.poll(() => host.written()).toContain('2  blue')
      type('2')
      await expect.poll(() => host.written()).toContain('Answered.')
    })
    expect(gateway.changes.some((change) => change.endsWith('/answer'))).toBe(true)
  })

  it('says at the beginning that there is no model, and what to do about it', async () => {
    const problem = 'No model provider is configured. Add one with `countersign provider add`.'
    gateway.model = { ...gateway.model, provider: 'none', model: '', ok: false, state: 'none', problem }
    await conversation(async (_type, host) => {
      await expect.poll(() => host.complaints()).toContain('Type a message')
      const said = host.complaints().replaceAll(/\s+/g, ' ')
      expect(said).toContain(`Nothing answers yet. ${problem} Type a message`)
      expect(said).not.toContain('Talking with')
    })
  })

  it('keeps a lone letter from being sent when nothing waits', async () => {
    await conversation(async (type, host) => {
      await expect.poll(() => host.complaints()).toContain('Type a message')
      type('a')
      await expect.poll(() => host.written()).toContain('No decision is pending here.')
    })
    expect(gateway.messages).toEqual([])
  })

  it('counts down to the next try above the prompt, and Ctrl-C stops the run and not the conversation', async () => {
    gateway.onMessage = ({ session, run: id }) => {
      const at = new Date(Date.now() + 42_000).toISOString()
      const retry = { at, attempt: 2, of: 5, because: 'The rate is limited.', provider: 'acme' }
      gateway.emit({ type: 'run.parked', session, run: id, on: 'retry', retry })
    }
    const host = await conversation(async (type, { written, typed }) => {
      type('hello')
      await expect.poll(() => written()).toMatch(/Next try in 0:4\d[^]*\n> /)
      typed.write('\u0003')
      await expect.poll(() => written()).toContain('Stopped.')
      type('still here')
      await expect.poll(() => gateway.messages).toEqual(['hello', 'still here'])
    })
    expect(host.written()).toContain('Ctrl-C stops it; write a message to retry now.')
  })

  it('warns once that unattended work is held, and notes a budget', async () => {
    await conversation(async (_type, { complaints, written }) => {
      await expect.poll(() => complaints()).toContain('Type a message')
      gateway.emit({ type: 'budget.reached', budget: 'global:month', percent: 80, spentUsd: 8, limitUsd: 10 })
      gateway.emit({ type: 'spending.held', reason: 'it spent 4 times as much as usual' })
      await expect.poll(() => written()).toContain('countersign cost resume')
      expect(written()).toContain('The budget global:month is at 80 %: $8.00 of $10.00.')
    })
  })
})
