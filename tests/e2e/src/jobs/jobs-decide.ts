/** What an operator decides. */
import type { Hand } from './hands.ts'
import { type JobGroup, job, type World } from './job.ts'

const detail = async ({ client }: World, id: string) => (await client.approval(id)).approval
const state = async (world: World, id: string) => (await detail(world, id)).state

/** The assistant wants to read a file outside of its workspace. */
async function asksToRead(world: World) {
  letters += 1
  const file = `letter-${String(letters)}-${world.hand}`
  const path = world.home.put(`${file}.txt`, 'Dear reader')
  return { file: new RegExp(file), ...(await world.asked({ name: 'read_file', args: { path } })) }
}
let letters = 0

/** The assistant wants to write what make runs, which a scope can hold for. */
async function asksToMake(world: World) {
  letters += 1
  const folder = `build-${String(letters)}-${world.hand}`
  const call = { name: 'write_file', args: { path: `${folder}/Makefile`, content: 'all:' } }
  return { file: new RegExp(folder), ...(await world.asked(call)) }
}

type Asked = Awaited<ReturnType<typeof asksToRead>>

async function openRequest(hand: Hand, { file }: Asked): Promise<void> {
  await hand.go('Approvals')
  await hand.press({ role: 'link', name: file })
}

/** On a phone what is done less often is behind More. */
async function other(hand: Hand, what: string): Promise<void> {
  if (hand.name === 'touch') await hand.within('main').menu('More', what)
  else await hand.press(what)
}

const isRead = async (world: World, { errand, approval }: Asked) =>
  (await state(world, approval.id)) === 'approved' &&
  ((await errand.ended()).run.text ?? '').includes('Dear reader')

const denied = (world: World, { approval }: Asked) =>
  world.client.decide(approval.id, { verdict: 'deny', reason: '', stop: true })

export const decideJobs: JobGroup = {
  name: 'Decide',
  jobs: [
    job('Approve a waiting request', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.press('Approve once')
        await hand.sees(/^Approved by/)
      },
      isDone: isRead,
    }),
    job('Decide a request on Today', {
      given: asksToRead,
      async steps(hand, { file }) {
        const row = hand.within('list', 'What needs you').inRow(file)
        await row.press('Decide here')
        await row.press('Approve once')
      },
      isDone: isRead,
    }),
    job('Approve a request in its conversation', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.within('main').press('Open conversation')
        await hand.within('region', `Decision ${asked.approval.code}`).press('Approve once')
      },
      isDone: isRead,
    }),
    job('Deny a request and say why', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.press('Deny')
        await hand.within('dialog').fill('Tell the agent why', 'Ask me tomorrow.')
        await hand.within('dialog').press('Deny')
      },
      isDone: async (world, { errand, approval }) =>
        (await state(world, approval.id)) === 'denied' &&
        ((await errand.ended()).run.text ?? '').includes('Ask me tomorrow.'),
    }),
    job('Deny a request and stop its run', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.press('Deny')
        await hand.within('dialog').press('Stop the whole run')
        await hand.within('dialog').press('Deny')
      },
      isDone: async ({ client }, { errand }) => (await client.run(errand.run)).run.state === 'stopped',
    }),
    job('Correct a request before it runs', {
      given: asksToRead,
      async steps(hand, asked, { home }) {
        const path = home.put(`answer-${hand.name}.txt`, 'Dear writer')
        await openRequest(hand, asked)
        await other(hand, 'Edit')
        await hand.within('dialog').fill('path', path)
        await hand.within('dialog').press('Save and check again')
        await hand.sees('Your changes')
        await hand.press('Approve once')
      },
      isDone: async (_world, { errand }) => ((await errand.ended()).run.text ?? '').includes('Dear writer'),
    }),
    job('Ask the assistant about a request', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await other(hand, 'Ask the agent')
        await hand.within('dialog').fill('Your question', 'Why this file?')
        await hand.within('dialog').press('Ask')
        await hand.sees('Because you asked for it.')
      },
      isDone: async (world, { approval }) =>
        (await detail(world, approval.id)).asked.some(({ question }) => question === 'Why this file?'),
      after: denied,
    }),
    job('Let a request wait longer', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.press('Extend')
        await hand.sees(/^It now waits until/)
      },
      isDone: async (world, { approval }) =>
        (await detail(world, approval.id)).expiresAt > approval.expiresAt,
      after: denied,
    }),
    job('Allow the same for a while', {
      given: asksToMake,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.within('main').menu(hand.name === 'touch' ? 'More' : 'Allow more', /^For 30 minutes/)
      },
      isDone: async (world, asked) =>
        (await state(world, asked.approval.id)) === 'approved' &&
        (await asked.errand.ended()).calls.every(({ outcome }) => outcome === 'ok') &&
        (await world.client.grants()).some(({ approval }) => approval === asked.approval.id),
      after: revokeGrants,
    }),
    job('Approve and make a rule of it', {
      given: asksToRead,
      async steps(hand, asked) {
        await openRequest(hand, asked)
        await hand.within('main').menu(hand.name === 'touch' ? 'More' : 'Allow more', /^Create a rule/)
        await hand.within('dialog').press('Today')
        await hand.within('dialog').press('Approve and save the rule')
      },
      isDone: async (world, asked) =>
        (await isRead(world, asked)) &&
        (await world.client.grants()).some(({ approval }) => approval === asked.approval.id),
      after: revokeGrants,
    }),
    job('Approve several requests at once', {
      given: (world) =>
        world.asked(
          { name: 'read_file', args: { path: world.home.put(`pair-${world.hand}.txt`, 'one') } },
          { name: 'read_file', args: { path: world.home.put(`pair-${world.hand}-2.txt`, 'two') } },
        ),
      async steps(hand) {
        await hand.go('Approvals')
        await hand.press({ role: 'checkbox', name: new RegExp(`pair-${hand.name}`) })
        await hand.sees('2 requests selected')
        await hand.press('Approve 2')
      },
      isDone: async (_world, { errand }) => (await errand.ended()).run.text === 'Got: one | two',
    }),
  ],
}

async function revokeGrants({ client }: World): Promise<void> {
  for (const { id, state: standing } of await client.grants())
    if (standing === 'active') await client.revokeGrant(id)
}
