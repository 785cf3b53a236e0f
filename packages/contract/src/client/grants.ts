/** The calls about approvals beyond the verdict, and about standing authority. */
import { z } from 'zod'
import { ExtensionReply, Receipt } from '../api.ts'
import { Coverage, type CoverageRequest, GrantSuggestion, PruneReply, WhatCan } from '../api-grants.ts'
import { type Call, part, query } from './call.ts'

/** An agent takes its time to answer. */
const longestAnswerMs = 120_000

export function grantCalls(call: Call) {
  return {
    editApproval: (ref: string, args: string) =>
      call(Receipt, 'POST', `/v1/approvals/${part(ref)}/edit`, { args }),
    extendApproval: (ref: string, hours: number) =>
      call(ExtensionReply, 'POST', `/v1/approvals/${part(ref)}/extend`, { hours }),
    askAboutApproval: (ref: string, question: string) =>
      call(ExtensionReply, 'POST', `/v1/approvals/${part(ref)}/ask`, { question }, longestAnswerMs),
    coverage: (request: CoverageRequest) => call(Coverage, 'POST', '/v1/grants/coverage', request),
    suggestedGrants: () => call(z.array(GrantSuggestion), 'GET', '/v1/grants/suggestions'),
    pruneGrants: (unusedDays: number, dryRun: boolean) =>
      call(PruneReply, 'POST', '/v1/grants/prune', { unusedDays, dryRun }),
    whatCan: (agent?: string) => call(WhatCan, 'GET', `/v1/what-can${query({ agent })}`),
  }
}
