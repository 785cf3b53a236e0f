/** Owns the table of the routes of approvals and open questions. */
import { z } from 'zod'
import {
  AnswerQuestion,
  ApprovalDetail,
  AskAboutApproval,
  DecideApproval,
  DecisionReply,
  EditApproval,
  ExtendApproval,
  ExtensionReply,
  QuestionView,
  Receipt,
} from '../api.ts'
import { ApprovalView } from '../card.ts'
import { QuestionId, RunId } from '../ids.ts'
import { QuestionReply } from '../server-asks.ts'
import { define } from './define.ts'

const refParam = z.object({ ref: z.string().min(1).max(64) })

export const approvalRoutes = {
  approvals: define('get', '/v1/approvals', 'Approval requests, newest first.', z.array(ApprovalView), {
    query: z.object({ state: ApprovalView.shape.state.optional(), run: RunId.optional() }),
  }),
  approval: define(
    'get',
    '/v1/approvals/{ref}',
    'One request, by id or code, with the text that a device seals.',
    ApprovalDetail,
    { params: refParam },
  ),
  decide: define(
    'post',
    '/v1/approvals/{ref}/decision',
    'Approves or denies. The first decision wins.',
    DecisionReply,
    {
      params: refParam,
      body: DecideApproval,
    },
  ),
  editApproval: define(
    'post',
    '/v1/approvals/{ref}/edit',
    'Replaces the agent’s arguments. The call is evaluated again, which may create a new request.',
    Receipt,
    { params: refParam, body: EditApproval },
  ),
  extendApproval: define(
    'post',
    '/v1/approvals/{ref}/extend',
    'Extends the deadline of a request, at most by a week.',
    ExtensionReply,
    {
      params: refParam,
      body: ExtendApproval,
    },
  ),
  askAboutApproval: define(
    'post',
    '/v1/approvals/{ref}/ask',
    'Asks the agent about a request; it stays pending.',
    ExtensionReply,
    {
      params: refParam,
      body: AskAboutApproval,
    },
  ),
  questions: define('get', '/v1/questions', 'Open questions.', z.array(QuestionView)),
  answer: define('post', '/v1/questions/{id}/answer', 'Answers a question.', Receipt, {
    params: z.object({ id: QuestionId }),
    body: AnswerQuestion,
  }),
  reply: define('post', '/v1/questions/{id}/reply', 'Replies to a question of a server.', Receipt, {
    params: z.object({ id: QuestionId }),
    body: QuestionReply,
  }),
}
