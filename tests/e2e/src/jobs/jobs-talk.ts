/** What an operator does where they talk with the assistant. */
import type { Hand } from './hands.ts'
import { type JobGroup, job, type World } from './job.ts'
import { slowly } from './script.ts'

const session = async ({ client }: World, id: string) =>
  (await client.sessions()).find((each) => each.id === id)
const runsOf = async ({ client }: World, asked: string) =>
  (await client.runs({})).filter((each) => each.asked === asked)
const isAnswered = async (world: World, asked: string) =>
  (await runsOf(world, asked)).some(({ state }) => state === 'stopped')

async function say(hand: Hand, text: string): Promise<void> {
  await hand.fill('Message', text)
  await hand.press('Send')
}

/** On a phone the list is behind a button, so that a conversation has the whole screen. */
async function toConversations(hand: Hand): Promise<void> {
  await hand.go('Chat')
  if (hand.name === 'touch') await hand.press('Conversations')
}

async function openConversation(hand: Hand, title: string): Promise<void> {
  await toConversations(hand)
  await hand.within('navigation', 'Conversations').press(new RegExp(`^${title}`))
}

const talked = (words: string) => async (world: World) => {
  const title = world.mine(words)
  return { title, id: (await world.said(title)).session }
}

export const talkJobs: JobGroup = {
  name: 'Talk',
  jobs: [
    job('Ask the assistant something', {
      given: ({ mine }) => mine('good morning, says the'),
      async steps(hand, text) {
        await hand.go('Chat')
        await say(hand, text)
        await hand.sees(`You said: ${text}`)
      },
      isDone: isAnswered,
    }),
    job('Ask something from Today', {
      given: ({ mine }) => mine('what is due, asks the'),
      async steps(hand, text) {
        await hand.fill('Ask or tell the assistant something', text)
        await hand.press('Send')
      },
      isDone: isAnswered,
    }),
    job('Stop a run', {
      given: ({ mine }) => mine(slowly),
      async steps(hand, text) {
        await hand.go('Chat')
        await say(hand, text)
        await hand.press('Stop')
        await hand.sees('stopped by you')
      },
      isDone: isAnswered,
    }),
    job('Ask the same again', {
      given: talked('once more for the'),
      async steps(hand, { title }) {
        await openConversation(hand, title)
        await hand.press('Retry')
      },
      isDone: async (world, { title }) => (await runsOf(world, title)).length === 2,
    }),
    job('Answer a question of the assistant', {
      async given(world) {
        const question = world.mine('Which day suits the')
        const args = { question, choices: ['Monday', 'Friday'] }
        const errand = await world.scene.tell([{ name: 'ask_operator', args }])
        return { question, errand }
      },
      async steps(hand, { question }) {
        await hand.go('Approvals')
        await hand.sees(question)
        await hand.inRow(question).press('Friday')
      },
      isDone: async (_world, { errand }) => ((await errand.ended()).run.text ?? '').includes('Friday'),
    }),
    job('Undo a file that the assistant wrote', {
      async given(world) {
        const path = `written-${world.hand}.txt`
        await world.did({ name: 'write_file', args: { path, content: 'hi' } })
        return path
      },
      async steps(hand, path) {
        await toConversations(hand)
        await hand.within('navigation', 'Conversations').press(new RegExp(path))
        await hand.within('log').press('Undo')
        await hand.sees('You undid 1 action')
      },
      isDone: ({ workspace }, path) => !workspace.has(path),
    }),
    job('Go on with an old conversation', {
      given: talked('the lighthouse of the'),
      async steps(hand, { title }, { mine }) {
        await toConversations(hand)
        await hand.fill('Search conversations', title)
        await hand.within('navigation', 'Conversations').press(new RegExp(`^${title}`))
        await hand.sees(`You said: ${title}`)
        await say(hand, mine('and its keeper? asks the'))
      },
      isDone: async (world, { id }) =>
        (await runsOf(world, world.mine('and its keeper? asks the'))).some((run) => run.session === id),
    }),
    job('Rename a conversation', {
      given: talked('the boats of'),
      async steps(hand, { title }, { mine }) {
        await toConversations(hand)
        await hand.menu(`Actions for ${title}`, 'Rename')
        await hand.within('dialog').fill('Name', mine('Ships of'))
        await hand.within('dialog').press('Save')
        await hand.sees(mine('Ships of'))
      },
      isDone: async (world, { id }) => (await session(world, id))?.title === world.mine('Ships of'),
    }),
    job('Pin a conversation', {
      given: talked('the harbour of'),
      async steps(hand, { title }) {
        await toConversations(hand)
        await hand.menu(`Actions for ${title}`, 'Pin')
        await hand.within('region', 'Pinned').sees(title)
      },
      isDone: async (world, { id }) => (await session(world, id))?.pinned === true,
    }),
    job('Delete a conversation', {
      given: talked('the storm of'),
      async steps(hand, { title }) {
        await toConversations(hand)
        await hand.menu(`Actions for ${title}`, 'Delete')
        await hand.within('dialog').press('Delete')
      },
      isDone: async (world, { id }) => (await session(world, id)) === undefined,
    }),
  ],
}
