/** Owns the routes of goals and of the tasks of agents. What is done here is the operator's own act. */
import {
  AddGoal,
  AddGoalEntry,
  AddStep,
  AgentTaskReply,
  AgentTaskStatus,
  AgentTaskView,
  type Goal,
  GoalBoard,
  type GoalChange,
  GoalDetail,
  type GoalEntry,
  GoalEntryReply,
  GoalHeldReply,
  GoalReply,
  GoalStatus,
  GoalView,
  type NewGoal,
  Receipt,
  SetGoal,
  SetStep,
  type StepChange,
  StepReply,
  type StepView,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
import { type App, receipt, route } from './route.ts'

type ChangedGoal = { readonly goal: GoalView; readonly goals: number; readonly ledger: number }
type ChangedStep = { readonly step: StepView; readonly ledger: number }
type ChangedTask = { readonly task: AgentTaskView; readonly ledger: number }
type GoalEntryList = 'notes' | 'learnings'

export interface GoalParts {
  readonly goals: {
    list(filter: { readonly status?: Goal['status']; readonly all?: boolean }): Promise<GoalView[]>
    board(): Promise<GoalBoard>
    show(id: string): Promise<GoalDetail>
    add(actor: Actor, goal: NewGoal): Promise<{ readonly goal: GoalView; readonly ledger: number }>
    set(actor: Actor, id: string, change: GoalChange): Promise<ChangedGoal>
    remove(actor: Actor, id: string): Promise<number>
    pause(actor: Actor, id: string): Promise<ChangedGoal>
    resume(actor: Actor, id: string): Promise<ChangedGoal>
    done(actor: Actor, id: string): Promise<ChangedGoal>
    addStep(actor: Actor, id: string, step: AddStep): Promise<ChangedStep>
    setStep(actor: Actor, id: string, step: string, change: StepChange): Promise<ChangedStep>
    removeStep(actor: Actor, id: string, step: string): Promise<number>
    addEntry(
      actor: Actor,
      id: string,
      list: GoalEntryList,
      entry: AddGoalEntry,
    ): Promise<{ readonly entry: GoalEntry; readonly ledger: number }>
    removeEntry(actor: Actor, id: string, list: GoalEntryList, entry: string): Promise<number>
  }
  readonly tasks: {
    list(filter: { readonly status?: string; readonly goal?: string }): Promise<AgentTaskView[]>
    show(id: string): Promise<AgentTaskView>
    retry(actor: Actor, id: string): Promise<ChangedTask>
    cancel(actor: Actor, id: string): Promise<ChangedTask>
  }
}

const Id = z.string().min(1).max(100)
const one = { params: z.object({ id: Id }) }
const stepOf = { params: z.object({ id: Id, step: Id }) }
const entryOf = { params: z.object({ id: Id, entry: Id }) }
const nothing = z.strictObject({})

export function addGoalRoutes(app: App, { goals, tasks }: GoalParts): void {
  app.openapi(
    route('get', '/v1/goals', 'Open goals; with `all` also ended ones.', z.array(GoalView), {
      query: z.object({ status: GoalStatus.optional(), all: z.enum(['true', 'false']).optional() }),
    }),
    async (context) => {
      const { status, all } = context.req.valid('query')
      const filter = { ...(status === undefined ? {} : { status }), all: all === 'true' }
      return context.json(await goals.list(filter), 200)
    },
  )
  app.openapi(route('get', '/v1/goal-board', 'Goals grouped by status.', GoalBoard), async (context) =>
    context.json(await goals.board(), 200),
  )
  app.openapi(
    route('get', '/v1/goals/{id}', 'One goal with its steps, tasks, notes and limits.', GoalDetail, one),
    async (context) => context.json(await goals.show(context.req.valid('param').id), 200),
  )
  app.openapi(route('post', '/v1/goals', 'Adds a goal.', GoalReply, { body: AddGoal }), async (context) =>
    context.json(await goals.add(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(
    route('put', '/v1/goals/{id}', 'Changes a goal; null clears a field or a limit.', GoalReply, {
      ...one,
      body: SetGoal,
    }),
    async (context) => {
      const { actor } = context.get('speaker')
      const { goal, ledger } = await goals.set(
        actor,
        context.req.valid('param').id,
        context.req.valid('json'),
      )
      return context.json({ goal, ledger }, 200)
    },
  )
  app.openapi(
    route('delete', '/v1/goals/{id}', 'Removes a goal with its steps.', Receipt, one),
    async (context) =>
      context.json(
        receipt(await goals.remove(context.get('speaker').actor, context.req.valid('param').id)),
        200,
      ),
  )
  addStates(app, goals)
  addSteps(app, goals)
  for (const list of ['notes', 'learnings'] as const) addEntries(app, goals, list)
  addTasks(app, tasks)
}

function addStates(app: App, goals: GoalParts['goals']): void {
  app.openapi(
    route('post', '/v1/goals/{id}/pause', 'Pauses a goal and its subgoals.', GoalHeldReply, {
      ...one,
      body: nothing,
    }),
    async (context) =>
      context.json(await goals.pause(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/goals/{id}/resume',
      'Resumes a goal and the subgoals that no other pause holds.',
      GoalHeldReply,
      {
        ...one,
        body: nothing,
      },
    ),
    async (context) =>
      context.json(await goals.resume(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(
    route('post', '/v1/goals/{id}/done', 'Completes a goal.', GoalReply, { ...one, body: nothing }),
    async (context) => {
      const { goal, ledger } = await goals.done(context.get('speaker').actor, context.req.valid('param').id)
      return context.json({ goal, ledger }, 200)
    },
  )
}

function addSteps(app: App, goals: GoalParts['goals']): void {
  app.openapi(
    route('post', '/v1/goals/{id}/steps', 'Adds a step at the end.', StepReply, {
      ...one,
      body: AddStep,
    }),
    async (context) => {
      const { actor } = context.get('speaker')
      return context.json(
        await goals.addStep(actor, context.req.valid('param').id, context.req.valid('json')),
        200,
      )
    },
  )
  app.openapi(
    route('put', '/v1/goals/{id}/steps/{step}', 'Changes a step.', StepReply, { ...stepOf, body: SetStep }),
    async (context) => {
      const { actor } = context.get('speaker')
      const { id, step } = context.req.valid('param')
      return context.json(await goals.setStep(actor, id, step, context.req.valid('json')), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/goals/{id}/steps/{step}', 'Removes a step.', Receipt, stepOf),
    async (context) => {
      const { id, step } = context.req.valid('param')
      return context.json(receipt(await goals.removeStep(context.get('speaker').actor, id, step)), 200)
    },
  )
}

function addEntries(app: App, goals: GoalParts['goals'], list: GoalEntryList): void {
  const noun = list === 'notes' ? 'note' : 'learning'
  app.openapi(
    route('post', `/v1/goals/{id}/${list}`, `Adds a ${noun} to a goal.`, GoalEntryReply, {
      ...one,
      body: AddGoalEntry,
    }),
    async (context) => {
      const { actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await goals.addEntry(actor, id, list, context.req.valid('json')), 200)
    },
  )
  app.openapi(
    route('delete', `/v1/goals/{id}/${list}/{entry}`, `Removes a ${noun} of a goal.`, Receipt, entryOf),
    async (context) => {
      const { id, entry } = context.req.valid('param')
      return context.json(
        receipt(await goals.removeEntry(context.get('speaker').actor, id, list, entry)),
        200,
      )
    },
  )
}

function addTasks(app: App, tasks: GoalParts['tasks']): void {
  app.openapi(
    route('get', '/v1/agent-tasks', 'Agent tasks, newest first.', z.array(AgentTaskView), {
      query: z.object({ status: AgentTaskStatus.optional(), goal: Id.optional() }),
    }),
    async (context) => {
      const { status, goal } = context.req.valid('query')
      const filter = { ...(status === undefined ? {} : { status }), ...(goal === undefined ? {} : { goal }) }
      return context.json(await tasks.list(filter), 200)
    },
  )
  app.openapi(
    route('get', '/v1/agent-tasks/{id}', 'One task of an agent.', AgentTaskView, one),
    async (context) => context.json(await tasks.show(context.req.valid('param').id), 200),
  )
  app.openapi(
    route('post', '/v1/agent-tasks/{id}/retry', 'Retries a task.', AgentTaskReply, {
      ...one,
      body: nothing,
    }),
    async (context) =>
      context.json(await tasks.retry(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(
    route('post', '/v1/agent-tasks/{id}/cancel', 'Cancels a task.', AgentTaskReply, {
      ...one,
      body: nothing,
    }),
    async (context) =>
      context.json(await tasks.cancel(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
}
