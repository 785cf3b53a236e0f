/** A conversation in a real browser: decided, undone, streamed, commanded, with files, and put in order. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '@countersign/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import { dialogHears } from './dialog.ts'
import type { PairedPage } from './pairing.ts'
import { obedient, openScene, type Scene } from './scene.ts'
import { until } from './until.ts'

const report = [
  '# Report',
  'There are **three** parts.',
  '| Month | Count |\n| --- | --- |\n| August | 100 |',
  '- [x] done\n- [ ] open',
  '> A quote.',
  '```ts\nconst answer = 42\n```',
  'The end.',
].join('\n\n')

const tags =
  'Say <b>so</b>.\n\n<div onclick="run()">boxed</div>\n\n<script>run()</script>\n\nBefore <!-- hidden --> after.'

let scene: Scene
let entered: PairedPage
let page: Page

/** True the first time. */
const asked = (
  (known) => (text: string) =>
    !known.has(text) && known.add(text).size > 0
)(new Set<string>())

beforeAll(async () => {
  scene = await openScene({
    script: (turn) => {
      if (turn.lastResults.length > 0) return obedient(turn)
      if (turn.lastUser === 'report') return { text: report, tokenDelayMs: 150, chunkSize: 12 }
      if (turn.lastUser === 'notes') return { text: 'Said so.[^1]\n\n[^1]: A note.' }
      if (turn.lastUser === 'tags') return { text: tags }
      if (turn.lastUser === 'cut') return { text: 'Half of a sen', finish: 'length' }
      if (turn.lastUser === 'silent')
        return asked('silent') ? { text: 'Never.', firstDelayMs: 600_000 } : { text: 'Here I am.' }
      if (turn.lastUser === 'silent for good') return { text: 'Never.', firstDelayMs: 600_000 }
      if (turn.lastUser === 'slow') return { text: 'At last.', firstDelayMs: 4_000 }
      return obedient(turn)
    },
  })
  writeFileSync(join(scene.installation.home, 'a.txt'), 'content of a.txt')
  entered = await scene.enter('/chat')
  page = entered.page
})
afterAll(() => scene.close())

const composer = (on = page) => on.getByRole('textbox', { name: 'Message' })
const log = () => page.getByRole('log')
const read = { name: 'read_file', args: { path: '' } }

async function say(text: string): Promise<void> {
  await composer().fill(text)
  await page.keyboard.press('Enter')
}

async function sessionHere(): Promise<SessionId> {
  return until(() => {
    const [, id] = /\/chat\/(ses_\w+)/.exec(page.url()) ?? []
    return id as SessionId | undefined
  })
}

async function askedInThread() {
  const errand = await scene.tell([{ ...read, args: { path: join(scene.installation.home, 'a.txt') } }])
  const [approval] = await errand.waiting()
  if (!approval) throw new Error('nothing waits')
  await page.goto(entered.at(`/chat/${errand.session}`))
  const decision = page.getByRole('region', { name: `Decision ${approval.code}` })
  await decision.waitFor()
  return { errand, decision }
}

describe('what waits is decided in the thread', () => {
  test('it is approved without leaving it, after all of it was shown', async () => {
    const { errand, decision } = await askedInThread()
    await decision.getByText(join(scene.installation.home, 'a.txt')).first().waitFor()
    await decision.locator('button:not([aria-disabled])', { hasText: 'Approve once' }).click()
    expect((await errand.ended()).run.text).toBe('Got: content of a.txt')
    await decision.waitFor({ state: 'detached' })
    expect(page.url()).toContain(errand.session)
  })

  test('it is denied with a reason that the agent is told', async () => {
    const { errand, decision } = await askedInThread()
    await decision.getByRole('button', { name: 'Deny' }).click()
    await page.keyboard.type('use b instead')
    await page.keyboard.press('Enter')
    expect((await errand.ended()).run.text).toContain('use b instead')
  })
})

test('the model of the next message is chosen beside it, stays chosen for the conversation, and is named by the reply', async () => {
  await page.goto(entered.at('/chat/new'))
  const choice = page.getByRole('combobox', { name: 'Which model answers' })
  await choice.locator('option').nth(1).waitFor({ state: 'attached' })
  const ref = await choice.locator('option').nth(1).getAttribute('value')
  await choice.selectOption(ref)
  await say('notes')
  const session = await sessionHere()
  await log().getByText('Said so.').waitFor()
  const { sessions } = scene.gateway.client
  expect((await sessions()).find(({ id }) => id === session)?.model).toBe(ref)
  await page.reload()
  await until(async () => (await choice.inputValue()) === ref)
  await log().getByText('· ', { exact: false }).first().waitFor()
})

test('a line is undone in place, and says so afterwards', async () => {
  const errand = await scene.tell([{ name: 'write_file', args: { path: 'note.txt', content: 'hi' } }])
  await errand.ended()
  await page.goto(entered.at(`/chat/${errand.session}`))
  await log().getByRole('button', { name: 'Undo', exact: true }).click()
  await log().getByText('You undid 1 action').waitFor()
  await log().getByText('Undone', { exact: true }).waitFor()
  expect(existsSync(join(scene.installation.paths.workspace, 'note.txt'))).toBe(false)
})

describe('what the agent says', () => {
  test('is drawn once: what was there before the end is the same element after it', async () => {
    await page.goto(entered.at('/chat/new'))
    await say('report')
    await log().getByText('Writing…').waitFor()
    await log().locator('.said-1', { hasText: 'Report' }).waitFor()
    expect(await log().innerText()).not.toContain('**')
    await page.evaluate(`document.querySelector('[role=log] .said-1').dataset.seen = 'before'`)
    const top = () => page.evaluate<number>(`document.querySelector('[role=log] .prose').offsetTop`)
    const before = await top()
    await log().getByText('The end.').waitFor()
    await log().getByText('Writing…').waitFor({ state: 'detached' })
    expect(await log().locator('.said-1[data-seen=before]').count()).toBe(1)
    expect(await top()).toBe(before)
    expect(await log().locator('table td').allInnerTexts()).toEqual(['August', '100'])
    expect(await log().locator('input[type=checkbox]').count()).toBe(2)
    expect(await log().locator('blockquote').count()).toBe(1)
    await log().locator('.code-box .hljs-keyword').waitFor()
    const rest = await page.evaluate<number>(
      `(() => { const box = document.querySelector('[role=region][aria-label=Messages]'); return box.scrollHeight - box.scrollTop - box.clientHeight })()`,
    )
    expect(rest).toBeLessThan(2)
  })

  test('has its tags shown as they were written', async () => {
    await page.goto(entered.at('/chat/new'))
    await say('tags')
    await log().getByText('Before').waitFor()
    const shown = await log().innerText()
    for (const part of [
      '<b>so</b>',
      '<div onclick="run()">boxed</div>',
      '<script>run()</script>',
      '<!-- hidden -->',
    ])
      expect(shown).toContain(part)
    expect(await log().locator('.prose :is(b, script, [onclick])').count()).toBe(0)
  })

  test('has footnotes by their number', async () => {
    await page.goto(entered.at('/chat/new'))
    await say('notes')
    await log().getByText('A note.').waitFor()
    expect(await log().locator('sup').innerText()).toBe('1')
    expect(await log().innerText()).not.toContain('user-content')
  })

  test('says that it was cut for its length', async () => {
    await page.goto(entered.at('/chat/new'))
    await say('cut')
    await log()
      .getByText(/cut off because it reached the length limit/)
      .waitFor()
  })

  test('is awaited with a word from the start', async () => {
    await page.goto(entered.at('/chat/new'))
    await say('slow')
    await log().getByText('Thinking…').waitFor()
    await log().getByText('At last.').waitFor()
  })
})

describe('a model that stays silent', () => {
  test('is told after ten seconds, and another answers instead', async () => {
    const { page: watched, at } = await scene.enter('/chat')
    // The clock of the page is moved on, so that nobody waits.
    await watched.clock.install()
    await watched.goto(at('/chat/new'))
    await composer(watched).fill('silent')
    await watched.keyboard.press('Enter')
    const said = watched.getByRole('log')
    await said.getByText('Thinking…').waitFor()
    expect(await said.getByText(/The model is slow/).count()).toBe(0)
    await watched.clock.fastForward(11_000)
    await said.getByText(/The model is slow/).waitFor()
    await said.getByText(/^No word for 1\d/).waitFor()
    await said.getByRole('button', { name: 'Stop' }).waitFor()
    await said.getByRole('button', { name: 'Use another model' }).click()
    await watched.getByRole('menuitem').first().click()
    await said.getByText('Here I am.').waitFor()
    await watched.context().close()
  })

  test('is stopped from the thread', async () => {
    const { page: watched, at } = await scene.enter('/chat')
    await watched.clock.install()
    await watched.goto(at('/chat/new'))
    await composer(watched).fill('silent for good')
    await watched.keyboard.press('Enter')
    const said = watched.getByRole('log')
    await said.getByText('Thinking…').waitFor()
    await watched.clock.fastForward(11_000)
    await said.getByRole('button', { name: 'Stop' }).click()
    await said.getByText(/stopped/i).waitFor()
    await watched.context().close()
  })
})

describe('where a message is written', () => {
  test('a slash shows the commands, and one that is not there keeps the text', async () => {
    await page.goto(entered.at('/chat/new'))
    await composer().fill('/p')
    const list = page.getByRole('listbox', { name: 'Commands' })
    expect(await list.getByRole('option').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    expect(await composer().inputValue()).toBe('/pending')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/approvals/)
    await page.goto(entered.at('/chat/new'))
    await say('/nonsense')
    await page.getByText('There is no command /nonsense.').first().waitFor()
    expect(await composer().inputValue()).toBe('/nonsense')
  })

  test('the arrow brings the last message, and edit and retry use it', async () => {
    await page.goto(entered.at('/chat/new'))
    await say('good morning')
    await log().getByText('You said: good morning').waitFor()
    await composer().focus()
    await page.keyboard.press('ArrowUp')
    expect(await composer().inputValue()).toBe('good morning')
    await composer().fill('')
    await log().getByRole('button', { name: 'Retry' }).click()
    await until(async () => (await log().getByText('You said: good morning').count()) === 2)
  })

  test('any file goes with a message, can be taken off, and makes no conversation', async () => {
    await page.goto(entered.at('/chat/new'))
    const before = (await scene.gateway.client.sessions()).filter(({ hidden }) => !hidden).length
    const files = join(scene.installation.home, 'files')
    mkdirSync(files, { recursive: true })
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 160 } })
    writeFileSync(join(files, 'a picture.png'), picture)
    writeFileSync(join(files, 'b.pdf'), picture)
    await page
      .getByLabel('Files to attach')
      .setInputFiles([join(files, 'a picture.png'), join(files, 'b.pdf')])
    await page.getByRole('button', { name: 'Remove b.pdf' }).click()
    await say('look')
    await log()
      .getByText(/You said: look/)
      .waitFor()
    const written = () => readdirSync(join(scene.installation.paths.workspace, 'attachments'))
    await until(() => written().length === 1)
    expect(written()[0]).toMatch(/^file-[\da-f]{32}\.png$/)
    const shown = (await scene.gateway.client.sessions()).filter(({ hidden }) => !hidden)
    expect(shown).toHaveLength(before + 1)
    await log().getByRole('link', { name: 'a picture.png' }).waitFor()
    const small = log().getByRole('img', { name: 'Picture a picture.png' })
    await small.waitFor()
    const width = () =>
      small.evaluate((picture: unknown) => (picture as { naturalWidth: number }).naturalWidth)
    await until(async () => (await width()) === 320)
    await page.goto(entered.at(`/chat/new`))
    await page.getByLabel('Files to attach').setInputFiles([join(files, 'a picture.png')])
    await say('look again')
    await log()
      .getByText(/You said: look again/)
      .waitFor()
    expect(written()).toHaveLength(1)
  })
})

test('conversations are named, pinned, archived and deleted', async () => {
  await page.goto(entered.at('/chat/new'))
  await say('the boats')
  await log().getByText('You said: the boats').waitFor()
  const id = await sessionHere()
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const act = async (title: string, action: string) => {
    await list.getByRole('link', { name: title }).hover()
    await list.getByRole('button', { name: `Actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const view = async () => (await scene.gateway.client.sessions()).find((each) => each.id === id)
  await act('the boats', 'Rename')
  await page.getByRole('textbox', { name: 'Name' }).fill('Ships')
  await page.getByRole('button', { name: 'Save' }).click()
  await list.getByRole('link', { name: /^Ships/ }).waitFor()
  await act('Ships', 'Pin')
  await list
    .getByRole('region', { name: 'Pinned' })
    .getByRole('link', { name: /^Ships/ })
    .waitFor()
  await act('Ships', 'Archive')
  await list.getByRole('link', { name: /^Ships/ }).waitFor({ state: 'detached' })
  expect(await view()).toMatchObject({ title: 'Ships', pinned: true, hidden: true })
  await list.getByText('Show archived').click()
  await act('Ships', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/\/chat\/new/)
  expect(await view()).toBeUndefined()
})

test('a conversation is saved as a file, imported as untrusted, and summarised for the assistant', async () => {
  const errand = await scene.tell([{ name: 'calculate', args: { expression: '2*21' } }])
  await errand.ended()
  await scene.gateway.client.renameSession(errand.session, 'the sums')
  await page.goto(entered.at(`/chat/${errand.session}`))
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const act = async (action: string) => {
    await list.getByRole('link', { name: 'the sums' }).hover()
    await list.getByRole('button', { name: 'Actions for the sums' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const downloading = page.waitForEvent('download')
  await act('Save as a file')
  const saved = await (await downloading).path()
  await act('Summarise for the assistant')
  await page
    .getByText(/now sees a summary of/)
    .first()
    .waitFor()
  await list.getByLabel('File of a conversation').setInputFiles(saved)
  await page.getByText('Conversation imported.').first().waitFor()
  const made = page.url().split('/').at(-1)
  expect(made).not.toBe(errand.session)
  expect(await scene.gateway.client.thread(made ?? '')).toMatchObject({ origin: { kind: 'import' } })
})

test('a phone opens with a place to write, and reaches the list and the run', async () => {
  const phone = await scene.enter('/chat', { ...narrow, touch: true })
  await composer(phone.page).waitFor()
  const errand = await scene.tell([{ name: 'list_directory', args: { path: '.' } }])
  await errand.ended()
  await phone.page.goto(phone.at(`/chat/${errand.session}`))
  await phone.page.getByRole('button', { name: 'Run' }).click()
  await phone.page.getByRole('dialog').getByText('What happened').waitFor()
  await dialogHears(phone.page)
  await phone.page.keyboard.press('Escape')
  await phone.page.context().setOffline(true)
  await phone.page.evaluate(`window.dispatchEvent(new Event('offline'))`)
  const send = phone.page.getByRole('button', { name: 'Send' })
  const box = await send.boundingBox()
  expect(box?.height).toBeLessThan(60)
  await phone.page.context().setOffline(false)
  await phone.page.getByRole('link', { name: 'Conversations' }).click()
  await phone.page.getByRole('navigation', { name: 'Conversations' }).waitFor()
})
