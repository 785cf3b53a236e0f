/** Owns the typed HTTP client. Every request is signed by the device; every answer is proven by the gateway, then parsed. */
import { z } from 'zod'
import {
  AdmissionReply,
  type AnswerQuestion,
  ApprovalDetail,
  type DecideApproval,
  DecisionReply,
  GrantView,
  Health,
  LedgerReport,
  QuestionView,
  Receipt,
  RunDetail,
  RunView,
  type SendMessage,
  SessionDetail,
  SessionView,
  Status,
  UndoReply,
  Why,
} from '../api.ts'
import { secretCalls } from '../api-secrets.ts'
import { SwitchReply, ToolCalled, ToolDetail, ToolGroupView, ToolView, TriedCall } from '../api-tools.ts'
import { ApprovalView } from '../card.ts'
import { GatewayEvent } from '../events.ts'
import { requestText } from '../signed-texts.ts'
import { agentCalls } from './agents.ts'
import { type Call, type Method, part, query } from './call.ts'
import { deviceCalls } from './devices.ts'
import { feedCalls } from './feed.ts'
import { fileCalls } from './files.ts'
import { goalCalls } from './goals.ts'
import { grantCalls } from './grants.ts'
import { historyCalls } from './history.ts'
import { ledgerCalls } from './ledger.ts'
import { liveCalls } from './live-calls.ts'
import { memoryCalls } from './memory.ts'
import { modelCalls } from './models.ts'
import { onboardingCalls } from './onboarding.ts'
import { partCalls, type StreamCall } from './parts.ts'
import { planCalls } from './plans.ts'
import { ask, type ProofQuestion, provableAddress, provenStream, provenText, requireProof } from './proof.ts'
import { pushCalls } from './push.ts'
import { scheduleCalls } from './schedules.ts'
import type { Signer } from './signer.ts'
import type { Transport } from './transport.ts'

export type { Transport, TransportReply } from './transport.ts'

export type Client = ReturnType<typeof createClient>

export interface ClientOptions {
  readonly url: string
  readonly signer: Signer
  readonly fetch?: Transport
  readonly timeoutMs?: number
  /** Sent as `Accept-Language`; the gateway writes its sentences in it (default: English). */
  readonly language?: string
}

/** A ledger of years over a slow line. */
const longestExportMs = 3_600_000

export function createClient(options: ClientOptions) {
  const send: Transport = options.fetch ?? fetch

  const address = provableAddress(options.url)

  /** Nothing that the operator wrote is sent to an address before the gateway has proven itself there. */
  async function requireGateway(timeoutMs: number): Promise<void> {
    const { signer, url } = options
    const path = '/v1/health'
    const question = { gateway: signer.gateway, method: 'GET' as const, path, nonce: signer.nonce(), address }
    const response = await ask(send, url, question, { timeoutMs })
    await requireProof(url, question, response, await signer.hash(await response.text()), signer)
  }

  async function asked(method: Method, path: string, body: unknown, timeoutMs: number) {
    const text = body === undefined ? undefined : JSON.stringify(body)
    if (text !== undefined && text !== '{}') await requireGateway(timeoutMs)
    const nonce = options.signer.nonce()
    const question = { gateway: options.signer.gateway, method, path, nonce, address }
    const headers = {
      ...(await signedHeaders(options.signer, question, text ?? '')),
      ...(options.language === undefined ? {} : { 'accept-language': options.language }),
    }
    const sent = { headers, timeoutMs, ...(text === undefined ? {} : { body: text }) }
    return { question, response: await ask(send, options.url, question, sent) }
  }

  const call: Call = async (shape, method, path, body, timeoutMs = options.timeoutMs ?? 30_000) => {
    const { question, response } = await asked(method, path, body, timeoutMs)
    return shape.parse(JSON.parse(await provenText(options.url, question, response, options.signer)))
  }

  const stream: StreamCall = async (method, path, body, timeoutMs) => {
    const { question, response } = await asked(method, path, body, timeoutMs)
    return provenStream(options.url, question, response, options.signer)
  }

  return {
    health: () => call(Health, 'GET', '/v1/health'),
    status: () => call(Status, 'GET', '/v1/status'),
    send: (message: SendMessage) => call(AdmissionReply, 'POST', '/v1/messages', message),
    sessions: () => call(z.array(SessionView), 'GET', '/v1/sessions'),
    session: (id: string) => call(SessionDetail, 'GET', `/v1/sessions/${part(id)}`),
    runs: (filter: { session?: string; state?: string } = {}) =>
      call(z.array(RunView), 'GET', `/v1/runs${query(filter)}`),
    run: (id: string) => call(RunDetail, 'GET', `/v1/runs/${part(id)}`),
    stopRun: (id: string) => call(Receipt, 'POST', `/v1/runs/${part(id)}/stop`, {}),
    undoRun: (id: string, calls?: readonly string[]) =>
      call(UndoReply, 'POST', `/v1/runs/${part(id)}/undo`, calls ? { calls } : {}),
    approvals: (filter: { state?: string; run?: string } = {}) =>
      call(z.array(ApprovalView), 'GET', `/v1/approvals${query(filter)}`),
    approval: (ref: string) => call(ApprovalDetail, 'GET', `/v1/approvals/${part(ref)}`),
    decide: (ref: string, verdict: DecideApproval) =>
      call(DecisionReply, 'POST', `/v1/approvals/${part(ref)}/decision`, verdict),
    questions: () => call(z.array(QuestionView), 'GET', '/v1/questions'),
    answer: (id: string, answer: z.infer<typeof AnswerQuestion>) =>
      call(Receipt, 'POST', `/v1/questions/${part(id)}/answer`, answer),
    grants: () => call(z.array(GrantView), 'GET', '/v1/grants'),
    revokeGrant: (id: string) => call(Receipt, 'POST', `/v1/grants/${part(id)}/revoke`, {}),
    why: (ref: string) => call(Why, 'GET', `/v1/why${query({ ref })}`),
    events: (since: number, limit = 500) =>
      call(
        z.array(GatewayEvent),
        'GET',
        `/v1/events${query({ since: String(since), limit: String(limit) })}`,
      ),
    verifyLedger: () => call(LedgerReport, 'GET', '/v1/ledger/verify'),
    /** The export as it comes, line by line. */
    exportLedger: (): Promise<ReadableStream<Uint8Array> | null> =>
      stream('GET', '/v1/ledger/export', undefined, longestExportMs),
    tools: () => call(z.array(ToolView), 'GET', '/v1/tools'),
    tool: (name: string) => call(ToolDetail, 'GET', `/v1/tools/${part(name)}`),
    toolGroups: () => call(z.array(ToolGroupView), 'GET', '/v1/tool-groups'),
    switchTool: (name: string, enabled: boolean) =>
      call(SwitchReply, 'POST', `/v1/tools/${part(name)}/switch`, { enabled }),
    tryTool: (name: string, args: string) =>
      call(z.array(TriedCall), 'POST', `/v1/tools/${part(name)}/try`, { args }),
    callTool: (name: string, args: string) =>
      call(ToolCalled, 'POST', `/v1/tools/${part(name)}/call`, { args }),
    ...secretCalls(call),
    ...modelCalls(call),
    ...onboardingCalls(call),
    ...agentCalls(call),
    ...goalCalls(call),
    ...historyCalls(call),
    ...ledgerCalls(call),
    ...liveCalls(call),
    ...memoryCalls(call),
    ...planCalls(call),
    ...scheduleCalls(call),
    ...feedCalls(call),
    ...grantCalls(call),
    ...fileCalls(call),
    ...pushCalls(call),
    ...deviceCalls(call),
    ...partCalls(stream),
    pause: () => call(Receipt, 'POST', '/v1/pause', {}),
    resume: () => call(Receipt, 'POST', '/v1/resume', {}),
  }
}

async function signedHeaders(
  signer: Signer,
  { method, path, nonce, address }: ProofQuestion,
  body: string,
): Promise<Record<string, string>> {
  const time = signer.now().toISOString()
  const bodyHash = await signer.hash(body)
  const { gateway, device } = signer
  const signature = await signer.sign(
    requestText({ method, path, bodyHash, time, nonce, gateway, device, address }),
  )
  return { 'countersign-device': device, 'countersign-time': time, 'countersign-signature': signature }
}
