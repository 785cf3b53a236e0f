/** What an operator plans, and what they let run by itself. */
import type { Hand } from './hands.ts'
import { type JobGroup, job, type World } from './job.ts'

const goalNamed = async ({ client }: World, title: string) =>
  (await client.goals({ all: 'true' })).find((each) => each.title === title)
const automationNamed = async ({ client }: World, name: string) =>
  (await client.schedules()).find((each) => each.name === name)
const planNamed = async ({ client }: World, name: string) =>
  (await client.plans({ limit: '200' })).plans.find((each) => each.name === name)

const aGoal = (words: string) => async (world: World) => {
  const title = world.mine(words)
  const { goal } = await world.client.addGoal({ title })
  return { title, id: goal.id }
}

const anAutomation = (words: string) => async (world: World) => {
  const name = world.mine(words)
  await world.client.addSchedule({
    name,
    trigger: { kind: 'cron', expression: '0 8 * * 1-5', zone: 'UTC' },
    does: { kind: 'prompt', text: 'Say what is due.' },
  })
  return name
}

const aPlan = (words: string) => async (world: World) => {
  const name = world.mine(words)
  const look = {
    type: 'tool_call',
    id: 'look',
    name: 'Look around',
    tool: 'list_directory',
    args: { path: '.' },
  }
  await world.client.addPlan({ name, goal: 'Know what is there.', steps: [look] } as never)
  return name
}

async function openGoal(hand: Hand, title: string): Promise<Hand> {
  await hand.go('Goals')
  await hand.press({ role: 'link', name: new RegExp(`^${title}`) })
  await hand.within('article').sees(title)
  return hand.within('article')
}

async function openAutomation(hand: Hand, name: string): Promise<Hand> {
  await hand.go('Automations')
  await hand.press({ role: 'link', name: new RegExp(`^${name}`) })
  await hand.within('article').sees(name)
  return hand.within('article')
}

async function openPlan(hand: Hand, name: string): Promise<Hand> {
  await hand.go('Goals')
  await hand.press({ role: 'link', name: 'Plans' })
  await hand.press({ role: 'link', name: new RegExp(`^${name}`) })
  await hand.within('article').sees(name)
  return hand.within('article')
}

export const planJobs: JobGroup = {
  name: 'Plan and automate',
  jobs: [
    job('Add a goal with a due date', {
      given: ({ mine }) => mine('Learn Danish'),
      async steps(hand, title) {
        await hand.go('Goals')
        await hand.press('Add a goal')
        const window = hand.within('dialog')
        await window.fill('What do you want to reach?', title)
        await window.fill('Due date', '2031-12-31')
        await window.press('Add a goal')
        await hand.within('article').sees(title)
      },
      isDone: async (world, title) => (await goalNamed(world, title))?.due === '2031-12-31',
    }),
    job('Add a step to a goal', {
      given: aGoal('Paint the fence'),
      async steps(hand, { title }) {
        const page = await openGoal(hand, title)
        await page.fill('New step', 'Buy the paint')
        await page.press('Add a step')
      },
      isDone: async ({ client }, { id }) =>
        (await client.goal(id)).steps.some((step) => step.title === 'Buy the paint'),
    }),
    job('Tick off a step', {
      async given(world) {
        const goal = await aGoal('Tidy the shed')(world)
        await world.client.addGoalStep(goal.id, { title: 'Empty it' })
        return goal
      },
      async steps(hand, { title }) {
        await (await openGoal(hand, title)).press('Done: Empty it')
      },
      isDone: async ({ client }, { id }) => (await client.goal(id)).steps[0]?.status === 'completed',
    }),
    job('Limit what a goal may spend', {
      given: aGoal('Find a house'),
      async steps(hand, { title }) {
        await (await openGoal(hand, title)).press('Change limits')
        await hand.within('dialog').fill('Dollars a day', '0.50')
        await hand.within('dialog').press('Save')
      },
      isDone: async (world, { title }) => JSON.stringify(await goalNamed(world, title)).includes('0.5'),
    }),
    job('Pause a goal', {
      given: aGoal('Read more'),
      async steps(hand, { title }) {
        await (await openGoal(hand, title)).press('Pause')
      },
      isDone: async (world, { title }) => (await goalNamed(world, title))?.held === true,
    }),
    job('Mark a goal as done', {
      given: aGoal('Plant a tree'),
      async steps(hand, { title }) {
        await (await openGoal(hand, title)).press('Mark as done')
      },
      isDone: async (world, { title }) => (await goalNamed(world, title))?.status === 'completed',
    }),
    job('Delete a goal', {
      given: aGoal('Sell the boat'),
      async steps(hand, { title }) {
        await (await openGoal(hand, title)).menu('More', 'Delete…')
        await hand.within('dialog').press('Delete the goal')
      },
      isDone: async (world, { title }) => (await goalNamed(world, title)) === undefined,
    }),
    job('Start a plan', {
      given: aPlan('Look around'),
      async steps(hand, name) {
        await (await openPlan(hand, name)).press('Start…')
        await hand.within('dialog').press('Start')
      },
      isDone: async (world, name) => (await planNamed(world, name))?.status === 'completed',
    }),
    job('Delete a plan', {
      given: aPlan('Old plan'),
      async steps(hand, name) {
        await (await openPlan(hand, name)).menu('More', 'Delete…')
        await hand.within('dialog').press('Delete the plan')
      },
      isDone: async (world, name) => (await planNamed(world, name)) === undefined,
    }),
    job('Add an automation in a sentence', {
      given: ({ mine }) => mine('Water the plants'),
      async steps(hand, name) {
        await hand.go('Automations')
        await hand.press('Add an automation')
        const window = hand.within('dialog')
        await window.fill('When, and what?', 'every Friday at 17:00 remind me to water the plants')
        await window.fill('Name', name)
        await window.press('Add')
        await hand.within('article').sees(name)
      },
      isDone: async (world, name) => (await automationNamed(world, name))?.status === 'active',
    }),
    job('Change when an automation runs', {
      given: anAutomation('Early brief'),
      async steps(hand, name) {
        await (await openAutomation(hand, name)).press('Edit')
        await hand.within('dialog').fill('Cron expression', '30 7 * * 1-5')
        await hand.within('dialog').press('Save')
      },
      isDone: async (world, name) =>
        JSON.stringify((await automationNamed(world, name))?.trigger).includes('30 7 * * 1-5'),
    }),
    job('Run an automation now', {
      given: anAutomation('Brief now'),
      async steps(hand, name) {
        await (await openAutomation(hand, name)).press('Run now')
      },
      isDone: async ({ client }, name) =>
        ((await client.schedules()).find((each) => each.name === name)?.last.length ?? 0) > 0,
    }),
    job('Pause an automation', {
      given: anAutomation('Evening brief'),
      async steps(hand, name) {
        await (await openAutomation(hand, name)).press('Pause')
      },
      isDone: async (world, name) => (await automationNamed(world, name))?.status === 'paused',
    }),
    job('Delete an automation', {
      given: anAutomation('Weekly brief'),
      async steps(hand, name) {
        await (await openAutomation(hand, name)).menu('More', 'Delete…')
        await hand.within('dialog').press('Delete the automation')
      },
      isDone: async (world, name) => (await automationNamed(world, name)) === undefined,
    }),
  ],
}
