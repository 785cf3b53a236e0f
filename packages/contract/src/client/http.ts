/** Owns the typed HTTP client. Every request is signed by the device; every answer is proven by the gateway, then parsed. */
import type { z } from 'zod'
import type { AnswerQuestion, DecideApproval, RetryRun, SendMessage } from '../api.ts'
import type { CallId, ShortIdKind } from '../ids.ts'
import { approvalRoutes } from '../routes/approvals.ts'
import { gatewayRoutes } from '../routes/gateway.ts'
import { grantRoutes } from '../routes/grants.ts'
import { historyRoutes } from '../routes/history.ts'
import { runRoutes } from '../routes/runs.ts'
import { toolRoutes } from '../routes/tools.ts'
import type { QuestionReply } from '../server-asks.ts'
import { requestText } from '../signed-texts.ts'
import { agentFileCalls } from './agent-files.ts'
import { agentLearningCalls } from './agent-learnings.ts'
import { agentCalls } from './agents.ts'
import { calendarCalls } from './calendar.ts'
import { type ClientRequest, callBy, requestOf, type StreamCall } from './call.ts'
import { careCalls } from './care.ts'
import { channelCalls } from './channels.ts'
import { deviceCalls } from './devices.ts'
import { extensionCalls } from './extensions.ts'
import { feedCalls } from './feed.ts'
import { fileCalls } from './files.ts'
import { goalCalls } from './goals.ts'
import { grantCalls } from './grants.ts'
import { historyCalls } from './history.ts'
import { ledgerCalls, ledgerTable } from './ledger.ts'
import { liveCalls } from './live-calls.ts'
import { mailCalls } from './mail.ts'
import { memoryCalls } from './memory.ts'
import { modelCalls } from './models.ts'
import { nodeCalls } from './nodes.ts'
import { onboardingCalls } from './onboarding.ts'
import { partCalls } from './parts.ts'
import { planCalls } from './plans.ts'
import { policyCalls } from './policy.ts'
import { programCalls } from './programs.ts'
import { ask, type ProofQuestion, provableAddress, provenStream, provenText, requireProof } from './proof.ts'
import { pushCalls } from './push.ts'
import { recordCalls } from './records.ts'
import { scheduleCalls } from './schedules.ts'
import { searchCalls } from './search.ts'
import { secretCalls } from './secrets.ts'
import { settingCalls } from './settings.ts'
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
    const { method, path } = requestOf(gatewayRoutes.health)
    const question = { gateway: signer.gateway, method, path, nonce: signer.nonce(), address }
    const response = await ask(send, url, question, { timeoutMs })
    await requireProof(url, question, response, await signer.hash(await response.text()), signer)
  }

  async function asked({ method, path, body }: ClientRequest, timeoutMs: number) {
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

  const call = callBy(async (request, timeoutMs = options.timeoutMs ?? 30_000) => {
    const { question, response } = await asked(request, timeoutMs)
    return provenText(options.url, question, response, options.signer)
  })

  const stream: StreamCall = async (route, given, timeoutMs) => {
    const { question, response } = await asked(requestOf(route, given as object), timeoutMs)
    return provenStream(options.url, question, response, options.signer)
  }

  return {
    health: () => call(gatewayRoutes.health),
    status: () => call(gatewayRoutes.status),
    send: (message: SendMessage) => call(historyRoutes.send, { body: message }),
    sessions: () => call(historyRoutes.sessions),
    session: (id: string) => call(historyRoutes.session, { params: { id } }),
    runs: (filter: { session?: string; state?: string } = {}) => call(runRoutes.runs, { query: filter }),
    run: (id: string) => call(runRoutes.run, { params: { id } }),
    ids: (part: string, kind?: ShortIdKind) => call(runRoutes.ids, { query: { part, kind } }),
    limits: () => call(gatewayRoutes.limits),
    retryRun: (id: string, body: RetryRun = {}) => call(runRoutes.retryRun, { params: { id }, body }),
    stopRun: (id: string) => call(runRoutes.stopRun, { params: { id } }),
    pauseRun: (id: string) => call(runRoutes.pauseRun, { params: { id } }),
    resumeRun: (id: string) => call(runRoutes.resumeRun, { params: { id } }),
    undoRun: (id: string, calls?: readonly string[]) =>
      call(runRoutes.undoRun, { params: { id }, body: calls ? { calls: [...calls] as CallId[] } : {} }),
    approvals: (filter: { state?: string; run?: string } = {}) =>
      call(approvalRoutes.approvals, { query: filter }),
    approval: (ref: string) => call(approvalRoutes.approval, { params: { ref } }),
    decide: (ref: string, verdict: DecideApproval) =>
      call(approvalRoutes.decide, { params: { ref }, body: verdict }),
    questions: () => call(approvalRoutes.questions),
    answer: (id: string, answer: z.infer<typeof AnswerQuestion>) =>
      call(approvalRoutes.answer, { params: { id }, body: answer }),
    reply: (id: string, reply: QuestionReply) => call(approvalRoutes.reply, { params: { id }, body: reply }),
    grants: () => call(grantRoutes.grants),
    revokeGrant: (id: string) => call(grantRoutes.revokeGrant, { params: { id } }),
    why: (ref: string) => call(runRoutes.why, { query: { ref } }),
    events: (since: number, limit = 500) => call(gatewayRoutes.events, { query: { since, limit } }),
    verifyLedger: async () => call((await ledgerTable()).verifyLedger),
    /** The export as it comes, line by line. */
    exportLedger: async (): Promise<ReadableStream<Uint8Array> | null> =>
      stream((await ledgerTable()).exportLedger, {}, longestExportMs),
    tools: () => call(toolRoutes.tools),
    tool: (name: string) => call(toolRoutes.tool, { params: { name } }),
    toolGroups: () => call(toolRoutes.toolGroups),
    switchTool: (name: string, enabled: boolean) =>
      call(toolRoutes.switchTool, { params: { name }, body: { enabled } }),
    tryTool: (name: string, args: string) => call(toolRoutes.tryTool, { params: { name }, body: { args } }),
    callTool: (name: string, args: string) => call(toolRoutes.callTool, { params: { name }, body: { args } }),
    ...calendarCalls(call),
    ...channelCalls(call),
    ...extensionCalls(call),
    ...nodeCalls(call),
    ...mailCalls(call),
    ...secretCalls(call),
    ...settingCalls(call),
    ...modelCalls(call),
    ...onboardingCalls(call),
    ...agentCalls(call),
    ...agentFileCalls(call),
    ...agentLearningCalls(call),
    ...goalCalls(call),
    ...historyCalls(call),
    ...careCalls(call),
    ...ledgerCalls(call),
    ...liveCalls(call),
    ...memoryCalls(call, stream),
    ...searchCalls(call),
    ...planCalls(call),
    ...scheduleCalls(call),
    ...feedCalls(call),
    ...grantCalls(call),
    ...policyCalls(call),
    ...programCalls(call),
    ...fileCalls(call),
    ...pushCalls(call),
    ...recordCalls(call),
    ...deviceCalls(call),
    ...partCalls(stream),
    pause: () => call(gatewayRoutes.pause),
    resume: () => call(gatewayRoutes.resume),
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
