/** What an operator sets: how far the assistant may go, with what, and from where. */
import type { PolicyDocument } from '@countersign/contract'
import { approvalFor } from '@countersign/harness'
import { unusedDevice } from '../pairing.ts'
import type { Hand } from './hands.ts'
import { type JobGroup, job, type World } from './job.ts'
import { putInForce } from './policy-seal.ts'

const inForce = async ({ client }: World) => (await client.policy()).version
const firstPolicy: PolicyDocument = { autonomy: 'medium', files: [], passkeyTools: [] }
const toFirstPolicy = (world: World) => putInForce(world, firstPolicy)
const rule = 'forbid (principal, action, resource) when { context.outward };'

/** Each hand switches one of its own. */
const ownTool = { mouse: 'count_words', keyboard: 'generate_uuid', touch: 'hash_text' } as const

const agentNamed = async ({ client }: World, name: string) =>
  (await client.agents()).find((each) => each.name === name)
const providerNamed = async ({ client }: World, name: string) =>
  (await client.providers()).find((each) => each.name === name)
const secretNamed = async ({ client }: World, name: string) =>
  (await client.secrets()).find((each) => each.name === name)
const deviceOf = async ({ client }: World, id: string) =>
  (await client.devices()).devices.find((each) => each.id === id)

const anAgent = (words: string) => async (world: World) => {
  const name = world.mine(words)
  await world.client.addAgent({ name, systemPrompt: 'You plan meals for four.' })
  return name
}

const aProvider = (words: string) => async (world: World) => {
  const name = `${words}-${world.hand}`
  await world.client.addProvider({ name, kind: 'openai-compatible', url: 'http://127.0.0.1:9/v1' })
  return name
}

const aSecret = (words: string) => async (world: World) => {
  const name = `${words}.${world.hand}`
  const destinations = [{ scheme: 'https' as const, host: 'api.example.com', port: 443 }]
  await world.client.storeSecret(name, {
    value: 'a-value-nobody-sees',
    description: '',
    destinations,
    tools: [],
  })
  return name
}

/** Another browser that was let in, and a name for it. */
const aDevice = (words: string) => async (world: World) => {
  const name = world.mine(words)
  return { name, device: await unusedDevice(world.scene.installation, world.scene.gateway, name) }
}

async function toPolicy(hand: Hand, tab: RegExp): Promise<void> {
  await hand.go('Policy')
  await hand.press({ role: 'tab', name: tab })
}

async function toSettings(hand: Hand, tab: string): Promise<void> {
  await hand.go('Settings')
  await hand.press({ role: 'tab', name: tab })
}

async function openAgent(hand: Hand, name: string): Promise<Hand> {
  await hand.go('Agents')
  await hand.press({ role: 'link', name: new RegExp(`^${name}`) })
  await hand.within('article').sees(name)
  return hand.within('article')
}

export const governJobs: JobGroup = {
  name: 'Govern',
  jobs: [
    job('Change the level of autonomy', {
      given: toFirstPolicy,
      async steps(hand) {
        await hand.go('Policy')
        await hand.press({ role: 'radio', name: /^Low/ })
        await hand.press('Put in force')
      },
      isDone: async (world) => (await inForce(world)).autonomy === 'low',
      after: toFirstPolicy,
    }),
    job('Write a rule', {
      given: toFirstPolicy,
      async steps(hand) {
        await toPolicy(hand, /^Edit/)
        await hand.fill('Rules in mine.cedar', rule)
        await hand.sees('Refuse any call when others see it.')
        await hand.press('Put in force')
      },
      isDone: async (world) => (await inForce(world)).files.length === 1,
      after: toFirstPolicy,
    }),
    job('Simulate a rule before it is saved', {
      async given(world) {
        await toFirstPolicy(world)
        return (await inForce(world)).number
      },
      async steps(hand) {
        await toPolicy(hand, /^Edit/)
        await hand.fill('Rules in mine.cedar', rule)
        await hand.sees(/^In your last/)
        await hand.press({ role: 'tab', name: /^Simulate/ })
        await hand.sees('Your draft')
        await hand.press('Discard the change')
      },
      isDone: async (world, before) => (await inForce(world)).number === before,
    }),
    job('Restore an earlier policy', {
      async given(world) {
        await toFirstPolicy(world)
        const { number } = await inForce(world)
        await putInForce(world, { ...firstPolicy, autonomy: 'low' })
        return number
      },
      async steps(hand, number) {
        await toPolicy(hand, /^Versions/)
        await hand.press({ role: 'link', name: new RegExp(`^Version ${String(number)}\\b`) })
        await hand.press('Restore this version…')
        await hand.press('Put in force')
      },
      isDone: async (world) => (await inForce(world)).autonomy === 'medium',
      after: toFirstPolicy,
    }),
    job('Revoke a grant', {
      async given(world) {
        const path = world.home.put(`granted-${world.hand}.txt`, 'Dear reader')
        const { approval } = await world.asked({ name: 'read_file', args: { path } })
        const verdict = approvalFor(world.scene.installation, await world.client.approval(approval.id))
        const grant = { scope: 'rule', stop: 'target', where: 'everywhere', days: 1, maxUses: null }
        await world.client.decide(approval.id, { ...verdict, grant } as typeof verdict)
        return approval.id
      },
      async steps(hand) {
        await toPolicy(hand, /^Grants/)
        await hand.press({ role: 'button', name: new RegExp(`^Revoke: .*granted-${hand.name}`) })
      },
      isDone: async ({ client }, id) =>
        (await client.grants()).some(({ approval, state }) => approval === id && state === 'revoked'),
    }),
    job('Switch a tool off', {
      given: ({ hand }) => ownTool[hand],
      async steps(hand, tool) {
        await hand.go('Tools')
        await hand.fill('Filter tools', tool)
        await hand.press({ role: 'link', name: new RegExp(`^${tool}`) })
        await hand.within('article').press({ role: 'switch', name: 'Agents can use it' })
      },
      isDone: async ({ client }, tool) => !(await client.tool(tool)).enabled,
      after: ({ client }, tool) => client.switchTool(tool, true),
    }),
    job('Switch a group of tools off', {
      async given({ client, hand }) {
        const groups = (await client.toolGroups()).filter(({ enabled }) => enabled)
        const group = groups[{ mouse: 1, keyboard: 2, touch: 3 }[hand]]
        if (group === undefined) throw new Error('Too few groups are on.')
        return group
      },
      async steps(hand, group) {
        await hand.go('Tools')
        if (hand.name === 'touch') await hand.press('Groups')
        await hand.press({ role: 'switch', name: group.title })
      },
      isDone: async ({ client }, group) =>
        (await client.toolGroups()).find(({ name }) => name === group.name)?.enabled === false,
      after: ({ client }, group) => client.switchTool(group.name, true),
    }),
    job('Make an agent', {
      given: ({ mine }) => mine('Cook of the'),
      async steps(hand, name) {
        await hand.go('Agents')
        await hand.press('New agent')
        await hand.within('dialog').fill('Name', name)
        await hand.within('dialog').fill('Instructions', 'You plan meals for four.')
        await hand.within('dialog').press('Add')
      },
      isDone: async (world, name) => (await agentNamed(world, name))?.kind === 'custom',
    }),
    job('Change what an agent is told', {
      given: anAgent('Gardener of the'),
      async steps(hand, name) {
        const page = await openAgent(hand, name)
        await page.fill('Instructions', 'You plan meals for six.')
        await page.press('Save changes')
      },
      isDone: async (world, name) =>
        (await agentNamed(world, name))?.systemPrompt === 'You plan meals for six.',
    }),
    job('Delete an agent', {
      given: anAgent('Sailor of the'),
      async steps(hand, name) {
        await (await openAgent(hand, name)).menu('More', 'Delete…')
        await hand.within('dialog').press('Delete the agent')
      },
      isDone: async (world, name) => (await agentNamed(world, name)) === undefined,
    }),
    job('Add a model server of my own', {
      given: ({ hand }) => `shelf-${hand}`,
      async steps(hand, name) {
        await hand.go('Models')
        await hand.press('Add provider')
        const window = hand.within('dialog')
        await window.choose('Provider', 'Your own server (LM Studio, vLLM, llama.cpp)')
        await window.fill('Address', 'http://127.0.0.1:9/v1')
        await window.fill('Name', name)
        await window.press('Add provider')
      },
      isDone: async (world, name) => (await providerNamed(world, name))?.url === 'http://127.0.0.1:9/v1',
      after: ({ client }, name) => client.removeProvider(name),
    }),
    job('Turn a provider off', {
      given: aProvider('spare'),
      async steps(hand, name) {
        await hand.go('Models')
        await hand.inRow(name).menu('More', 'Turn off')
      },
      isDone: async (world, name) => (await providerNamed(world, name))?.enabled === false,
      after: ({ client }, name) => client.removeProvider(name),
    }),
    job('Choose how the model for summaries is picked', {
      given: ({ client }) => client.setRoute('summaries', { strategy: 'balanced', models: [] }),
      async steps(hand) {
        await hand.go('Models')
        await hand.press({ role: 'tab', name: 'Used for' })
        await hand.press('Change the model for Summaries')
        await hand.within('dialog').choose('Chosen by', 'lowest price')
        await hand.within('dialog').press('Save')
      },
      isDone: async ({ client }) =>
        (await client.routes()).find(({ purpose }) => purpose === 'summaries')?.strategy === 'cheapest',
    }),
    job('Store a secret', {
      given: ({ hand }) => `github.${hand}`,
      async steps(hand, name) {
        await toSettings(hand, 'Secrets')
        await hand.press('Add secret')
        const window = hand.within('dialog')
        await window.fill('Name', name)
        await window.fill('Value', 'a-value-nobody-sees')
        await window.fill('May be sent to', 'api.github.com')
        await window.press('Store')
      },
      isDone: async (world, name) =>
        (await secretNamed(world, name))?.destinations[0]?.host === 'api.github.com',
    }),
    job('Give a secret a new value', {
      given: aSecret('bank'),
      async steps(hand, name) {
        await toSettings(hand, 'Secrets')
        await hand.inRow(name).menu('More', 'Change value')
        await hand.within('dialog').fill('New value', 'another-value-9')
        await hand.within('dialog').press('Change value')
      },
      isDone: async (world, name) => ((await secretNamed(world, name))?.rotatedAt ?? null) !== null,
    }),
    job('Rename a device', {
      given: aDevice('Old laptop of the'),
      async steps(hand, { name }, { mine }) {
        await hand.go('Devices')
        await hand.menu(`Change ${name}`, 'Rename…')
        await hand.within('dialog').fill('Name', mine('Kitchen tablet of the'))
        await hand.within('dialog').press('Rename')
      },
      isDone: async (world, { device }) =>
        (await deviceOf(world, device))?.name === world.mine('Kitchen tablet of the'),
    }),
    job('Revoke a device', {
      given: aDevice('Lost phone of the'),
      async steps(hand, { name }) {
        await hand.go('Devices')
        await hand.menu(`Change ${name}`, 'Revoke…')
        await hand.within('dialog').press('Revoke')
      },
      isDone: async (world, { device }) => ((await deviceOf(world, device))?.revokedAt ?? null) !== null,
    }),
    job('Tell my agents my name', {
      given: ({ mine }) => mine('Mira'),
      async steps(hand, name) {
        await toSettings(hand, 'You')
        await hand.fill('Your name', name)
        await hand.press('Save')
      },
      isDone: async ({ client }, name) => (await client.profile()).profile.name === name,
    }),
  ],
}
