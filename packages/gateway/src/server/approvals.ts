/** Owns the routes by which a person decides: requests, their details, verdicts, edits, and open questions. */
import {
  AnswerQuestion,
  ApprovalDetail,
  ApprovalView,
  AskAboutApproval,
  CountersignError,
  DecideApproval,
  DecisionReply,
  EditApproval,
  type Exchange,
  ExtendApproval,
  ExtensionReply,
  type OperatorId,
  QuestionId,
  QuestionView,
  Receipt,
  RunId,
} from '@countersign/contract'
import { type Kernel, subjectOf, viewOfApproval } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import { z } from '@hono/zod-openapi'
import { type App, receipt, route } from './route.ts'

export interface ApprovalParts {
  readonly kernel: Kernel
  readonly views: Views
  /** Puts a question about a waiting call to the agent that wants it; nothing where no model answers. */
  readonly explain: (
    operator: OperatorId,
    approval: ApprovalView,
    question: string,
  ) => Promise<string | undefined>
  readonly clock: () => Date
}

const refParam = z.object({ ref: z.string().min(1).max(64) })

export function addApprovalRoutes(app: App, { kernel, views, explain, clock }: ApprovalParts): void {
  app.openapi(
    route('get', '/v1/approvals', 'Approval requests, newest first.', z.array(ApprovalView), {
      query: z.object({ state: ApprovalView.shape.state.optional(), run: RunId.optional() }),
    }),
    async (context) => {
      const { state, run } = context.req.valid('query')
      const filter = { ...(state ? { state } : {}), ...(run ? { run } : {}) }
      return context.json(await views.approvals(context.get('speaker').operator, filter), 200)
    },
  )
  app.openapi(
    route(
      'get',
      '/v1/approvals/{ref}',
      'One request, by id or code, with the text that a device seals.',
      ApprovalDetail,
      { params: refParam },
    ),
    async (context) => {
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
        },
        200,
      )
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/approvals/{ref}/decision',
      'Approves or denies. The first decision wins.',
      DecisionReply,
      {
        params: refParam,
        body: DecideApproval,
      },
    ),
    async (context) => {
      const { operator, actor, reach } = context.get('speaker')
      const { ref } = context.req.valid('param')
      return context.json(
        await kernel.decide(operator, ref, context.req.valid('json'), { ...actor, reach }),
        200,
      )
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/approvals/{ref}/edit',
      'Replaces the agent’s arguments. The call is evaluated again, which may create a new request.',
      Receipt,
      { params: refParam, body: EditApproval },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { ref } = context.req.valid('param')
      const { args } = context.req.valid('json')
      return context.json(receipt(await kernel.edit(operator, ref, args, actor)), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/approvals/{ref}/extend',
      'Extends the deadline of a request, at most by a week.',
      ExtensionReply,
      {
        params: refParam,
        body: ExtendApproval,
      },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { ref } = context.req.valid('param')
      const { hours } = context.req.valid('json')
      return context.json(await kernel.extend(operator, ref, hours, actor), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/approvals/{ref}/ask',
      'Asks the agent about a request; it stays pending.',
      ExtensionReply,
      {
        params: refParam,
        body: AskAboutApproval,
      },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { ref } = context.req.valid('param')
      const { question } = context.req.valid('json')
      const approval = viewOfApproval(await kernel.approval(operator, ref))
      if (approval.state !== 'pending')
        throw new CountersignError('conflict', `${approval.code} is no longer pending.`)
      const answer = await explain(operator, approval, question)
      if (answer === undefined)
        throw new CountersignError(
          'model_unavailable',
          'The agent did not answer. The request is still pending.',
        )
      const exchange: Exchange = { question, answer, at: clock().toISOString() }
      return context.json(await kernel.note(operator, approval.id, exchange, actor), 200)
    },
  )
  app.openapi(route('get', '/v1/questions', 'Open questions.', z.array(QuestionView)), async (context) =>
    context.json(await views.questions(context.get('speaker').operator), 200),
  )
  app.openapi(
    route('post', '/v1/questions/{id}/answer', 'Answers a question.', Receipt, {
      params: z.object({ id: QuestionId }),
      body: AnswerQuestion,
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      const { answer } = context.req.valid('json')
      return context.json(receipt(await kernel.answer(operator, id, answer, actor)), 200)
    },
  )
}
