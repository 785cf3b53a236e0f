/** Owns the table of the routes of goals and of the tasks of agents. */
import { z } from 'zod'
import { AgentTaskStatus } from '../agent-task.ts'
import { Receipt } from '../api.ts'
import {
  AddGoal,
  AddGoalEntry,
  AddStep,
  AgentTaskReply,
  AgentTaskView,
  GoalBoard,
  GoalDetail,
  GoalEntryReply,
  GoalHeldReply,
  GoalReply,
  GoalView,
  HealthInspection,
  SetGoal,
  SetStep,
  StepReply,
} from '../api-goals.ts'
import { GoalStatus } from '../goal.ts'
import { define } from './define.ts'

const Id = z.string().min(1).max(100)
const one = { params: z.object({ id: Id }) }
const nothing = z.strictObject({})
const entryOf = { params: z.object({ id: Id, entry: Id }) }
const stepOf = { params: z.object({ id: Id, step: Id }) }

export const goalRoutes = {
  goals: define('get', '/v1/goals', 'Open goals; with `all` also ended ones.', z.array(GoalView), {
    query: z.object({ status: GoalStatus.optional(), all: z.enum(['true', 'false']).optional() }),
  }),
  goalBoard: define('get', '/v1/goal-board', 'Goals grouped by status.', GoalBoard),
  goal: define('get', '/v1/goals/{id}', 'One goal with its steps, tasks, notes and limits.', GoalDetail, one),
  addGoal: define('post', '/v1/goals', 'Adds a goal.', GoalReply, { body: AddGoal }),
  setGoal: define('put', '/v1/goals/{id}', 'Changes a goal; null clears a field or a limit.', GoalReply, {
    ...one,
    body: SetGoal,
  }),
  removeGoal: define('delete', '/v1/goals/{id}', 'Removes a goal with its steps.', Receipt, one),
  pauseGoal: define('post', '/v1/goals/{id}/pause', 'Pauses a goal and its subgoals.', GoalHeldReply, {
    ...one,
    body: nothing,
  }),
  resumeGoal: define(
    'post',
    '/v1/goals/{id}/resume',
    'Resumes a goal and the subgoals that no other pause holds.',
    GoalHeldReply,
    { ...one, body: nothing },
  ),
  finishGoal: define('post', '/v1/goals/{id}/done', 'Completes a goal.', GoalReply, {
    ...one,
    body: nothing,
  }),
  addGoalStep: define('post', '/v1/goals/{id}/steps', 'Adds a step at the end.', StepReply, {
    ...one,
    body: AddStep,
  }),
  setGoalStep: define('put', '/v1/goals/{id}/steps/{step}', 'Changes a step.', StepReply, {
    ...stepOf,
    body: SetStep,
  }),
  removeGoalStep: define('delete', '/v1/goals/{id}/steps/{step}', 'Removes a step.', Receipt, stepOf),
  addGoalNote: define('post', '/v1/goals/{id}/notes', 'Adds a note to a goal.', GoalEntryReply, {
    ...one,
    body: AddGoalEntry,
  }),
  setGoalNote: define(
    'put',
    '/v1/goals/{id}/notes/{entry}',
    'Changes the words of a note of a goal.',
    GoalEntryReply,
    { ...entryOf, body: AddGoalEntry },
  ),
  removeGoalNote: define(
    'delete',
    '/v1/goals/{id}/notes/{entry}',
    'Removes a note of a goal.',
    Receipt,
    entryOf,
  ),
  addGoalLearning: define('post', '/v1/goals/{id}/learnings', 'Adds a learning to a goal.', GoalEntryReply, {
    ...one,
    body: AddGoalEntry,
  }),
  setGoalLearning: define(
    'put',
    '/v1/goals/{id}/learnings/{entry}',
    'Changes the words of a learning of a goal.',
    GoalEntryReply,
    { ...entryOf, body: AddGoalEntry },
  ),
  removeGoalLearning: define(
    'delete',
    '/v1/goals/{id}/learnings/{entry}',
    'Removes a learning of a goal.',
    Receipt,
    entryOf,
  ),
  agentTasks: define('get', '/v1/agent-tasks', 'Agent tasks, newest first.', z.array(AgentTaskView), {
    query: z.object({ status: AgentTaskStatus.optional(), goal: Id.optional() }),
  }),
  agentTask: define('get', '/v1/agent-tasks/{id}', 'One task of an agent.', AgentTaskView, one),
  retryAgentTask: define('post', '/v1/agent-tasks/{id}/retry', 'Retries a task.', AgentTaskReply, {
    ...one,
    body: nothing,
  }),
  cancelAgentTask: define('post', '/v1/agent-tasks/{id}/cancel', 'Cancels a task.', AgentTaskReply, {
    ...one,
    body: nothing,
  }),
  inspectWork: define(
    'post',
    '/v1/inspections',
    'Looks after runs, tasks and goals now, as happens every five minutes, and returns what was found and done.',
    HealthInspection,
    { body: nothing },
  ),
}
