/** Owns the typed HTTP client. Every request is signed by the device; every answer is parsed before it is trusted. */
import { z } from 'zod'
import {
  Admitted,
  type AnswerQuestion,
  ApprovalDetail,
  type DecideApproval,
  Decided,
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
import { Switched, ToolCalled, ToolDetail, ToolGroupView, ToolView, TriedCall } from '../api-tools.ts'
import { ApprovalView } from '../card.ts'
import { CountersignError } from '../errors.ts'
import { GatewayEvent } from '../events.ts'
import { requestText } from '../frames.ts'
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
import { partCalls } from './parts.ts'
import { planCalls } from './plans.ts'
import { pushCalls } from './push.ts'
import { scheduleCalls } from './schedules.ts'
import type { Signer } from './signer.ts'
import { errorOf, type Transport, type TransportReply } from './transport.ts'

export type { Transport, TransportReply } from './transport.ts'

export type Client = ReturnType<typeof createClient>

export interface ClientOptions {
  readonly url: string
  readonly signer: Signer
  readonly fetch?: Transport
  readonly timeoutMs?: number
}

/** A ledger of years over a slow line. */
const longestExportMs = 3_600_000

export function createClient(options: ClientOptions) {
  const send: Transport = options.fetch ?? fetch

  async function raw(
    method: Method,
    path: string,
    body?: unknown,
    timeoutMs = options.timeoutMs ?? 30_000,
  ): Promise<TransportReply> {
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = await signedHeaders(options.signer, method, path, text)
    let response: TransportReply
    try {
      response = await send(new URL(path, options.url), {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: text }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (cause) {
      throw new CountersignError('gateway_unreachable', `No gateway answers at ${options.url}.`, { cause })
    }
    if (!response.ok) throw await errorOf(response)
    return response
  }

  const call: Call = async (shape, method, path, body, timeoutMs) => {
    const response = await raw(method, path, body, timeoutMs)
    return shape.parse(await response.json())
  }

  return {
    health: () => call(Health, 'GET', '/v1/health'),
    status: () => call(Status, 'GET', '/v1/status'),
    send: (message: SendMessage) => call(Admitted, 'POST', '/v1/messages', message),
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
      call(Decided, 'POST', `/v1/approvals/${part(ref)}/decision`, verdict),
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
    exportLedger: async (): Promise<ReadableStream<Uint8Array> | null> =>
      (await raw('GET', '/v1/ledger/export', undefined, longestExportMs)).body,
    tools: () => call(z.array(ToolView), 'GET', '/v1/tools'),
    tool: (name: string) => call(ToolDetail, 'GET', `/v1/tools/${part(name)}`),
    toolGroups: () => call(z.array(ToolGroupView), 'GET', '/v1/tool-groups'),
    switchTool: (name: string, enabled: boolean) =>
      call(Switched, 'POST', `/v1/tools/${part(name)}/switch`, { enabled }),
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
    ...partCalls(raw),
    pause: () => call(Receipt, 'POST', '/v1/pause', {}),
    resume: () => call(Receipt, 'POST', '/v1/resume', {}),
  }
}

async function signedHeaders(
  signer: Signer,
  method: string,
  path: string,
  body: string,
): Promise<Record<string, string>> {
  const time = signer.now().toISOString()
  const nonce = signer.nonce()
  const bodyHash = await signer.hash(body)
  const { gateway, device } = signer
  const signature = await signer.sign(requestText({ method, path, bodyHash, time, nonce, gateway, device }))
  return {
    'countersign-device': device,
    'countersign-time': time,
    'countersign-nonce': nonce,
    'countersign-signature': signature,
  }
}
