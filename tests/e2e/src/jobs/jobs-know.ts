/** What an operator keeps: records, files, and what the assistant remembers. */
import { until } from '../until.ts'
import type { Hand } from './hands.ts'
import { type JobGroup, job, type World } from './job.ts'

type Kind = 'notes' | 'tasks' | 'contacts' | 'bookmarks' | 'calendarEvents'

const recordNamed = async ({ client }: World, kind: Kind, name: string) =>
  (await client[kind]({ limit: 200 })).items.find(({ data }) => Object.values(data).includes(name))

const memoryOf = async ({ client }: World, content: string) =>
  (await client.memories()).items.find((each) => each.content === content)

/** A record that is there already, made by its own tool. */
const kept =
  (kind: Kind, tool: string, words: string, more: object = {}) =>
  async (world: World) => {
    const name = world.mine(words)
    await world.client.callTool(tool, JSON.stringify({ title: name, ...more }))
    await until(() => recordNamed(world, kind, name), { what: name })
    return name
  }

const remembered = (words: string) => async (world: World) => {
  const content = world.mine(words)
  await world.client.addMemory({ content, type: 'fact', tags: [] })
  return content
}

async function toLibrary(hand: Hand, kind: string): Promise<void> {
  await hand.go('Library')
  await hand.within('main').press({ role: 'link', name: kind })
}

async function openRecord(hand: Hand, kind: string, name: string): Promise<Hand> {
  await toLibrary(hand, kind)
  await hand.fill('Search the library', name)
  await hand.press({ role: 'link', name: new RegExp(`^${name}`) })
  await hand.within('article').sees(name)
  return hand.within('article')
}

async function openFile(hand: Hand, name: string): Promise<Hand> {
  await hand.go('Files')
  await hand.fill('Filter this folder', name)
  await hand.press({ role: 'link', name: new RegExp(`^${name}`) })
  await hand.within('article').sees(name)
  return hand.within('article')
}

async function openMemory(hand: Hand, content: string): Promise<Hand> {
  await hand.go('Memory')
  await hand.fill('Search memory', content)
  await hand.press({ role: 'link', name: new RegExp(`^${content}`) })
  await hand.within('article').sees(content)
  return hand.within('article')
}

async function addRecord(hand: Hand, kind: string, add: string, fields: Readonly<Record<string, string>>) {
  await toLibrary(hand, kind)
  await hand.press(add)
  const window = hand.within('dialog')
  for (const [label, text] of Object.entries(fields)) await window.fill(label, text)
  await window.press('Add')
}

const aFile = (words: string) => (world: World) => {
  const name = `${words}-${world.hand}.txt`
  world.workspace.put(name, 'first')
  return name
}

export const knowJobs: JobGroup = {
  name: 'Know',
  jobs: [
    job('Write a note', {
      given: ({ mine }) => mine('Door code of the'),
      steps: (hand, name) =>
        addRecord(hand, 'Notes', 'Add note', { Title: name, 'Text (Markdown)': 'It is **1234**.' }),
      isDone: async (world, name) =>
        (await recordNamed(world, 'notes', name))?.data['content'] === 'It is **1234**.',
    }),
    job('Change a note', {
      given: kept('notes', 'add_note', 'Recipe of the', { content: 'Salt' }),
      async steps(hand, name) {
        await (await openRecord(hand, 'Notes', name)).press('Edit')
        await hand.within('dialog').fill('Text (Markdown)', 'Pepper')
        await hand.within('dialog').press('Save')
      },
      isDone: async (world, name) => (await recordNamed(world, 'notes', name))?.data['content'] === 'Pepper',
    }),
    job('Add a task that is due on a day', {
      given: ({ mine }) => mine('Pay the rent of the'),
      steps: (hand, name) => addRecord(hand, 'Tasks', 'Add task', { Title: name, Due: '2031-05-02' }),
      isDone: async (world, name) =>
        String((await recordNamed(world, 'tasks', name))?.data['dueDate']).startsWith('2031-05-02'),
    }),
    job('Complete a task', {
      given: kept('tasks', 'add_task', 'Buy milk for the'),
      async steps(hand, name) {
        await (await openRecord(hand, 'Tasks', name)).press('Complete')
      },
      isDone: async (world, name) =>
        (await recordNamed(world, 'tasks', name))?.data['status'] === 'completed',
    }),
    job('Add an event to the calendar', {
      given: ({ mine }) => mine('Dentist of the'),
      steps: (hand, name) => addRecord(hand, 'Calendar', 'Add event', { Title: name }),
      isDone: async (world, name) => (await recordNamed(world, 'calendarEvents', name)) !== undefined,
    }),
    job('Add a contact', {
      given: ({ mine }) => mine('Ana, friend of the'),
      steps: (hand, name) =>
        addRecord(hand, 'Contacts', 'Add contact', { Name: name, Email: 'ana@example.com' }),
      isDone: async (world, name) =>
        (await recordNamed(world, 'contacts', name))?.data['email'] === 'ana@example.com',
    }),
    job('Delete a bookmark and bring it back', {
      given: kept('bookmarks', 'add_bookmark', 'News of the', { url: 'https://news.example/' }),
      async steps(hand, name, world) {
        await (await openRecord(hand, 'Bookmarks', name)).press('Delete')
        await until(async () => (await recordNamed(world, 'bookmarks', name)) === undefined)
        await hand.within('region', 'Messages from the app').press('Undo')
      },
      isDone: async (world, name) => (await recordNamed(world, 'bookmarks', name)) !== undefined,
    }),
    job('Write a text file', {
      given: ({ hand }) => `list-${hand}.md`,
      async steps(hand, name) {
        await hand.go('Files')
        await hand.press('New text file')
        await hand.within('dialog').fill('Name', name)
        await hand.within('dialog').fill('Text', '- oat milk')
        await hand.within('dialog').press('Save')
      },
      isDone: ({ workspace }, name) => workspace.has(name) && workspace.text(name) === '- oat milk',
    }),
    job('Rename a file', {
      given: aFile('draft'),
      async steps(hand, name) {
        await (await openFile(hand, name)).menu('More', 'Rename')
        await hand.within('dialog').fill('Name', `final-${hand.name}.txt`)
        await hand.within('dialog').press('Rename')
      },
      isDone: ({ workspace, hand }, name) => workspace.has(`final-${hand}.txt`) && !workspace.has(name),
    }),
    job('Take back a change to a file', {
      async given(world) {
        const name = aFile('minutes')(world)
        await world.did({ name: 'write_file', args: { path: name, content: 'second' } })
        return name
      },
      async steps(hand, name) {
        await (await openFile(hand, name)).inRow(`Write ${name}`).press('Undo')
      },
      isDone: ({ workspace }, name) => workspace.text(name) === 'first',
    }),
    job('Mark a file as outside content', {
      given: aFile('sent'),
      async steps(hand, name) {
        await (await openFile(hand, name)).menu('More', /^Mark as outside content/)
      },
      isDone: async ({ client }, name) =>
        (await client.folder('.')).entries.find((each) => each.name === name)?.label?.integrity ===
        'untrusted',
    }),
    job('Tell the assistant something to remember', {
      given: ({ mine }) => mine('The boiler is serviced in May, says the'),
      async steps(hand, content) {
        await hand.go('Memory')
        await hand.press('Add memory')
        await hand.within('dialog').fill('What to remember', content)
        await hand.within('dialog').press('Add memory')
      },
      isDone: async (world, content) => (await memoryOf(world, content)) !== undefined,
    }),
    job('Pin a memory', {
      given: remembered('Likes green tea, says the'),
      async steps(hand, content) {
        await (await openMemory(hand, content)).press('Pin')
      },
      isDone: async (world, content) => (await memoryOf(world, content))?.pinned === true,
    }),
    job('Forget a memory', {
      given: remembered('Once lived in Lisbon, says the'),
      async steps(hand, content) {
        await (await openMemory(hand, content)).press('Forget…')
        await hand.within('dialog').press('Forget it')
      },
      isDone: async (world, content) => (await memoryOf(world, content)) === undefined,
    }),
  ],
}
