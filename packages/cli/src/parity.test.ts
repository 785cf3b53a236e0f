import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/contract'
import { pairingCalls } from '@countersign/contract/client'
import { describe, expect, it } from 'vitest'
import { commandTable } from './command-table.ts'
import { fakeClient } from './testing/fake-client.ts'
import { newId } from './testing/records.ts'

/** A call that changes something, and the commands that make it, or why a command line has no use for it. */
type Row = readonly string[] | { readonly without: string }

const table: Readonly<Record<string, Row>> = {
  send: ['ask', 'chat', 'run fork'],
  stopRun: ['run stop'],
  pauseRun: ['run pause'],
  resumeRun: ['run resume'],
  retryRun: ['run retry'],
  undoRun: ['run undo'],
  pause: ['pause'],
  resume: ['resume'],
  decide: ['approval approve', 'approval deny'],
  editApproval: ['approval edit'],
  extendApproval: ['approval extend'],
  askAboutApproval: ['approval ask'],
  answer: ['question answer'],
  reply: ['question answer', 'question decline'],
  coverage: ['approval approve'],
  revokeGrant: ['grant revoke'],
  takeBack: ['session take-back'],
  dismissUnasked: ['approval dismiss'],
  letAsk: ['approval let-ask'],
  pruneGrants: ['grant prune'],
  takeSuggestion: ['grant take'],
  checkPolicy: ['policy check'],
  simulatePolicy: ['policy simulate'],
  applyPolicy: ['policy apply', 'policy level', 'policy edit', 'policy restore'],
  uploadPart: ['ask', 'chat'],
  trustFile: ['file trust'],
  distrustFile: ['file distrust'],
  switchTool: ['tool enable', 'tool disable'],
  tryTool: ['tool try', 'tool preview-card'],
  callTool: ['tool try', 'ask'],
  storeCalendarAccount: ['calendar-account add'],
  removeCalendarAccount: ['calendar-account remove'],
  syncCalendarAccount: ['calendar-account sync'],
  settleConflict: ['calendar-account settle'],
  storeChannel: ['channel add', 'channel set'],
  chooseChannel: ['channel set', 'channel pause', 'channel resume'],
  removeChannel: ['channel remove'],
  testChannel: ['channel test'],
  settleDelivery: ['channel release', 'channel drop'],
  admitPeer: ['peer admit'],
  changePeer: ['peer limit', 'peer block', 'peer remove'],
  addProgram: ['program add'],
  changeProgram: ['program limit', 'program pause', 'program resume'],
  rotateProgram: ['program rotate'],
  revokeProgram: ['program revoke'],
  storeMailAccount: ['mail add'],
  removeMailAccount: ['mail remove'],
  setMailSearchable: ['mail searchable'],
  tryServerTiers: ['extension try'],
  findServerSignIn: ['extension sign-in'],
  beginServerSignIn: ['extension sign-in'],
  endServerSignIn: ['extension sign-in'],
  signOutOfServer: ['extension sign-out'],
  beginMailSignIn: ['mail sign-in'],
  endMailSignIn: ['mail sign-in'],
  storeSecret: ['secret set'],
  rotateSecret: ['secret rotate'],
  removeSecret: ['secret rm'],
  addProvider: ['provider add'],
  setProvider: ['provider set'],
  removeProvider: ['provider rm'],
  testProvider: ['provider test'],
  installPart: ['provider add'],
  overrideModel: ['model price'],
  restoreModel: ['model price'],
  setRoute: ['model use'],
  refreshCatalogue: ['model refresh'],
  reportSeenHead: { without: 'every command that speaks to the gateway does it' },
  complainOfLedger: { without: 'every command that speaks to the gateway does it' },
  clearLedgerAlarms: ['ledger clear-alarm'],
  setBudget: ['cost budget'],
  removeBudget: ['cost budget'],
  liftGuard: ['cost resume'],
  reconcile: ['cost reconcile'],
  addAgent: ['agent add'],
  changeAgent: ['agent set'],
  removeAgent: ['agent rm'],
  useAgent: ['agent use'],
  setAnswering: ['agent use'],
  resetAgent: ['agent reset'],
  resyncAgents: ['agent resync'],
  addAgentTeam: ['agent team'],
  changeAgentTeam: ['agent team'],
  removeAgentTeam: ['agent team'],
  routeInTeam: ['agent team'],
  addAgentLearning: ['agent learnings'],
  setAgentLearning: ['agent learnings'],
  removeAgentLearning: ['agent learnings'],
  acceptToldFile: ['agent file'],
  removeToldFile: ['agent file'],
  setProfile: ['agent profile'],
  addGoal: ['goal add'],
  setGoal: ['goal set'],
  removeGoal: ['goal rm'],
  pauseGoal: ['goal pause'],
  resumeGoal: ['goal resume'],
  finishGoal: ['goal done'],
  addGoalStep: ['goal set'],
  setGoalStep: ['goal set'],
  removeGoalStep: ['goal set'],
  addGoalNote: ['goal set'],
  setGoalNote: ['goal set'],
  removeGoalNote: ['goal set'],
  addGoalLearning: ['goal set'],
  setGoalLearning: ['goal set'],
  removeGoalLearning: ['goal set'],
  retryAgentTask: ['task retry'],
  cancelAgentTask: ['task cancel'],
  inspectWork: ['task inspect'],
  addPlan: ['plan add'],
  changePlan: ['plan add'],
  removePlan: ['plan rm'],
  previewPlan: ['plan preview'],
  executePlan: ['plan run'],
  pausePlan: ['plan pause'],
  skipPlanStep: ['plan skip'],
  resumePlan: ['plan resume'],
  previewSchedule: ['automation add'],
  addSchedule: ['automation add'],
  changeSchedule: ['automation set', 'automation pause', 'automation resume'],
  removeSchedule: ['automation rm'],
  runSchedule: ['automation run'],
  lookForMail: ['automation look'],
  addMemory: ['memory add'],
  editMemory: ['memory edit'],
  correctMemory: ['memory edit'],
  acceptMemory: ['memory review'],
  rejectMemory: ['memory review'],
  forgetMemories: ['memory forget'],
  neverRemember: ['memory never'],
  rememberAgain: ['memory never'],
  makeFeed: ['feed make'],
  forkSession: ['session fork', 'run fork'],
  archiveSession: ['session archive'],
  renameSession: ['session rename'],
  markSession: ['session set'],
  clearSession: ['session clear'],
  removeSession: ['session rm'],
  importSession: ['session import'],
  setUp: ['onboard'],
  skipSetup: ['onboard'],
  stateDevice: [
    'device approve',
    'device limit',
    'device revoke',
    'node approve',
    'node rename',
    'node revoke',
  ],
  invite: ['open', 'node invite'],
  limitNode: ['node limit'],
  refuseNodePairing: ['node refuse'],
  repairFinding: { without: '`doctor --fix` does it on the host itself, also while nothing runs' },
  renameDevice: ['device rename'],
  refusePairing: ['device approve'],
  refusePasskey: ['device approve'],
  requestPasskey: { without: 'a passkey is made by a browser, and never leaves what made it' },
  registerPasskey: { without: 'a passkey is made by a browser, and never leaves what made it' },
  subscribePush: { without: 'notices of a browser are for that browser to ask for' },
  unsubscribePush: { without: 'notices of a browser are for that browser to end' },
  setPushPreferences: { without: 'what a browser is told is for that browser to choose' },
  setTimeZone: { without: 'it is a line of config.json' },
  setConversationSettings: { without: '`config set` changes the same lines of config.json' },
  testPush: { without: 'it is sent to the browser that asks for it' },
  'pairing.request': { without: 'a browser without a key asks to be let in; this host has a key' },
  'pairing.byPasskey': { without: 'a browser lets itself in with its passkey' },
}

/** What only programs ask for: a screen has no use for it, and each says why. */
const withoutScreen: Readonly<Record<string, string>> = {
  reportSeenHead: 'every page does it while it is open',
  complainOfLedger: 'every page does it while it is open',
  invite: 'the secret of a link is made in the terminal that shows it, and compares the words',
  setMailSearchable: 'an account is made searchable where it was set up',
  tryServerTiers: 'tiers are accepted in the terminal',
  findServerSignIn: 'a server is signed in to by the terminal, which the browser is led back to',
  beginServerSignIn: 'as finding out how to sign in',
  endServerSignIn: 'as the beginning of a sign-in',
  signOutOfServer: 'as signing in; a screen pauses a server',
  beginMailSignIn: 'an account is signed in where it was set up',
  endMailSignIn: 'as the beginning of a sign-in',
}

const sources = join(import.meta.dirname, '..', '..')

/** What changes something, found by making every call of the client and looking at how it asks. */
async function mutatingCalls(): Promise<string[]> {
  let method = ''
  const client = fakeClient((request) => {
    method = request.method
    throw new CountersignError('not_found', 'Nobody is there.')
  })
  const pairing = pairingCalls({
    url: 'http://localhost:1',
    fetch: (url, options) => {
      method = options.method
      const info = { gateway: newId('gw'), key: '', name: '', passkeys: false }
      return url.pathname === '/v1/pairing'
        ? Promise.resolve(Response.json(info))
        : Promise.reject(new Error('Nobody is there.'))
    },
    isExpected: () => true,
    ports: { nonce: () => '', hash: async () => '', verify: async () => true },
  })
  const calls = [
    ...Object.entries(client),
    ...Object.entries(pairing).map(([name, call]) => [`pairing.${name}`, call] as const),
  ]
  const found: string[] = []
  for (const [name, call] of calls) {
    method = ''
    const ask = call as unknown as (...given: unknown[]) => Promise<unknown>
    await ask('x', 'x', 'x').catch(() => undefined)
    expect(method, `${name} asks nothing`).not.toBe('')
    if (method !== 'GET') found.push(name)
  }
  return found
}

/** Which of the calls a source speaks of. Rather one too many: a name can be taken out of the client before it is used. */
function spokenOf(calls: readonly string[], text: string): string[] {
  const words = new Set(text.match(/\w+/g))
  return calls.filter((name) => words.has(name.replace(/^pairing\./, '')))
}

function sourceText(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('testing/'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n')
}

/** The calls that a source makes: by the name of the client's method, behind a dot. */
function madeIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\.(\w+)/g)].map(([, name = '']) => name))
}

/** The calls that no screen makes, though nothing says why. */
function withoutScreenOf(calls: readonly string[], text: string, reasons: Readonly<Record<string, string>>) {
  const made = madeIn(text)
  return calls.filter((call) => !made.has(call.replace(/^pairing\./, '')) && (reasons[call] ?? '') === '')
}

/** The calls that nobody can make from here, though nothing says why. */
function withoutCommand(calls: readonly string[], rows: Readonly<Record<string, Row>>): string[] {
  const names = new Set(commandTable.map(({ name }) => name))
  return calls.filter((call) => {
    const row = rows[call]
    if (row === undefined) return true
    return 'without' in row ? row.without === '' : row.length === 0 || !row.every((name) => names.has(name))
  })
}

describe('every change that the web app can make', () => {
  it('has a command, or a reason why it has none', async () => {
    const used = spokenOf(await mutatingCalls(), sourceText(join(sources, 'web', 'src')))
    expect(used).toContain('decide')
    expect(withoutCommand(used, table)).toEqual([])
  })

  it('is made by some command', () => {
    const calls = Object.keys(table).filter((call) => Array.isArray(table[call]))
    const text = sourceText(join(sources, 'cli', 'src'))
    expect(calls.filter((call) => !madeIn(text).has(call))).toEqual([])
  })

  it('is a call that there is', async () => {
    const calls = await mutatingCalls()
    expect(Object.keys(table).filter((call) => !calls.includes(call))).toEqual([])
  })

  it('is missed when it has no row, no command or a command that is not there', () => {
    expect(withoutCommand(['moveMoon'], table)).toEqual(['moveMoon'])
    expect(withoutCommand(['moveMoon'], { moveMoon: [] })).toEqual(['moveMoon'])
    expect(withoutCommand(['moveMoon'], { moveMoon: ['moon move'] })).toEqual(['moveMoon'])
    expect(withoutCommand(['moveMoon'], { moveMoon: { without: '' } })).toEqual(['moveMoon'])
    expect(withoutCommand(['moveMoon'], { moveMoon: ['run stop'] })).toEqual([])
  })
})

describe('every change that the gateway takes', () => {
  const screens = sourceText(join(sources, 'web', 'src'))

  it('is made by some screen, or has a reason why by none', async () => {
    expect(withoutScreenOf(await mutatingCalls(), screens, withoutScreen)).toEqual([])
  })

  it('has no reason that is not needed', async () => {
    const needed = withoutScreenOf(await mutatingCalls(), screens, {})
    expect(Object.keys(withoutScreen).filter((call) => !needed.includes(call))).toEqual([])
  })

  it('is missed when no screen makes it', () => {
    expect(withoutScreenOf(['moveMoon'], 'client.moveSun()', {})).toEqual(['moveMoon'])
    expect(withoutScreenOf(['moveMoon'], 'const moveMoon = 1', {})).toEqual(['moveMoon'])
    expect(withoutScreenOf(['moveMoon'], '', { moveMoon: '' })).toEqual(['moveMoon'])
    expect(withoutScreenOf(['moveMoon'], 'client.moveMoon()', {})).toEqual([])
    expect(withoutScreenOf(['moveMoon'], '', { moveMoon: 'the tide does' })).toEqual([])
  })
})
