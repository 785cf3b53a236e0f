/** Tries every caller at every route and message type, and compares with the table that is kept and with the rules. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import {
  type AccessReply,
  type AccessRequest,
  type Caller,
  deviceCaller,
  forgers,
  programCaller,
  send,
  signed,
} from './caller.ts'
import {
  type AccessInstallation,
  canary,
  furnish,
  idsOf,
  openAccessInstallation,
  stateOf,
} from './installation.ts'
import { askAsAnotherUser, canBeAnotherUser } from './other-user.ts'
import { nameOf, pathOf, type Route, routesOf } from './route.ts'
import { trySocket } from './socket-rows.ts'
import { spellingsOf } from './spelling.ts'

export interface AccessOptions extends SuiteOptions {
  readonly nodeArguments: readonly string[]
}

type Outcome = 'in' | 'step-up' | 'no'

const table = fileURLToPath(new URL('./table.txt', import.meta.url))
const header = `# Who gets past the door of each request: a device that looks, decides or seals, a program with its token, and anybody else.
# "in" means that the request was taken up, "step-up" that the device may not ask for it. UPDATE_GOLDEN=1 writes it anew.
`

/** The requests that need no device, written down a second time so that the gateway's own list is not its judge. */
const openToAll: ReadonlySet<string> = new Set([
  'GET /v1/health',
  'GET /v1/pairing',
  'POST /v1/pairing/requests',
  'GET /v1/pairing/requests/{id}',
  'POST /v1/pairing/by-passkey',
  'GET /v1/nodes/pairing',
  'POST /v1/nodes/pairing/requests',
  'GET /v1/nodes/pairing/requests/{id}',
])

/** Where a program speaks with its token. Nobody else does, and it speaks nowhere else. */
const openToPrograms = /^\/(openai\/v1\/|mcp$)/

export async function runTrials({ log, nodeArguments }: AccessOptions): Promise<SuiteResult> {
  const trial = await openAccessInstallation(nodeArguments)
  const wrong: string[] = []
  let tried = 0
  try {
    await furnish(trial)
    const routes = await routesOf(trial.process.url)
    const ids = await idsOf(trial, routes)
    const askedOf = (route: Route): AccessRequest => ({
      method: route.method,
      path: pathOf(route, ids),
      body: route.method === 'GET' ? '' : '{}',
    })
    const parts = { port: trial.port, gateway: trial.gateway }
    const outsiders: Caller[] = [
      ...forgers(trial.seal, trial.stranger, parts),
      deviceCaller('revoked device', trial.revoked, parts),
      deviceCaller('other operator', trial.otherOperator, parts),
    ]
    const before = await stateOf(trial)
    const strangers = new Map<string, string[]>()
    for (const route of routes) {
      const inside: string[] = []
      for (const caller of outsiders) {
        const answer = await caller.ask(askedOf(route))
        tried += 1
        if (outcomeOf(answer) !== 'no') inside.push(caller.name)
        if (answer.text.includes(canary)) wrong.push(`${caller.name} read of ${nameOf(route)}`)
      }
      strangers.set(nameOf(route), inside)
    }
    if (canBeAnotherUser()) {
      const statuses = askAsAnotherUser(trial.port, routes.map(askedOf))
      tried += statuses.length
      for (const [index, route] of routes.entries()) {
        const isRefused = statuses[index] === 401 || statuses[index] === 403
        if (!isRefused) strangers.get(nameOf(route))?.push('other user')
      }
    }
    for (const [name, inside] of strangers)
      if (inside.length > 0 && !openToAll.has(name)) wrong.push(`${inside.join(', ')} got into ${name}`)
    const program = programCaller('program', trial.token, parts)
    const programs = new Map<string, Outcome>()
    for (const route of routes) {
      const answer = await program.ask(askedOf(route))
      tried += 1
      programs.set(nameOf(route), outcomeOf(answer))
      const mayAsk = openToPrograms.test(route.template) || openToAll.has(nameOf(route))
      if (outcomeOf(answer) !== 'no' && !mayAsk) wrong.push(`a program got into ${nameOf(route)}`)
      if (answer.text.includes(canary)) wrong.push(`a program read of ${nameOf(route)}`)
    }
    tried += await trySpellings(trial, routes.map(askedOf), wrong)
    tried += await trySocketsOfOutsiders(trial, wrong)
    const after = await stateOf(trial)
    if (after !== before) wrong.push(`something was done for nobody: ${before} became ${after}`)

    const members = [
      deviceCaller('look', trial.look, parts),
      deviceCaller('decide', trial.decide, parts),
      deviceCaller('seal', trial.seal, parts),
    ]
    const outcomes = new Map<string, Outcome[]>()
    for (const caller of members)
      for (const route of routes) {
        const outcome = outcomeOf(await caller.ask(askedOf(route)))
        tried += 1
        outcomes.set(nameOf(route), [...(outcomes.get(nameOf(route)) ?? []), outcome])
      }
    const lines = routes.map((route) => {
      const [look, decide, seal] = outcomes.get(nameOf(route)) ?? []
      const anybody = openToAll.has(nameOf(route)) ? 'in' : 'no'
      return lineOf(nameOf(route), look, decide, seal, programs.get(nameOf(route)), anybody)
    })
    const drawn = `${header}${[...lines, await socketLine(trial)].join('\n')}\n`
    if (process.env['UPDATE_GOLDEN']) writeFileSync(table, drawn)
    wrong.push(...differences(readFileSync(table, 'utf8'), drawn))
    log(`${routes.length} routes, ${tried} requests, ${wrong.length} wrong`)
    return {
      n: tried,
      failures: wrong.length,
      details: {
        routes: routes.length,
        callers: [...outsiders.map(({ name }) => name), 'other user', 'look', 'decide', 'seal', 'program'],
        otherUserTried: canBeAnotherUser(),
        examples: wrong.slice(0, 20),
      },
    }
  } finally {
    await trial.close()
  }
}

/** What a device may do for itself, however little it may do else, and what anybody may do. */
const ownOfEveryDevice = /^\/v1\/(pairing|nodes\/pairing\/requests$|push|devices\/statements)/

/** A path in another spelling must lead nowhere that the plain one does not lead. */
async function trySpellings(
  trial: AccessInstallation,
  all: readonly AccessRequest[],
  wrong: string[],
): Promise<number> {
  let tried = 0
  for (const plain of all)
    for (const path of spellingsOf(plain.path)) {
      const asked = { ...plain, path }
      const nobody = await send(trial.port, asked, {})
      if (nobody.text.includes(canary)) wrong.push(`nobody read of ${plain.method} ${path}`)
      tried += 1
      if (plain.method === 'GET' || ownOfEveryDevice.test(plain.path)) continue
      const look = await send(trial.port, asked, signed(trial.look, asked, trial))
      tried += 1
      if ([nobody, look].some(({ status }) => status >= 200 && status < 300))
        wrong.push(`${plain.method} ${path} was taken`)
    }
  return tried
}

async function trySocketsOfOutsiders(trial: AccessInstallation, wrong: string[]): Promise<number> {
  const { port, gateway, seal } = trial
  const outsiders = {
    'no key': { holder: null },
    'unknown key': { holder: trial.stranger },
    'revoked device': { holder: trial.revoked },
    'other operator': { holder: trial.otherOperator },
    'other gateway': { holder: seal, elsewhere: true },
    'page of another origin': { holder: seal, headers: { origin: 'https://pages.example' } },
    'page at another port': { holder: seal, headers: { 'sec-fetch-site': 'same-site' } },
    'name that leads here': { holder: seal, headers: { host: `rebound.example:${port}` } },
  }
  for (const [name, caller] of Object.entries(outsiders))
    if ((await trySocket(port, gateway, caller)) !== 'no') wrong.push(`${name} got into the socket`)
  return Object.keys(outsiders).length
}

async function socketLine({ port, gateway, look, decide, seal }: AccessInstallation): Promise<string> {
  const [looks, decides, seals] = await Promise.all(
    [look, decide, seal].map((holder) => trySocket(port, gateway, { holder })),
  )
  return lineOf('SOCKET /v1/socket', looks, decides, seals, 'no', 'no')
}

function lineOf(name: string, ...[look, decide, seal, program, anybody]: (string | undefined)[]): string {
  const columns = [
    `look ${look}`,
    `decide ${decide}`,
    `seal ${seal}`,
    `program ${program}`,
    `anybody ${anybody}`,
  ]
  return `${name.padEnd(56)}${columns.map((column) => column.padEnd(16)).join('')}`.trimEnd()
}

function outcomeOf({ text }: AccessReply): Outcome {
  if (/"type":"(?:not_authenticated|clock_wrong)"|"code":"invalid_api_key"/.test(text)) return 'no'
  return text.includes('"type":"step_up_needed"') ? 'step-up' : 'in'
}

function differences(kept: string, drawn: string): string[] {
  const [left, right] = [kept.split('\n'), drawn.split('\n')]
  return [
    ...right.filter((line) => !left.includes(line)).map((line) => `not in the table: ${line}`),
    ...left.filter((line) => !right.includes(line)).map((line) => `only in the table: ${line}`),
  ]
}
