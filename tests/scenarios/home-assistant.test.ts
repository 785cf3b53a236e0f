/** The tour in docs/operators/home-assistant.md, through the whole product, against a scripted Home Assistant. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalDetail,
  type JsonObject,
  type RunDetail,
  registrationText,
  sealText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  approvalFor,
  approve,
  countersign,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '../../packages/executor/src/testing/authenticator.ts'
import { passkeyStatement, signedBy } from '../../packages/executor/src/testing/statements.ts'
import { goodNight, heatingRule } from './home-assistant/good-night.ts'
import { type ScriptedHomeAssistant, startHomeAssistant } from './home-assistant/scripted-home-assistant.ts'
import { type WatchedHouse, watchHouse } from './home-assistant/watched-house.ts'

let home: ScriptedHomeAssistant
let house: WatchedHouse
let installation: Installation
let gateway: GatewayProcess
const passkey = createAuthenticator()

beforeAll(async () => {
  home = await startHomeAssistant()
  house = await watchHouse(home)
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${home.port}` },
    script: goodNight,
  })
  mkdirSync(installation.paths.policies, { recursive: true })
  writeFileSync(join(installation.paths.policies, 'home.cedar'), heatingRule)
  gateway = await installation.start()
  await addPasskey()
}, 240_000)
afterAll(async () => {
  house?.close()
  await installation?.close()
  await home?.close()
})

const here = () => ({ origin: `http://localhost:${new URL(gateway.url).port}` })

async function addPasskey(): Promise<void> {
  const { device, trust } = installation.identity
  const statement = passkeyStatement(trust.gateway.id, passkey, installation.now())
  if (statement.kind !== 'passkey') throw new Error('not a passkey')
  const { clientData, attestationObject } = passkey.register(
    registrationText(trust.gateway.id, device.id),
    here(),
  )
  await gateway.client.registerPasskey({
    signed: { ...signedBy(statement, device), statement },
    registration: { clientData, attestationObject },
  })
}

async function approveWithPasskey(id: string): Promise<void> {
  const { subject }: ApprovalDetail = await gateway.client.approval(id)
  const digest = sha256Hex(`countersign/approval/v2\0${subject}`)
  const decidedAt = installation.now().toISOString()
  const proof = passkey.prove(sealText(digest, passkey.credential, decidedAt), here())
  await gateway.client.decide(id, {
    verdict: 'approve',
    digest,
    seal: { by: 'passkey', decidedAt, ...proof },
  })
}

/** Gives the command, and approves with the device of this host what it asks. */
async function decided(...words: string[]): Promise<RunDetail> {
  const text = await countersign(installation, ['--json', ...words]).catch(
    (error: { stdout?: string }) => error.stdout ?? '',
  )
  const code = /"code":\s*"([0-9A-Z]{4})"/.exec(text)?.[1]
  expect(code, text).toBeDefined()
  const { approval } = await gateway.client.approval(code ?? '')
  await approve(installation, gateway.client, approval.id)
  return settledRun(gateway.client, approval.run)
}

async function say(text: string): Promise<RunDetail> {
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return settledRun(gateway.client, sent.run ?? '', 'either')
}

/** What the model is made to call, in a conversation of its own. */
const ask = (tool: string, args: JsonObject) => say(JSON.stringify([{ tool, args }]))

async function lamps(): Promise<readonly string[]> {
  return Object.values(await house.states()).flatMap(({ entity_id: id, state }) =>
    id.startsWith('light.') ? [state] : [],
  )
}
const stateOf = async (id: string) => (await house.states())[id]

test('the socket of the house wants its token', async () => {
  await expect(watchHouse({ socketUrl: home.socketUrl, token: 'another' })).rejects.toThrow('auth_invalid')
})

test('Home Assistant is let in with its token, and its tools are accepted as the preset suggests', async () => {
  const place = ['--host', `127.0.0.1:${home.port}`, '--http']
  await countersign(installation, ['secret', 'set', 'home_assistant', ...place], `${home.token}\n`)
  const words = ['--preset', 'home-assistant', '--address', home.mcpUrl]
  expect((await decided('extension', 'add', 'home', ...words)).calls).toMatchObject([
    { tool: 'add_server', tier: 3, outcome: 'ok' },
  ])
  await decided('extension', 'look', 'home')
  await decided('extension', 'accept', 'home', '--preset', 'home-assistant')
  const [server] = (await gateway.client.extensions()).servers
  const tiers = Object.fromEntries((server?.tools ?? []).map(({ listed, tier }) => [listed.name, tier]))
  expect(tiers).toMatchObject({
    HassTurnOn: 4,
    HassTurnOff: 4,
    HassSetPosition: 4,
    arm_the_alarm: 4,
    HassClimateSetTemperature: 2,
    HassLightSet: 1,
    GetLiveContext: 0,
  })
})

let night: RunDetail

test('“Good night” turns the lights off and the heating down unasked, and asks a passkey for the lock', async () => {
  night = await say('Good night')
  const calls = night.calls.filter(({ tool }) => tool === 'call_server_tool')
  expect(calls).toMatchObject([
    { tier: 1, outcome: 'ok', undoable: true },
    { tier: 2, outcome: 'ok' },
    { tier: 4, outcome: null },
  ])
  expect(await lamps()).toEqual(['off', 'off', 'off'])
  expect(await stateOf('climate.ground_floor')).toMatchObject({ attributes: { temperature: 17 } })
  expect(house.changes).toHaveLength(4)
  expect(night.approvals).toMatchObject([{ state: 'pending', card: { tool: 'call_server_tool', tier: 4 } }])
  expect(await stateOf('lock.front_door')).toMatchObject({ state: 'unlocked' })
})

test('the seal of a device does not lock the door, and the passkey does', async () => {
  const [asked] = night.approvals
  const id = asked?.id ?? ''
  const sealedByDevice = approvalFor(installation, await gateway.client.approval(id))
  await expect(gateway.client.decide(id, sealedByDevice)).rejects.toThrow('passkey')
  expect(await stateOf('lock.front_door')).toMatchObject({ state: 'unlocked' })
  await approveWithPasskey(id)
  const ended = await settledRun(gateway.client, night.run.id)
  expect(ended.calls.at(-1)).toMatchObject({ tier: 4, outcome: 'ok' })
  expect(ended.run.text).toContain('Good night')
  expect(await stateOf('lock.front_door')).toMatchObject({ state: 'locked' })
})

// What the house answered is a stranger's text, and the undo comes after it.
test('undo asks once, brings the lights back, and nothing else', async () => {
  const lights = night.calls.find(({ undoable }) => undoable)
  const { run } = await gateway.client.undoRun(night.run.id, [lights?.id ?? ''])
  const asked = await settledRun(gateway.client, run, 'parked')
  expect(asked.approvals).toMatchObject([{ card: { tool: 'call_server_tool', tier: 2 } }])
  await approve(installation, gateway.client, asked.approvals[0]?.id ?? '')
  const undone = await settledRun(gateway.client, run)
  expect(undone.calls).toMatchObject([{ tool: 'call_server_tool', outcome: 'ok' }])
  expect(await lamps()).toEqual(['on', 'on', 'on'])
  expect(await stateOf('lock.front_door')).toMatchObject({ state: 'locked' })
  expect(await stateOf('climate.ground_floor')).toMatchObject({ attributes: { temperature: 17 } })
})

test('a door that was refused stays as it was', async () => {
  await house.call('lock', 'unlock', 'lock.front_door')
  const again = await say('Good night')
  const [asked] = again.approvals
  await gateway.client.decide(asked?.id ?? '', { verdict: 'deny', reason: 'We expect guests.', stop: false })
  const ended = await settledRun(gateway.client, again.run.id)
  expect(ended.calls.at(-1)).toMatchObject({ tier: 4, outcome: 'denied' })
  expect(await stateOf('lock.front_door')).toMatchObject({ state: 'unlocked' })
  expect(await lamps()).toEqual(['off', 'off', 'off'])
})

test.each<[string, string, JsonObject]>([
  ['a lamp by its name alone, which could be a lock', 'home__hass_turn_off', { name: 'Hall lamp' }],
  ['lamps and locks in one call', 'home__hass_turn_off', { domain: ['light', 'lock'] }],
  ['everything in the hall', 'home__hass_turn_off', { area: 'Hall' }],
  ['the garage', 'home__hass_turn_on', { device_class: ['garage'] }],
  ['the alarm', 'home__arm_the_alarm', {}],
])('critical is %s', async (_, tool, args) => {
  const before = await house.states()
  const asked = await ask(tool, args)
  expect(asked.approvals).toMatchObject([{ card: { tier: 4 } }])
  await gateway.client.decide(asked.approvals[0]?.id ?? '', { verdict: 'deny', reason: '', stop: true })
  await settledRun(gateway.client, asked.run.id)
  expect(await house.states()).toEqual(before)
})

test('the rule is for the heating: the blinds, of the same tier, ask', async () => {
  const asked = await ask('home__hass_set_position', { device_class: ['blind'], position: 0 })
  expect(asked.approvals).toMatchObject([{ card: { tier: 2 } }])
  await gateway.client.decide(asked.approvals[0]?.id ?? '', { verdict: 'deny', reason: '', stop: true })
  expect(await stateOf('cover.living_room')).toMatchObject({ state: 'open' })
})

test('once the house was read, the heating asks too', async () => {
  const text = JSON.stringify([
    { tool: 'home__get_live_context', args: {} },
    { tool: 'home__hass_climate_set_temperature', args: { name: 'Heating', temperature: 12 } },
  ])
  const asked = await say(`one after the other ${text}`)
  // What a stranger's text led to counts for one more.
  expect(asked.approvals).toMatchObject([{ state: 'pending', card: { tier: 3 } }])
  expect(asked.calls).toMatchObject([{ tier: 0, outcome: 'ok' }, { tier: 3 }])
  expect(await stateOf('climate.ground_floor')).toMatchObject({ attributes: { temperature: 17 } })
})

test('the token is told to nobody but the house', async () => {
  const ledger = await new Response(await gateway.client.exportLedger()).text()
  const places = { ledger, log: gateway.log(), model: JSON.stringify(installation.model.requests) }
  for (const [place, text] of Object.entries(places))
    expect([place, text.includes(home.token)]).toEqual([place, false])
  expect(home.called.length).toBeGreaterThan(5)
})
