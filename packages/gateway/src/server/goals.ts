/** Owns the routes of goals and of the tasks of agents. What is done here is the operator's own act. */
import type {
  AddGoalEntry,
  AddStep,
  AgentTaskView,
  Goal,
  GoalBoard,
  GoalChange,
  GoalDetail,
  GoalEntry,
  GoalView,
  HealthInspection,
  NewGoal,
  StepChange,
  StepView,
} from '@countersign/contract'
import { goalRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
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
    setEntry(
      actor: Actor,
      id: string,
      which: { readonly list: GoalEntryList; readonly entry: string },
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
  inspect(): Promise<HealthInspection>
}

export function addGoalRoutes(app: App, { goals, tasks, inspect }: GoalParts): void {
  app.openapi(route(goalRoutes.inspectWork), async (context) => context.json(await inspect(), 200))
  app.openapi(route(goalRoutes.goals), async (context) => {
    const { status, all } = context.req.valid('query')
    const filter = { ...(status === undefined ? {} : { status }), all: all === 'true' }
    return context.json(await goals.list(filter), 200)
  })
  app.openapi(route(goalRoutes.goalBoard), async (context) => context.json(await goals.board(), 200))
  app.openapi(route(goalRoutes.goal), async (context) =>
    context.json(await goals.show(context.req.valid('param').id), 200),
  )
  app.openapi(route(goalRoutes.addGoal), async (context) =>
    context.json(await goals.add(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(route(goalRoutes.setGoal), async (context) => {
    const { actor } = context.get('speaker')
    const { goal, ledger } = await goals.set(actor, context.req.valid('param').id, context.req.valid('json'))
    return context.json({ goal, ledger }, 200)
  })
  app.openapi(route(goalRoutes.removeGoal), async (context) =>
    context.json(
      receipt(await goals.remove(context.get('speaker').actor, context.req.valid('param').id)),
      200,
    ),
  )
  addStates(app, goals)
  addSteps(app, goals)
  const { addGoalNote, setGoalNote, removeGoalNote } = goalRoutes
  const { addGoalLearning, setGoalLearning, removeGoalLearning } = goalRoutes
  addEntries(app, goals, 'notes', { add: addGoalNote, set: setGoalNote, remove: removeGoalNote })
  addEntries(app, goals, 'learnings', {
    add: addGoalLearning,
    set: setGoalLearning,
    remove: removeGoalLearning,
  })
  addTasks(app, tasks)
}

function addStates(app: App, goals: GoalParts['goals']): void {
  app.openapi(route(goalRoutes.pauseGoal), async (context) =>
    context.json(await goals.pause(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(route(goalRoutes.resumeGoal), async (context) =>
    context.json(await goals.resume(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(route(goalRoutes.finishGoal), async (context) => {
    const { goal, ledger } = await goals.done(context.get('speaker').actor, context.req.valid('param').id)
    return context.json({ goal, ledger }, 200)
  })
}

function addSteps(app: App, goals: GoalParts['goals']): void {
  app.openapi(route(goalRoutes.addGoalStep), async (context) => {
    const { actor } = context.get('speaker')
    return context.json(
      await goals.addStep(actor, context.req.valid('param').id, context.req.valid('json')),
      200,
    )
  })
  app.openapi(route(goalRoutes.setGoalStep), async (context) => {
    const { actor } = context.get('speaker')
    const { id, step } = context.req.valid('param')
    return context.json(await goals.setStep(actor, id, step, context.req.valid('json')), 200)
  })
  app.openapi(route(goalRoutes.removeGoalStep), async (context) => {
    const { id, step } = context.req.valid('param')
    return context.json(receipt(await goals.removeStep(context.get('speaker').actor, id, step)), 200)
  })
}

function addEntries(
  app: App,
  goals: GoalParts['goals'],
  list: GoalEntryList,
  routes: {
    readonly add: typeof goalRoutes.addGoalNote | typeof goalRoutes.addGoalLearning
    readonly set: typeof goalRoutes.setGoalNote | typeof goalRoutes.setGoalLearning
    readonly remove: typeof goalRoutes.removeGoalNote | typeof goalRoutes.removeGoalLearning
  },
): void {
  app.openapi(route(routes.add), async (context) => {
    const { actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await goals.addEntry(actor, id, list, context.req.valid('json')), 200)
  })
  app.openapi(route(routes.set), async (context) => {
    const { actor } = context.get('speaker')
    const { id, entry } = context.req.valid('param')
    return context.json(await goals.setEntry(actor, id, { list, entry }, context.req.valid('json')), 200)
  })
  app.openapi(route(routes.remove), async (context) => {
    const { id, entry } = context.req.valid('param')
    return context.json(receipt(await goals.removeEntry(context.get('speaker').actor, id, list, entry)), 200)
  })
}

function addTasks(app: App, tasks: GoalParts['tasks']): void {
  app.openapi(route(goalRoutes.agentTasks), async (context) => {
    const { status, goal } = context.req.valid('query')
    const filter = { ...(status === undefined ? {} : { status }), ...(goal === undefined ? {} : { goal }) }
    return context.json(await tasks.list(filter), 200)
  })
  app.openapi(route(goalRoutes.agentTask), async (context) =>
    context.json(await tasks.show(context.req.valid('param').id), 200),
  )
  app.openapi(route(goalRoutes.retryAgentTask), async (context) =>
    context.json(await tasks.retry(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(route(goalRoutes.cancelAgentTask), async (context) =>
    context.json(await tasks.cancel(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
}
