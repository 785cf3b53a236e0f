import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  openTelegramPlatform,
  type Person,
  startWebhook,
  type TestChat,
  type TestPlatform,
} from '@countersign/channels/testing'
import type { ApprovalView, PeerLimits, PeerRole } from '@countersign/contract'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

let platform: TestPlatform
let installation: Installation
let gateway: GatewayProcess
/** What the model was asked last, of each message. */
const asked: string[] = []
const outside = () => join(installation.home, 'outside.txt')

beforeAll(async () => {
  platform = await openTelegramPlatform()
  installation = await openInstallation({
    script({ lastUser, lastResults }) {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text.slice(0, 200)}` }
      asked.push(lastUser)
      if (lastUser.includes('shell'))
        return {
          calls: [
            {
              name: 'execute_shell',
              args: { command: 'echo once >> effects.log; ln -s /etc/hostname door' },
            },
          ],
        }
      if (lastUser.includes('report'))
        return { calls: [{ name: 'use_tool', args: { tool: 'send_file', args: { path: 'report.txt' } } }] }
      if (lastUser.includes('errands'))
        return { calls: [{ name: 'write_file', args: { path: 'errands.txt', content: 'milk' } }] }
      if (lastUser.includes('outside')) return { calls: [{ name: 'read_file', args: { path: outside() } }] }
      if (lastUser.includes('lunch')) {
        const args = { to: `tg/${platform.people.ben.id}`, text: 'Lunch at *one*?' }
        return { calls: [{ name: 'use_tool', args: { tool: 'send_chat_message', args } }] }
      }
      if (lastUser.includes('notes'))
        return { calls: [{ name: 'use_tool', args: { tool: 'list_notes', args: {} } }] }
      return { text: `You said: ${lastUser}` }
    },
  })
  writeFileSync(outside(), 'a secret of somebody')
  gateway = await installation.start()
  const { settings, secrets } = platform
  const choices = { groups: platform.chats.group ? [platform.chats.group.id] : [] }
  await gateway.client.storeChannel('tg', { kind: 'telegram', settings, secrets, choices })
  await waitFor(async () => {
    const [channel] = await gateway.client.channels()
    expect(channel).toMatchObject({ state: 'connected', problem: null })
  })
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await platform?.close()
})

const codePattern = /[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/
const shownIn = (chat: TestChat) => platform.shown(chat).map(({ text }) => text)

async function shows(chat: TestChat, text: string | RegExp, times = 1): Promise<void> {
  await waitFor(() => {
    const found = shownIn(chat).filter((each) => (typeof text === 'string' ? each === text : text.test(each)))
    expect(found, `shown: ${JSON.stringify(shownIn(chat))}`).toHaveLength(times)
  })
}

async function codeFor(who: Person, chat: TestChat): Promise<string> {
  await platform.says(who, chat, 'Hello, may I?')
  return waitFor(() => {
    const code = shownIn(chat)
      .map((text) => codePattern.exec(text)?.[0])
      .findLast(Boolean)
    if (code === undefined) throw new Error(`no code: ${JSON.stringify(shownIn(chat))}`)
    return code
  })
}

async function letIn(who: Person, chat: TestChat, role: PeerRole, limits: Partial<PeerLimits> = {}) {
  return gateway.client.admitPeer({ code: await codeFor(who, chat), role, limits })
}

const pending = (): Promise<readonly ApprovalView[]> => gateway.client.approvals({ state: 'pending' })

async function cardIn(chat: TestChat, words: RegExp) {
  return waitFor(() => {
    const card = platform.shown(chat).findLast(({ text }) => words.test(text))
    if (!card) throw new Error(`no card: ${JSON.stringify(shownIn(chat))}`)
    return card
  })
}

describe('a channel', () => {
  test('tells a stranger one polite line, and no model of them', async () => {
    const { ben } = platform.people
    const chat = platform.chats.ben
    const code = await codeFor(ben, chat)
    await platform.says(ben, chat, 'Please delete everything.')
    await platform.says(ben, chat, code)
    await platform.says(ben, chat, 'approve ABCD')
    const [peer] = (await gateway.client.peers()).filter(({ peer: id }) => id === ben.id)
    expect(peer).toMatchObject({ state: 'asking', role: null })
    expect(asked).toEqual([])
    await shows(chat, /only answer people/)
  })

  test('answers the operator, whose words are their own', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    const { peer } = await letIn(ana, chat, 'operator')
    expect(peer).toMatchObject({ state: 'paired', role: 'operator' })
    await platform.says(ana, chat, 'What is up?')
    await shows(chat, 'You said: What is up?')
  })

  test('takes what was written while the gateway was dead, once', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    await gateway.kill()
    await platform.says(ana, chat, 'Are you there?')
    await platform.says(ana, chat, 'Still?')
    gateway = await installation.start()
    await shows(chat, 'You said: Are you there?')
    await shows(chat, 'You said: Still?')
    await platform.repeats?.()
    await platform.says(ana, chat, 'Thanks.')
    await shows(chat, 'You said: Thanks.')
    expect(asked.filter((text) => text === 'Are you there?')).toHaveLength(1)
  })

  test('has a T2 question decided below its card, by the operator alone', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    await platform.says(ana, chat, 'read the one outside')
    const card = await cardIn(chat, /outside\.txt/)
    expect(card.buttons.map(({ data }) => data)).toEqual(['approve', 'deny'])
    const [approval] = await pending()
    expect(approval?.card.tier).toBe(2)
    // Somebody else presses it: their chat is another one.
    await platform.presses?.(platform.people.ben, platform.chats.ben, card.id, 'approve')
    expect(await pending()).toHaveLength(1)
    await platform.presses?.(ana, chat, card.id, 'approve')
    await waitFor(async () => expect(await pending()).toHaveLength(0))
    const decided = await cardIn(chat, /approved by/)
    expect(decided.id).toBe(card.id)
    expect(decided.text).toContain('outside.txt')
    await shows(chat, /^Done: /)
  })

  test('shows a T3 question with the way to the app, and does not let it be approved there', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    await platform.says(ana, chat, 'use the shell')
    const card = await cardIn(chat, /effects\.log/)
    expect(card.buttons).toEqual([])
    const [approval] = await pending()
    expect(card.text).toContain(`/approvals/${approval?.code}`)
    await platform.says(ana, chat, `approve ${approval?.code}`)
    await shows(chat, /is to be read whole before it is approved/)
    expect(await pending()).toHaveLength(1)
    if (!approval) throw new Error('nothing waits')
    await approve(installation, gateway.client, approval.id)
    await settledRun(gateway.client, approval.run)
    await shows(chat, new RegExp(`→ ${approval.code}: approved by`))
  })

  test('lets the operator deny in words', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    await platform.says(ana, chat, 'use the shell again')
    const waiting = await waitFor(async () => {
      const [first] = await pending()
      if (!first) throw new Error('nothing waits yet')
      return first
    })
    await cardIn(chat, new RegExp(`Approval ${waiting.code}`))
    await platform.says(ana, chat, `deny ${waiting.code} not now`)
    await shows(chat, `${waiting.code}: denied.`)
    expect((await gateway.client.approval(waiting.id)).approval.state).toBe('denied')
  })

  test('sends a file with the answer, once it may', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    writeFileSync(join(installation.paths.workspace, 'report.txt'), 'the figures')
    await platform.says(ana, chat, 'send me the report')
    const card = await cardIn(chat, /report\.txt with the answer/)
    expect(card.text).toContain('the file, to the chat that asked for it')
    const [approval] = await pending()
    await approve(installation, gateway.client, approval?.id ?? '')
    const took = await waitFor(() => {
      const file = platform.shown(chat).flatMap((each) => each.file ?? [])[0]
      if (!file) throw new Error('no file came')
      return file
    })
    expect(took).toMatchObject({ name: 'report.txt' })
    expect(Buffer.from(took.bytes).toString()).toBe('the figures')
  })

  test('takes back what was done last, and says what the day cost, for the operator', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    const path = join(installation.paths.workspace, 'errands.txt')
    // What it read before would have it ask.
    await platform.says(ana, chat, '/new')
    await shows(chat, 'A new conversation begins with your next message.')
    await platform.says(ana, chat, '/undo')
    await shows(chat, 'Nothing was done here yet.')
    await platform.says(ana, chat, 'note my errands')
    await shows(chat, /^Done: .*errands\.txt/s)
    expect(existsSync(path)).toBe(true)
    await platform.says(ana, chat, '/undo')
    await shows(chat, 'Undone: 1 change.')
    expect(existsSync(path)).toBe(false)
    await platform.says(ana, chat, '/undo')
    await shows(chat, 'Nothing in this run can be undone.')
    await platform.says(ana, chat, '/cost')
    await shows(chat, /^Spent today: \d+\.\d{4} USD/)
    // Where the operator may not approve, nothing is changed either.
    await gateway.client.chooseChannel('tg', { approvals: false })
    await platform.says(ana, chat, '/undo')
    await shows(chat, /only be decided in your own chat/)
    await gateway.client.chooseChannel('tg', { approvals: true })
    await waitFor(async () => expect((await gateway.client.channels())[0]?.state).toBe('connected'))
  })

  test('answers a guest by reception, whose calls look at nothing of the operator', async () => {
    const { ben } = platform.people
    const chat = platform.chats.ben
    const code =
      shownIn(chat)
        .map((text) => codePattern.exec(text)?.[0])
        .findLast(Boolean) ?? ''
    await gateway.client.admitPeer({ code, role: 'guest', limits: {} })
    await platform.says(ben, chat, 'Good evening')
    await shows(chat, 'You said: Good evening')
    await platform.says(ben, chat, 'show me the notes')
    await shows(chat, /a guest asks/)
    const runs = await gateway.client.runs()
    expect(runs.some(({ agent }) => agent === 'reception')).toBe(true)
  })

  test('writes to somebody who was let in, once the operator has seen the message', async () => {
    const { ben } = platform.people
    const chat = platform.chats.ben
    await platform.says(platform.people.ana, platform.chats.ana, 'ask Ben for lunch')
    const card = await cardIn(platform.chats.ana, /Lunch at/)
    expect(card.text).toContain(`tg/${ben.id}`)
    const [approval] = await pending()
    expect(approval?.card.tier).toBe(3)
    expect(shownIn(chat).join()).not.toContain('Lunch')
    await approve(installation, gateway.client, approval?.id ?? '')
    await shows(chat, /^Lunch at .*one.*\?$/)
    const sent = (await gateway.client.deliveries('tg')).filter(({ kind }) => kind === 'message')
    expect(sent).toMatchObject([{ chat: chat.id, state: 'sent' }])
  })

  test('holds back what may be private until the operator lets it go', async () => {
    const { ben } = platform.people
    const chat = platform.chats.ben
    await gateway.client.changePeer({
      channel: 'tg',
      peer: ben.id,
      change: { kind: 'limit', limits: { tools: ['list_notes', 'use_tool'] } },
    })
    await platform.says(ben, chat, 'the notes, please')
    const held = await waitFor(async () => {
      const [first] = (await gateway.client.deliveries('tg')).filter(({ state }) => state === 'held')
      if (!first) throw new Error('nothing is held yet')
      return first
    })
    expect(shownIn(chat)).not.toContain(held.text)
    await gateway.client.settleDelivery(held.id, true)
    await shows(chat, held.text)
  })

  test('says nothing to whoever was put out, in the middle of a run too', async () => {
    const { ben } = platform.people
    const chat = platform.chats.ben
    await gateway.client.changePeer({ channel: 'tg', peer: ben.id, change: { kind: 'block' } })
    const before = shownIn(chat).length
    const heard = asked.length
    await platform.says(ben, chat, 'Hello?')
    await platform.says(platform.people.ana, platform.chats.ana, 'Anything else?')
    await shows(platform.chats.ana, 'You said: Anything else?')
    expect(shownIn(chat)).toHaveLength(before)
    expect(asked).toHaveLength(heard + 1)
  })

  test('hears in a group only whom it knows and who speaks to it', async () => {
    const { group } = platform.chats
    if (!group) throw new Error('no group')
    const { ana, ben } = platform.people
    await platform.says(ana, group, 'Nice weather.')
    await platform.says(ben, group, 'Delete it all.', { addressed: true })
    await platform.says(ana, group, 'What time is it?', { addressed: true })
    await shows(group, /You said: .*What time is it\?/)
    expect(shownIn(group)).toHaveLength(1)
  })

  test('stops when it is paused, and goes on', async () => {
    const { ana } = platform.people
    const chat = platform.chats.ana
    await gateway.client.chooseChannel('tg', { paused: true })
    expect((await gateway.client.channels())[0]?.state).toBe('paused')
    await platform.says(ana, chat, 'While you slept')
    await gateway.client.chooseChannel('tg', { paused: false })
    await shows(chat, 'You said: While you slept')
  })

  test('is tested where its notices go, if nobody can be let in as the operator', async () => {
    const hook = await startWebhook()
    try {
      const { settings, secrets } = hook
      await gateway.client.storeChannel('hook', { kind: 'webhook', settings, secrets, choices: {} })
      expect(await gateway.client.testChannel('hook')).toEqual({ chats: 1 })
      await waitFor(() =>
        expect(hook.arrived.map(({ text }) => text)).toEqual([expect.stringContaining('This is a test')]),
      )
      await gateway.client.removeChannel('hook')
    } finally {
      await hook.close()
    }
  })

  test('tells a program of what waits and of what ended, each by its name', async () => {
    const hook = await startWebhook()
    try {
      const { settings, secrets } = hook
      const told = { ...settings, ends: true }
      await gateway.client.storeChannel('events', { kind: 'webhook', settings: told, secrets, choices: {} })
      const { run, session } = await gateway.client.send({
        key: crypto.randomUUID(),
        session: null,
        text: 'Read the one outside for the events.',
        mode: 'auto',
      })
      const about = (type: string) => hook.arrived.filter((each) => each.type === type)
      await waitFor(() => expect(about('approval.waiting')).toHaveLength(1))
      const [waiting] = (await pending()).filter((approval) => approval.run === run)
      expect(about('approval.waiting')[0]?.text).toContain(waiting?.code)
      // Who reads there is not known: nothing of the call is told.
      expect(JSON.stringify(hook.arrived)).not.toContain('outside')
      await gateway.client.stopRun(run ?? '')
      await waitFor(() =>
        expect(about('run.ended').map(({ text }) => text)).toEqual([`${run} of ${session} ended: manual.`]),
      )
      await gateway.client.removeChannel('events')
    } finally {
      await hook.close()
    }
  })

  test('goes with its people and its secrets', async () => {
    await gateway.client.removeChannel('tg')
    expect(await gateway.client.channels()).toEqual([])
    expect(await gateway.client.peers()).toEqual([])
    expect((await gateway.client.secrets()).filter(({ name }) => name.startsWith('channel.'))).toEqual([])
  })
})
