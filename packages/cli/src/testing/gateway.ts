/**
 * A gateway that obeys the contract and thinks nothing: it checks every signature, keeps a list of events, and answers
 * a message the way the test says. Its socket is reached in the same process.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import {
  type ApprovalDetail,
  type ApprovalView,
  AskAboutApproval,
  answerText,
  type CallView,
  ClientFrame,
  CountersignError,
  challengeText,
  DecideApproval,
  EditApproval,
  type EventBody,
  ExtendApproval,
  errorCatalogue,
  type GatewayEvent,
  helloText,
  type InputId,
  proofHeader,
  type QuestionView,
  RetryRun,
  type RunId,
  type RunView,
  requestText,
  SendMessage,
  type ServerFrame,
  type SessionId,
  type Status,
  sealText,
  streamedBody,
} from '@countersign/contract'
import {
  gatewayKeyPath,
  type HomePaths,
  type HostIdentity,
  publicKeyOf,
  readKey,
  sha256Hex,
  signLease,
  signText,
  verifyText,
} from '@countersign/contract/node'
import { type FakeChannels, fakeChannels } from './channels.ts'
import { type FakeFiles, fakeFiles } from './files.ts'
import { type FakeGrants, fakeGrants } from './grants.ts'
import { type FakeModels, fakeModels } from './models.ts'
import { type FakePolicy, fakePolicy } from './policy.ts'
import { newId, plainAsked, plainDisk, plainRun } from './records.ts'

export interface Incoming {
  readonly session: SessionId
  readonly run: RunId
  readonly input: InputId
  readonly text: string
}

export interface FakeGateway {
  readonly url: string
  readonly WebSocket: typeof WebSocket
  readonly decisions: DecideApproval[]
  readonly approvals: ApprovalDetail[]
  /** What the model of every run thought. */
  readonly reasoning: { turn: number; text: string }[]
  readonly questions: QuestionView[]
  readonly messages: string[]
  /** The model that came with each of them. */
  readonly chosenModels: (string | null | undefined)[]
  /** What every run did. */
  readonly calls: CallView[]
  readonly changes: string[]
  /** What the status says of the model. */
  model: Status['model']
  /** Providers, models and money. */
  readonly models: FakeModels
  /** The marks on files. */
  readonly files: FakeFiles
  /** Standing authority. */
  readonly grants: FakeGrants
  readonly policy: FakePolicy
  readonly channels: FakeChannels
  /** What happens after a message; by default the run replies and ends. */
  onMessage: (message: Incoming) => void
  onDecision: (detail: ApprovalDetail) => void
  /** What comes of a call whose arguments were changed; by default nothing. */
  onEdit: (detail: ApprovalDetail, args: string) => void
  ledgerOk: boolean
  /** Swallows the next message and ends every connection, as a crash would. */
  loseNext: boolean
  status: Partial<Status>
  emit(body: EventBody): void
  delta(
    message: Pick<Incoming, 'session' | 'run'>,
    turn: number,
    text: string,
    more?: { attempt?: number; kind?: 'text' | 'reasoning' | 'call'; tool?: string },
  ): void
  reply(message: Pick<Incoming, 'session' | 'run' | 'input'>, text: string): void
  ask(detail: ApprovalDetail): void
  /** Ends every connection, as a restart does. */
  drop(): void
  close(): Promise<void>
}

const at = '2026-08-01T12:00:00.000Z'

export async function fakeGateway(paths: HomePaths, identity: HostIdentity): Promise<FakeGateway> {
  const events: GatewayEvent[] = []
  const sockets = new Set<FakeSocket>()
  const keys = new Map<string, Incoming>()
  const runs = new Map<RunId, RunView>()
  const device = publicKeyOf(identity.device.keys.publicKey)
  const { trust } = identity
  const signing = readKey(gatewayKeyPath(paths)).privateKey
  let paused = false

  function emit(body: EventBody): void {
    const event = { seq: events.length + 1, at, body }
    events.push(event)
    follow(body)
    for (const socket of sockets) if (socket.welcomed) socket.deliver({ type: 'event', event })
  }

  function follow(body: EventBody): void {
    if (!('run' in body) || body.run === null) return
    const run = runs.get(body.run)
    if (!run) return
    if (body.type === 'run.parked') runs.set(run.id, { ...run, state: 'parked', parkedOn: body.on })
    if (body.type === 'run.ended')
      runs.set(run.id, { ...run, state: 'stopped', reason: body.reason, message: body.message })
  }

  function admit(key: string, session: SessionId | null, text: string): Incoming {
    const known = keys.get(key)
    if (known) return known
    const message = { session: session ?? newId('ses'), run: newId('run'), input: newId('inp'), text }
    keys.set(key, message)
    gateway.messages.push(text)
    const { run, input } = message
    runs.set(run, {
      id: run,
      session: message.session,
      input,
      kind: 'agent',
      state: 'running',
      parkedOn: null,
      reason: null,
      message: '',
      turns: 1,
      segments: 1,
      startedAt: at,
      endedAt: null,
      retry: null,
      text,
      ...plainRun,
    })
    emit({ type: 'run.started', session: message.session, run, input })
    emit({ type: 'input.admitted', session: message.session, run, input, text, mode: 'auto' })
    return message
  }

  function sentAgain(id: RunId, { session }: RetryRun) {
    const { text, session: own } = runs.get(id) ?? missing(id)
    const sent = admit(newId('inp'), session ?? own, text)
    return { session: sent.session, run: sent.run, ledger: 9 }
  }

  const nonce = 'n'.repeat(32)

  function challengeFor(asked: string): ServerFrame {
    const proof = signText(signing, challengeText({ gateway: trust.gateway.id, address: url, asked, nonce }))
    return { type: 'challenge', nonce, gateway: trust.gateway.id, version: 1, proof }
  }

  class FakeSocket extends EventTarget {
    welcomed = false
    readonly asked: string

    constructor(at: URL) {
      super()
      this.asked = at.searchParams.get('nonce') ?? ''
      queueMicrotask(() => {
        sockets.add(this)
        this.deliver(challengeFor(this.asked))
      })
    }

    deliver(frame: ServerFrame): void {
      setImmediate(() => this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) })))
    }

    send(data: string): void {
      const frame = ClientFrame.parse(JSON.parse(data))
      if (frame.type === 'hello') return this.welcome(frame)
      if (frame.type === 'follow_ledger' || frame.type === 'unfollow_ledger') return
      if (gateway.loseNext) {
        gateway.loseNext = false
        return gateway.drop()
      }
      const known = keys.has(frame.key)
      if (!known) gateway.chosenModels.push(frame.model)
      const message = admit(frame.key, frame.session, frame.text)
      this.deliver({
        type: 'admitted',
        key: frame.key,
        input: message.input,
        session: message.session,
        run: message.run,
      })
      if (!known) gateway.onMessage(message)
    }

    welcome(frame: Extract<ClientFrame, { type: 'hello' }>): void {
      const text = helloText({ nonce, gateway: trust.gateway.id, device: frame.device, address: url })
      if (!verifyText(device, text, frame.signature)) {
        const error = { type: 'not_authenticated', message: 'Unknown device.', next: '' }
        return this.deliver({ type: 'refused', key: null, error })
      }
      this.welcomed = true
      this.deliver({ type: 'welcome', seq: events.length, operator: trust.operator })
      if (frame.since !== null)
        for (const event of events.slice(frame.since)) this.deliver({ type: 'event', event })
    }

    close(): void {
      if (!sockets.delete(this)) return
      setImmediate(() =>
        this.dispatchEvent(Object.assign(new Event('close'), { code: 1000, reason: 'closed' })),
      )
    }
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    requireSignature(request, body)
    const url = new URL(request.url ?? '/', 'http://fake')
    const [, , noun = '', ref = '', verb = ''] = url.pathname.split('/').map(decodeURIComponent)
    const receipt = { ok: true, ledger: 7 }
    const change = `${request.method} ${url.pathname}`
    if (request.method === 'POST') gateway.changes.push(change)
    const asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
    }
    const known =
      gateway.models.answer(asked) ??
      gateway.grants.answer(asked) ??
      gateway.policy.answer(asked) ??
      gateway.files.answer(asked) ??
      gateway.channels.answer(asked)
    if (known !== undefined) return known
    switch (noun) {
      case 'health':
        return { ok: true, gateway: trust.gateway.id, version: '0.1.0' }
      case 'limits':
        return [{ name: 'A task', change: null, limits: [{ name: 'activeMs', value: 600_000 }] }]
      case 'status':
        return { ...statusOf(), ...gateway.status }
      case 'sessions':
        if (verb === 'fork') return { session: newId('ses'), title: 'Fork', messages: 3, ledger: 20 }
        return ref === '' ? [sessionOf(newId('ses'))] : sessionDetail(ref as SessionId)
      case 'messages':
        return admitted(SendMessage.parse(asked.body))
      case 'runs':
        if (ref === '') return [...runs.values()]
        if (verb === 'stop') return stop(ref as RunId, receipt)
        if (verb === 'undo') return { run: newId('run'), calls: 2, ledger: 8 }
        if (verb === 'retry') return sentAgain(ref as RunId, RetryRun.parse(asked.body))
        if (verb === 'events') return runEvents(ref, url.searchParams)
        return {
          run: runs.get(ref as RunId) ?? missing(ref),
          calls: gateway.calls,
          approvals: [],
          reasoning: gateway.reasoning,
        }
      case 'approvals':
        if (ref === '') return listApprovals(url.searchParams)
        if (verb === 'decision') return decide(ref, DecideApproval.parse(asked.body))
        if (verb === 'edit') return edit(ref, EditApproval.parse(asked.body).args)
        if (verb === 'extend') return extend(ref, ExtendApproval.parse(asked.body).hours)
        if (verb === 'ask') return explain(ref, AskAboutApproval.parse(asked.body).question)
        return findApproval(ref)
      case 'unasked':
        return []
      case 'questions':
        if (ref === '') return gateway.questions
        return answerQuestion(ref, body, receipt)
      case 'ids':
        return { ids: [...runs.keys()].filter((id) => id.endsWith(asked.query['part'] ?? '')) }
      case 'why':
        return {
          // A part of an id is not one, as for the real gateway.
          subject: asked.query['ref']?.replace(/^[0-9a-f]{8}$/, missing),
          chain: [whyLink('effect', 12), whyLink('person', null)],
        }
      case 'ledger':
        return ref === 'verify' ? ledgerReport(gateway.ledgerOk) : '{"n":1}\n{"n":2}\n'
      case 'pause':
      case 'resume':
        paused = noun === 'pause'
        return receipt
      default:
        return missing(url.pathname)
    }
  }

  function admitted({ key, session, text }: SendMessage): unknown {
    const { run, input, session: where } = admit(key, session, text)
    return { input, session: where, run, steered: false, seq: events.length, ledger: 21 }
  }

  function runEvents(run: string, page: URLSearchParams): GatewayEvent[] {
    const since = Number(page.get('since') ?? 0)
    return events.filter(({ seq, body }) => seq > since && 'run' in body && body.run === run)
  }

  function stop(id: RunId, receipt: unknown): unknown {
    const run = runs.get(id)
    if (run && run.state !== 'stopped') {
      const { session, input } = run
      emit({ type: 'run.ended', session, run: id, input, reason: 'manual', message: '' })
    }
    return receipt
  }

  function requireSignature(request: IncomingMessage, body: string): void {
    const header = (name: string) => String(request.headers[`countersign-${name}`] ?? '')
    const text = requestText({
      method: request.method ?? '',
      path: request.url ?? '',
      bodyHash: sha256Hex(body),
      time: header('time'),
      nonce: header('nonce'),
      gateway: trust.gateway.id,
      device: header('device'),
      address: url,
    })
    if (!verifyText(device, text, header('signature')))
      throw new CountersignError('not_authenticated', 'Unknown device.')
  }

  function answerQuestion(ref: string, body: string, receipt: unknown): unknown {
    const question = gateway.questions.find(({ id }) => id === ref) ?? missing(ref)
    const { answer: text } = JSON.parse(body) as { answer: string }
    gateway.questions.splice(gateway.questions.indexOf(question), 1)
    emit({
      type: 'question.answered',
      session: question.session,
      run: question.run,
      question: question.id,
      answer: text,
    })
    return receipt
  }

  function listApprovals(filter: URLSearchParams): unknown {
    const [state, run] = [filter.get('state'), filter.get('run')]
    return gateway.approvals
      .map(({ approval }) => approval)
      .filter(
        (approval) => (state === null || approval.state === state) && (run === null || approval.run === run),
      )
  }

  function findApproval(ref: string): ApprovalDetail {
    return (
      gateway.approvals.find(({ approval }) => approval.id === ref || approval.code === ref.toUpperCase()) ??
      missing(ref)
    )
  }

  function decide(ref: string, verdict: DecideApproval): unknown {
    const detail = findApproval(ref)
    const { approval } = detail
    if (approval.state !== 'pending')
      throw new CountersignError('conflict', `${approval.code} is already ${approval.state}.`)
    if (verdict.verdict === 'approve') requireSeal(detail, verdict)
    gateway.decisions.push(verdict)
    const state = verdict.verdict === 'approve' ? 'approved' : 'denied'
    const decided = {
      ...approval,
      state,
      decidedAt: at,
      decidedBy: 'you',
      receipt: `${state} ${approval.code}`,
    } as const
    gateway.approvals[gateway.approvals.indexOf(detail)] = { ...detail, approval: decided }
    const { session, run, id, code } = approval
    emit({ type: 'approval.decided', session, run, approval: id, code, state, by: 'you', reason: null })
    emit({ type: 'run.resumed', session, run })
    gateway.onDecision(detail)
    return {
      approval: decided,
      grant: verdict.verdict === 'approve' && verdict.grant ? newId('gr') : null,
      ledger: 9,
    }
  }

  function amend(ref: string, change: Partial<ApprovalView>): ApprovalDetail {
    const detail = findApproval(ref)
    if (detail.approval.state !== 'pending')
      throw new CountersignError('conflict', 'It does not wait any more.')
    const amended = { ...detail, approval: { ...detail.approval, ...change } }
    gateway.approvals[gateway.approvals.indexOf(detail)] = amended
    return amended
  }

  function edit(ref: string, args: string): unknown {
    const detail = amend(ref, { state: 'superseded' })
    gateway.onEdit(detail, args)
    return { ok: true, ledger: 17 }
  }

  function extend(ref: string, hours: number): unknown {
    const expiresAt = new Date(Date.parse(at) + hours * 3_600_000).toISOString()
    return { approval: amend(ref, { expiresAt }).approval, ledger: 18 }
  }

  function explain(ref: string, question: string): unknown {
    const { asked } = findApproval(ref).approval
    const exchange = { question, answer: 'She asked for it.\u001b[2J', at }
    return { approval: amend(ref, { asked: [...asked, exchange] }).approval, ledger: 19 }
  }

  function requireSeal(
    { approval }: ApprovalDetail,
    verdict: Extract<DecideApproval, { verdict: 'approve' }>,
  ): void {
    if (verdict.digest !== approval.digest) throw new CountersignError('conflict', 'Another digest.')
    if (approval.card.tier < 3) return
    const { seal } = verdict
    if (seal?.by !== 'device') throw new CountersignError('not_authenticated', 'No seal.')
    if (!verifyText(device, sealText(approval.digest, seal.device, seal.decidedAt), seal.signature)) {
      throw new CountersignError('not_authenticated', 'A seal that does not fit.')
    }
  }

  function sessionDetail(id: SessionId): unknown {
    const own = [...runs.values()].filter((run) => run.session === id)
    if (own.length === 0) return missing(id)
    const messages = own.map((run) => ({ at, run: run.id, role: 'operator', text: run.text }))
    return { session: sessionOf(id), messages, runs: own }
  }

  function statusOf(): Status {
    return {
      version: '0.1.0',
      gateway: trust.gateway.id,
      operator: trust.operator,
      pid: process.pid,
      url,
      startedAt: at,
      slot: 1,
      autonomy: 'medium',
      policy: 'v1',
      asked: plainAsked,
      paused: paused ? { at, by: 'you' } : null,
      held: null,
      database: { mode: 'embedded', ok: true, problem: null },
      executor: { ok: true, pid: 2, sandbox: 'bubblewrap' },
      model: gateway.model,
      ledger: { size: 12, signed: 12, writable: true, alarm: false },
      runs: { running: 0, parked: 0, queued: 0 },
      pending: { approvals: gateway.approvals.length, questions: 0 },
      seq: events.length,
      clients: sockets.size,
      push: 0,
      disk: plainDisk,
    }
  }

  function prove(request: IncomingMessage, response: ServerResponse, bodyHash: string): void {
    const text = answerText({
      gateway: trust.gateway.id,
      address: url,
      method: request.method ?? '',
      path: request.url ?? '',
      nonce: String(request.headers['countersign-nonce']),
      status: response.statusCode,
      bodyHash,
    })
    response.setHeader(proofHeader, signText(signing, text))
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (value) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        prove(request, response, typeof value === 'string' ? streamedBody : sha256Hex(text))
        response.end(text)
      },
      (error: unknown) => {
        const known =
          error instanceof CountersignError ? error : new CountersignError('internal', String(error))
        response.statusCode = errorCatalogue[known.code].http
        const text = JSON.stringify({
          ok: false,
          error: { type: known.code, message: known.message, next: known.next },
        })
        prove(request, response, sha256Hex(text))
        response.end(text)
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const lease = join(paths.lease, `${process.pid}.json`)
  mkdirSync(paths.lease, { recursive: true, mode: 0o700 })
  const held = { pid: process.pid, url, startedAt: new Date().toISOString(), version: '0.1.0' }
  writeFileSync(lease, JSON.stringify(signLease(held, trust.gateway.id, signing)), { mode: 0o600 })

  const gateway: FakeGateway = {
    url,
    WebSocket: FakeSocket as unknown as typeof WebSocket,
    decisions: [],
    calls: [],
    approvals: [],
    reasoning: [],
    questions: [],
    messages: [],
    chosenModels: [],
    changes: [],
    model: { provider: 'fake', model: 'none', ok: true, state: 'ok', since: null, problem: null },
    models: fakeModels(),
    files: fakeFiles(),
    grants: fakeGrants(),
    policy: fakePolicy(),
    channels: fakeChannels(),
    onMessage: (message) => gateway.reply(message, `You said ${message.text}`),
    onDecision: () => undefined,
    onEdit: () => undefined,
    ledgerOk: true,
    loseNext: false,
    status: {},
    emit,
    delta({ session, run }, turn, text, more = {}) {
      const frame = { type: 'delta' as const, session, run, turn, attempt: 1, kind: 'text' as const, text }
      for (const socket of sockets) socket.deliver({ ...frame, ...more })
    },
    reply({ session, run, input }, text) {
      emit({ type: 'turn.replied', session, run, turn: 1, text, calls: 0 })
      emit({ type: 'run.ended', session, run, input, reason: 'completed', message: '' })
    },
    ask(detail) {
      gateway.approvals.push(detail)
      const { session, run } = detail.approval
      emit({ type: 'approval.requested', session, run, approval: detail.approval })
      emit({ type: 'run.parked', session, run, on: 'approval' })
    },
    drop() {
      for (const socket of sockets) socket.close()
    },
    async close() {
      gateway.drop()
      rmSync(lease, { force: true })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return gateway
}

function missing(ref: string): never {
  throw new CountersignError('not_found', `There is no ${ref}.`)
}

function sessionOf(id: SessionId) {
  return {
    id,
    title: 'Invoices',
    createdAt: at,
    updatedAt: at,
    activeRun: null,
    queued: 0,
    pinned: false,
    metadata: {},
    extraTools: [],
    private: false,
    hidden: false,
    model: null,
  }
}

function whyLink(what: string, ledger: number | null) {
  return { what, id: `${what}-id`, at, sentence: `The ${what}.`, ledger }
}

function ledgerReport(ok: boolean) {
  return {
    ok,
    size: 12,
    signed: 12,
    root: 'root',
    checkpoints: 3,
    key: 'gateway+key',
    problem: ok ? null : 'entry 4 was changed',
  }
}
