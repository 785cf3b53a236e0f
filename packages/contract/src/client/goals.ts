/** The part of the typed client that speaks of goals and of the tasks of agents. */
import type { z } from 'zod'
import type { AddGoal, AddGoalEntry, AddStep, SetGoal, SetStep } from '../api-goals.ts'
import { goalRoutes } from '../routes/goals.ts'
import type { Call } from './call.ts'

export function goalCalls(call: Call) {
  return {
    goals: (filter: { status?: string; all?: string } = {}) => call(goalRoutes.goals, { query: filter }),
    goalBoard: () => call(goalRoutes.goalBoard),
    goal: (id: string) => call(goalRoutes.goal, { params: { id } }),
    addGoal: (added: z.input<typeof AddGoal>) => call(goalRoutes.addGoal, { body: added }),
    setGoal: (id: string, change: z.input<typeof SetGoal>) =>
      call(goalRoutes.setGoal, { params: { id }, body: change }),
    removeGoal: (id: string) => call(goalRoutes.removeGoal, { params: { id } }),
    /** Holds the goal and everything under it. */
    pauseGoal: (id: string) => call(goalRoutes.pauseGoal, { params: { id } }),
    resumeGoal: (id: string) => call(goalRoutes.resumeGoal, { params: { id } }),
    finishGoal: (id: string) => call(goalRoutes.finishGoal, { params: { id } }),
    addGoalStep: (id: string, step: AddStep) => call(goalRoutes.addGoalStep, { params: { id }, body: step }),
    setGoalStep: (id: string, step: string, change: z.input<typeof SetStep>) =>
      call(goalRoutes.setGoalStep, { params: { id, step }, body: change }),
    removeGoalStep: (id: string, step: string) => call(goalRoutes.removeGoalStep, { params: { id, step } }),
    addGoalNote: (id: string, note: AddGoalEntry) =>
      call(goalRoutes.addGoalNote, { params: { id }, body: note }),
    removeGoalNote: (id: string, entry: string) => call(goalRoutes.removeGoalNote, { params: { id, entry } }),
    addGoalLearning: (id: string, learning: AddGoalEntry) =>
      call(goalRoutes.addGoalLearning, { params: { id }, body: learning }),
    setGoalNote: (id: string, entry: string, body: AddGoalEntry) =>
      call(goalRoutes.setGoalNote, { params: { id, entry }, body }),
    setGoalLearning: (id: string, entry: string, body: AddGoalEntry) =>
      call(goalRoutes.setGoalLearning, { params: { id, entry }, body }),
    removeGoalLearning: (id: string, entry: string) =>
      call(goalRoutes.removeGoalLearning, { params: { id, entry } }),
    agentTasks: (filter: { status?: string; goal?: string } = {}) =>
      call(goalRoutes.agentTasks, { query: filter }),
    agentTask: (id: string) => call(goalRoutes.agentTask, { params: { id } }),
    retryAgentTask: (id: string) => call(goalRoutes.retryAgentTask, { params: { id } }),
    cancelAgentTask: (id: string) => call(goalRoutes.cancelAgentTask, { params: { id } }),
    inspectWork: () => call(goalRoutes.inspectWork),
  }
}
