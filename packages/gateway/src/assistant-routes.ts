/** Lists the routes of the assistant's services. */
import type { Assistant } from '@countersign/assistant'
import type { Kernel } from '@countersign/kernel'
import { addAgentFileRoutes } from './server/agent-files.ts'
import { addAgentLearningRoutes } from './server/agent-learnings.ts'
import { addAgentRoutes } from './server/agents.ts'
import { addFeedRoutes } from './server/feed.ts'
import { addGoalRoutes } from './server/goals.ts'
import { addHistoryRoutes } from './server/history.ts'
import { addHookRoutes } from './server/hooks.ts'
import { addMemoryRoutes } from './server/memory.ts'
import { addPlanRoutes } from './server/plans.ts'
import type { App } from './server/route.ts'
import { addScheduleRoutes } from './server/schedules.ts'
import { addSearchRoutes } from './server/search.ts'

export interface AssistantRoutesParts {
  readonly assistant: Assistant
  readonly kernel: Pick<Kernel, 'records' | 'tools'>
  /** The value of a secret, for comparing only. */
  readonly secretOf: (name: string) => Promise<string | undefined>
  readonly clock: () => Date
}

export function assistantRoutes({
  assistant,
  kernel,
  secretOf,
  clock,
}: AssistantRoutesParts): ((app: App) => void)[] {
  const {
    agents,
    teams,
    answering,
    profiles,
    goals,
    tasks,
    plans,
    feed,
    schedules,
    newMail,
    memories,
    history,
  } = assistant.services
  return [
    (app) =>
      addAgentRoutes(app, {
        agents,
        teams,
        answering,
        profiles,
        reset: assistant.reset,
        prompt: async (operator, agent, { goal, session, text }) =>
          assistant.prompt(
            {
              id: null,
              session: session ?? null,
              agent: (await agents.get(agent)).id,
              goal: goal ?? null,
              about: null,
              unattended: false,
              ...(text === undefined ? {} : { words: text }),
            },
            await kernel.tools.open(operator),
          ),
      }),
    (app) => addAgentFileRoutes(app, assistant.services.toldFiles),
    (app) => addAgentLearningRoutes(app, assistant.services.learnings),
    (app) => addGoalRoutes(app, { goals, tasks, inspect: assistant.inspect }),
    (app) => addHistoryRoutes(app, { history }),
    (app) => addMemoryRoutes(app, { memories }),
    (app) => addSearchRoutes(app, { search: assistant.services.search }),
    (app) => addPlanRoutes(app, { plans }),
    (app) => addScheduleRoutes(app, { ...schedules, lookNow: newMail.lookNow }),
    (app) => addHookRoutes(app, { hook: schedules.hook, deliver: schedules.deliver, secretOf, clock }),
    (app) => addFeedRoutes(app, { feed, records: kernel.records }),
  ]
}
