/** The part of the typed client that speaks of goals and of the tasks of agents. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  type AddGoal,
  type AddGoalEntry,
  type AddStep,
  AgentTaskReply,
  AgentTaskView,
  GoalBoard,
  GoalDetail,
  GoalEntryReply,
  GoalHeldReply,
  GoalReply,
  GoalView,
  type SetGoal,
  type SetStep,
  StepReply,
} from '../api-goals.ts'
import { type Call, part, query } from './call.ts'

export function goalCalls(call: Call) {
  const goal = (id: string) => `/v1/goals/${part(id)}`
  const task = (id: string) => `/v1/agent-tasks/${part(id)}`
  return {
    goals: (filter: { status?: string; all?: string } = {}) =>
      call(z.array(GoalView), 'GET', `/v1/goals${query(filter)}`),
    goalBoard: () => call(GoalBoard, 'GET', '/v1/goal-board'),
    goal: (id: string) => call(GoalDetail, 'GET', goal(id)),
    addGoal: (added: z.input<typeof AddGoal>) => call(GoalReply, 'POST', '/v1/goals', added),
    setGoal: (id: string, change: z.input<typeof SetGoal>) => call(GoalReply, 'PUT', goal(id), change),
    removeGoal: (id: string) => call(Receipt, 'DELETE', goal(id)),
    /** Holds the goal and everything under it. */
    pauseGoal: (id: string) => call(GoalHeldReply, 'POST', `${goal(id)}/pause`, {}),
    resumeGoal: (id: string) => call(GoalHeldReply, 'POST', `${goal(id)}/resume`, {}),
    finishGoal: (id: string) => call(GoalReply, 'POST', `${goal(id)}/done`, {}),
    addGoalStep: (id: string, step: AddStep) => call(StepReply, 'POST', `${goal(id)}/steps`, step),
    setGoalStep: (id: string, step: string, change: z.input<typeof SetStep>) =>
      call(StepReply, 'PUT', `${goal(id)}/steps/${part(step)}`, change),
    removeGoalStep: (id: string, step: string) => call(Receipt, 'DELETE', `${goal(id)}/steps/${part(step)}`),
    addGoalNote: (id: string, note: AddGoalEntry) => call(GoalEntryReply, 'POST', `${goal(id)}/notes`, note),
    removeGoalNote: (id: string, note: string) => call(Receipt, 'DELETE', `${goal(id)}/notes/${part(note)}`),
    addGoalLearning: (id: string, learning: AddGoalEntry) =>
      call(GoalEntryReply, 'POST', `${goal(id)}/learnings`, learning),
    removeGoalLearning: (id: string, learning: string) =>
      call(Receipt, 'DELETE', `${goal(id)}/learnings/${part(learning)}`),
    agentTasks: (filter: { status?: string; goal?: string } = {}) =>
      call(z.array(AgentTaskView), 'GET', `/v1/agent-tasks${query(filter)}`),
    agentTask: (id: string) => call(AgentTaskView, 'GET', task(id)),
    retryAgentTask: (id: string) => call(AgentTaskReply, 'POST', `${task(id)}/retry`, {}),
    cancelAgentTask: (id: string) => call(AgentTaskReply, 'POST', `${task(id)}/cancel`, {}),
  }
}
