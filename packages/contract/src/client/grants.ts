/** The calls about approvals beyond the verdict, and about standing authority. */
import type { CoverageRequest } from '../api-grants.ts'
import type { CallId } from '../ids.ts'
import { approvalRoutes } from '../routes/approvals.ts'
import { grantRoutes } from '../routes/grants.ts'
import type { Call } from './call.ts'

/** An agent takes its time to answer. */
const longestAnswerMs = 120_000

export function grantCalls(call: Call) {
  return {
    editApproval: (ref: string, args: string) =>
      call(approvalRoutes.editApproval, { params: { ref }, body: { args } }),
    extendApproval: (ref: string, hours: number) =>
      call(approvalRoutes.extendApproval, { params: { ref }, body: { hours } }),
    askAboutApproval: (ref: string, question: string) =>
      call(approvalRoutes.askAboutApproval, { params: { ref }, body: { question } }, longestAnswerMs),
    coverage: (request: CoverageRequest) => call(grantRoutes.coverage, { body: request }),
    suggestedGrants: () => call(grantRoutes.suggestedGrants),
    takeSuggestion: (id: string) => call(grantRoutes.takeSuggestion, { params: { id } }),
    pruneGrants: (unusedDays: number, dryRun: boolean) =>
      call(grantRoutes.pruneGrants, { body: { unusedDays, dryRun } }),
    askedFor: (session: string) => call(grantRoutes.askedFor, { params: { id: session } }),
    takeBack: (id: string) => call(grantRoutes.takeBack, { params: { id } }),
    unasked: () => call(grantRoutes.unasked),
    dismissUnasked: (id: string) => call(grantRoutes.dismissUnasked, { params: { id } }),
    letAsk: (id: string, one: CallId) => call(grantRoutes.letAsk, { params: { id }, body: { call: one } }),
    whatCan: (agent?: string) => call(grantRoutes.whatCan, { query: { agent } }),
  }
}
