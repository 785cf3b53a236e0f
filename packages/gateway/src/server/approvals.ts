/** Owns the routes by which a person decides: requests, their details, verdicts, edits, and open questions. */
import {
  type ApprovalView,
  CountersignError,
  type DecisionReply,
  type Exchange,
  type OperatorId,
  type RefusalStop,
} from '@countersign/contract'
import { approvalRoutes } from '@countersign/contract/routes'
import {
  type Actor,
  type Kernel,
  refusalAt,
  refusalsOf,
  subjectOf,
  viewOfApproval,
} from '@countersign/kernel'
import type { Views } from '@countersign/views'
import type { PolicyAdmin } from '../policy-settings/policy-admin.ts'
import { type App, languageFor, receipt, route } from './route.ts'

export interface ApprovalParts {
  readonly kernel: Kernel
  readonly views: Views
  /** Puts a question about a waiting call to the agent that wants it; nothing where no model answers. */
  readonly explain: (
    operator: OperatorId,
    approval: ApprovalView,
    question: string,
  ) => Promise<string | undefined>
  readonly policy: Pick<PolicyAdmin, 'refuse'>
  readonly clock: () => Date
}

export function addApprovalRoutes(app: App, parts: ApprovalParts): void {
  const { kernel, views, explain, clock } = parts
  app.openapi(route(approvalRoutes.approvals), async (context) => {
    const { state, run } = context.req.valid('query')
    const filter = { ...(state ? { state } : {}), ...(run ? { run } : {}) }
    return context.json(await views.approvals(context.get('speaker').operator, filter), 200)
  })
  app.openapi(route(approvalRoutes.approval), async (context) => {
    const { operator } = context.get('speaker')
    const row = await kernel.approval(operator, context.req.valid('param').ref)
    const subject = subjectOf(row)
    const tools = await kernel.tools.open(operator)
    return context.json(
      {
        approval: viewOfApproval(row),
        subject: row.subject,
        tool: subject.tool.name,
        args: subject.args,
        schema: (tools.find(subject.tool.name)?.schema ?? {}) as Record<string, unknown>,
        history: await views.similar(operator, subject),
        refusals: refusalsOf({ tool: subject.tool.name, resources: subject.resources }, languageFor(context)),
      },
      200,
    )
  })
  addDecisionRoute(app, parts)
  app.openapi(route(approvalRoutes.editApproval), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { ref } = context.req.valid('param')
    const { args } = context.req.valid('json')
    return context.json(receipt(await kernel.edit(operator, ref, args, actor)), 200)
  })
  app.openapi(route(approvalRoutes.extendApproval), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { ref } = context.req.valid('param')
    const { hours } = context.req.valid('json')
    return context.json(await kernel.extend(operator, ref, hours, actor), 200)
  })
  app.openapi(route(approvalRoutes.askAboutApproval), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { ref } = context.req.valid('param')
    const { question } = context.req.valid('json')
    const approval = viewOfApproval(await kernel.approval(operator, ref))
    if (approval.state !== 'pending')
      throw new CountersignError('conflict', `${approval.code} does not wait any more.`)
    const answer = await explain(operator, approval, question)
    if (answer === undefined)
      throw new CountersignError('model_unavailable', 'The agent did not answer; the request still waits.')
    const exchange: Exchange = { question, answer, at: clock().toISOString() }
    return context.json(await kernel.note(operator, approval.id, exchange, actor), 200)
  })
  app.openapi(route(approvalRoutes.questions), async (context) =>
    context.json(await views.questions(context.get('speaker').operator), 200),
  )
  app.openapi(route(approvalRoutes.answer), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    const { answer } = context.req.valid('json')
    return context.json(receipt(await kernel.answer(operator, id, answer, actor)), 200)
  })
  app.openapi(route(approvalRoutes.reply), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    const reply = context.req.valid('json')
    return context.json(receipt(await kernel.replyToServer(operator, id, reply, actor)), 200)
  })
}

function addDecisionRoute(app: App, parts: ApprovalParts): void {
  const { kernel } = parts
  app.openapi(route(approvalRoutes.decide), async (context) => {
    const { operator, actor, reach } = context.get('speaker')
    const { ref } = context.req.valid('param')
    const verdict = context.req.valid('json')
    const decided = await kernel.decide(operator, ref, verdict, { ...actor, reach })
    const always = verdict.verdict === 'deny' ? verdict.always : undefined
    if (always === undefined) return context.json(decided, 200)
    const refusal = await writeRefusal(parts, operator, decided.approval, always, actor)
    return context.json({ ...decided, refusal }, 200)
  })
}

/** The denial stands whatever comes of the rule, so a rule that could not be written is told and not thrown. */
async function writeRefusal(
  { kernel, policy }: ApprovalParts,
  operator: OperatorId,
  { id, code }: ApprovalView,
  stop: RefusalStop,
  actor: Actor,
): Promise<NonNullable<DecisionReply['refusal']>> {
  const subject = subjectOf(await kernel.approval(operator, id))
  const rule = refusalAt(stop, { tool: subject.tool.name, resources: subject.resources })
  if (rule === null) return { kind: 'failed', problem: 'The call names nothing of that kind.' }
  try {
    const { version, ledger } = await policy.refuse(actor, { approval: id, code, rule })
    return { kind: 'written', version: version.number, ledger }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return { kind: 'failed', problem: `${error.message} ${error.next}`.trim() }
  }
}
