/**
 * Proves that a permit cannot be changed: every field of the subject and the seal, changed in every way we know, is
 * refused by the real verifier with real keys, while every honest spelling of an honest permit is accepted.
 *
 * Two kinds of change: by somebody without a key, who can only alter what was sealed, and by a dishonest gateway, who
 * seals again what it altered. The second kind touches only what the executor checks for itself. A third family is
 * composed and not altered: a gateway that shows one call and has the device seal another.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalSubject,
  canonicalText,
  type JsonObject,
  type JsonValue,
  type Permit,
  sealText,
} from '@countersign/contract'
import { digestOf, generateKey, type KeyPair, sha256Hex, signText } from '@countersign/contract/node'
import { type Executor, openExecutor } from '../../../../packages/executor/src/executor.ts'
import {
  createTestHost,
  type PermitRequest,
  parsedArgs,
  sealFor,
  sealTestPermit,
  type TestHost,
} from '../../../../packages/executor/src/testing/host.ts'
import { createRandom, type Random } from '../../../../packages/executor/src/testing/random.ts'
import { type PermitChecks, permitChecks, verifyPermit } from '../../../../packages/executor/src/verify.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { composedControl, composedTrial } from './permit-mutation-composed.ts'

const checkNames = Object.keys(permitChecks) as (keyof PermitChecks)[]

export const permitMutation: Suite = {
  name: 'permit-mutation',
  defaultSize: 100_000,
  mutants: checkNames.map((name) => `skip-${name}`),
  run,
}

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(options.seed)
  const host = createTestHost()
  // The clock stands still: a permit that expires would be refused for that alone.
  const at = new Date()
  const executor = await openExecutor(host.options, {
    clocks: { wall: () => at.getTime(), steady: () => 0 },
  })
  try {
    executor.setWorld(host.world)
    const bench: Bench = {
      host,
      random,
      at,
      permits: await basePermits(host, executor, at),
      stranger: generateKey(),
    }
    const checks = checksFor(options.mutant)
    const accepts = async (permit: unknown) =>
      (await verifyPermit(permit, executor.world, checks)).kind === 'valid'
    const altered = await tryAll(options, bench, accepts)
    const composed = await tryComposed(options, bench, executor, accepts)
    return {
      n: altered.n + composed.n,
      failures: altered.failures + composed.failures,
      details: { ...altered.details, composed: composed.details },
    }
  } finally {
    await executor.close()
    host.remove()
  }
}

interface Bench {
  readonly host: TestHost
  readonly random: Random
  readonly at: Date
  readonly permits: readonly Permit[]
  /** A key that nobody trusts. */
  readonly stranger: KeyPair
}

async function tryAll(
  options: SuiteOptions,
  bench: Bench,
  accepts: (permit: unknown) => Promise<boolean>,
): Promise<SuiteResult> {
  const { n } = options
  const wrong: string[] = []
  const byOperator: Record<string, number> = {}
  const names = Object.keys(operators)
  for (let trial = 0; trial < n; trial += 1) {
    const name = names[trial % names.length] ?? ''
    const changed = changedPermit(name, bench)
    byOperator[name] = (byOperator[name] ?? 0) + 1
    if (await accepts(changed.permit)) wrong.push(`accepted: ${name} at ${changed.where}`)
    if (trial % 20_000 === 19_999) options.log(`${trial + 1} changed permits, ${wrong.length} accepted`)
  }
  const controls = Math.max(bench.permits.length, Math.ceil(n / 100))
  for (let trial = 0; trial < controls; trial += 1) {
    const permit = bench.permits[trial % bench.permits.length] as Permit
    const text = trial < bench.permits.length ? JSON.stringify(permit) : respell(asJson(permit), bench.random)
    if (!(await accepts(JSON.parse(text)))) wrong.push(`refused: honest ${permit.subject.tool.name}`)
  }
  return {
    n: n + controls,
    failures: wrong.length,
    details: { controls, operators: byOperator, examples: wrong.slice(0, 10) },
  }
}

/** One composed request for every twenty that are altered: each is put together, shown and sealed. */
async function tryComposed(
  { n, log }: SuiteOptions,
  { host, random, at }: Bench,
  { resolve }: Executor,
  accepts: (permit: unknown) => Promise<boolean>,
): Promise<SuiteResult> {
  const wrong: string[] = []
  const byForgery: Record<string, number> = {}
  const calls = composedCalls
  let noticed = 0
  let trials = 0
  for (let number = 0; number < Math.ceil(n / 20); number += 1) {
    const trial = await composedTrial(number, { host, random, at, calls, resolve })
    if (!trial) continue
    trials += 1
    byForgery[trial.name] = (byForgery[trial.name] ?? 0) + 1
    if (trial.isNoticed) noticed += 1
    if (await accepts(trial.permit)) wrong.push(`accepted: ${trial.name}`)
  }
  for (const call of calls)
    if (!(await accepts(await composedControl(host, call, at, resolve))))
      wrong.push(`refused: honest ${call.tool}`)
  log(`${trials} composed requests, ${wrong.length} wrong`)
  const details = { noticedByTheTerminal: noticed, forgeries: byForgery, examples: wrong.slice(0, 10) }
  return { n: trials + calls.length, failures: wrong.length, details }
}

const composedCalls = [
  { tool: 'execute_shell', args: { command: 'ls -l && bash script.sh' } },
  { tool: 'execute_shell', args: { command: 'echo pwned > pwned.txt; rm -rf folder' } },
  { tool: 'execute_python', args: { code: 'print(1)' } },
  { tool: 'http_request', args: { url: 'https://example.com/a', method: 'POST', body: 'x' } },
  { tool: 'http_request', args: { url: 'https://example.org/b', method: 'DELETE' } },
  { tool: 'write_file', args: { path: 'note.txt', content: 'new content' } },
  { tool: 'delete_file', args: { path: 'other.txt' } },
]

function checksFor(mutant: string | undefined): PermitChecks {
  if (mutant === undefined) return permitChecks
  const name = mutant.slice('skip-'.length)
  if (!checkNames.includes(name as keyof PermitChecks)) throw new Error(`no mutant ${mutant}`)
  return { ...permitChecks, [name]: () => null }
}

async function basePermits(host: TestHost, executor: Executor, at: Date): Promise<Permit[]> {
  mkdirSync(join(host.workspace, 'folder'))
  writeFileSync(join(host.workspace, 'note.txt'), 'a note')
  writeFileSync(join(host.workspace, 'other.txt'), 'another')
  writeFileSync(join(host.workspace, 'script.sh'), 'echo script')
  writeFileSync(join(host.folder, 'outside.txt'), 'outside')
  const url = 'https://example.com/path?q=1'
  const asked: PermitRequest['change'] = (subject) => ({
    ...subject,
    decision: 'allow',
    approval: null,
    grant: 'grant',
  })
  const wishes: PermitRequest[] = [
    { tool: 'read_file', args: { path: 'note.txt' } },
    { tool: 'read_file', args: { path: 'other.txt', max_bytes: 10 } },
    { tool: 'read_file', args: { path: 'note.txt' }, sealBy: 'device' },
    { tool: 'read_file', args: { path: join(host.folder, 'outside.txt') } },
    { tool: 'list_directory', args: { path: 'folder', depth: 2 } },
    { tool: 'write_file', args: { path: 'note.txt', content: 'Ünï\n"quoted"' } },
    { tool: 'write_file', args: { path: 'folder/new.txt', content: 'new' } },
    {
      tool: 'restore_file',
      args: { path: 'note.txt', expected: sha256Hex('a note'), content: null, mode: null, folders: 0 },
    },
    { tool: 'http_request', args: { url } },
    { tool: 'http_request', args: { url }, change: asked },
    { tool: 'http_request', args: { url, method: 'POST', headers: { accept: 'text/plain' }, body: 'x' } },
    { tool: 'execute_shell', args: { command: 'ls -l && bash script.sh' } },
  ]
  return Promise.all(wishes.map((wish) => sealTestPermit(host, { ...wish, at }, executor.resolve)))
}

interface ChangedPermit {
  readonly permit: unknown
  readonly where: string
}

/** Tries until the operator fits the place it was given and the permit is really another one. */
function changedPermit(name: string, bench: Bench): ChangedPermit {
  for (;;) {
    const permit = bench.random.pick(bench.permits)
    const copy = asJson(permit)
    const where = operators[name]?.(copy, bench, permit)
    if (where !== undefined && textOf(copy) !== textOf(asJson(permit))) return { permit: copy, where }
  }
}

/** Changes the copy and says where, or leaves it when it does not fit. */
type Operator = (copy: JsonObject, bench: Bench, permit: Permit) => string | undefined

const operators: Record<string, Operator> = {
  'bit flip': leaf((value, { random }) => {
    if (typeof value === 'number') return value ^ (1 << random.below(16))
    return typeof value === 'string' && value !== '' ? flipBit(value, random) : undefined
  }),
  delete: anywhere((parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete parent[key]
  }),
  'unknown field': (copy, { random }) => {
    const spot = random.pick(objectsIn(copy, ''))
    const name = random.pick([
      'extra',
      '__proto__',
      'constructor',
      'toString',
      'V',
      'tier ',
      'toJSON',
      'length',
    ])
    Object.defineProperty(spot.value, name, { value: random.pick([1, 'x', null]), enumerable: true })
    return `${spot.path}.${name}`
  },
  'other type': anywhere((parent, key, { random }) => {
    put(
      parent,
      key,
      random.pick<JsonValue>([null, 0, 1, '', '1', true, [], {}, [member(parent, key) ?? null]]),
    )
  }),
  truncate: leaf((value, { random }) =>
    typeof value === 'string' && value !== '' ? value.slice(0, random.below(value.length)) : undefined,
  ),
  extend: leaf((value, { random }) =>
    typeof value === 'string'
      ? value + random.pick([' ', '\0', '\n', 'a', '0', '/', '%20', '=', '\u200b', '\u202e'])
      : undefined,
  ),
  case: leaf((value, { random }) => {
    if (typeof value !== 'string' || value === '') return undefined
    const at = random.below(value.length)
    const letter = value[at] ?? ''
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    return value.slice(0, at) + other + value.slice(at + 1)
  }),
  lookalike: leaf((value, { random }) => {
    if (typeof value !== 'string') return undefined
    const [from, to] = random.pick([
      ['a', 'а'],
      ['e', 'е'],
      ['o', 'о'],
      ['c', 'с'],
      ['p', 'р'],
      ['0', 'О'],
      ['1', 'l'],
      ['/', '∕'],
      ['.', '․'],
    ])
    return value.replace(from ?? '', to ?? '')
  }),
  'number by one': leaf((value, { random }) => {
    const step = random.pick([-1, 1])
    if (typeof value === 'number') return value + step
    if (typeof value !== 'string') return undefined
    const digits = [...value.matchAll(/\d/g)]
    if (digits.length === 0) return undefined
    const at = random.pick(digits).index
    return value.slice(0, at) + ((Number(value[at]) + step + 10) % 10) + value.slice(at + 1)
  }),
  'array order': (copy, { random }) => {
    const arrays = arraysIn(copy, '').filter(({ value }) => value.length > 1)
    if (arrays.length === 0) return undefined
    const spot = random.pick(arrays)
    spot.value.splice(0, spot.value.length, ...random.shuffle(spot.value))
    return spot.path
  },
  'array again': (copy, { random }) => {
    const arrays = arraysIn(copy, '').filter(({ value }) => value.length > 0)
    if (arrays.length === 0) return undefined
    const spot = random.pick(arrays)
    spot.value.push(structuredClone(random.pick(spot.value)))
    return spot.path
  },
  'field of another': anywhere((parent, key, { random, permits }, path) => {
    const other = path
      .split('.')
      .slice(1)
      .reduce<JsonValue | undefined>(
        (value, step) => (value === undefined ? undefined : member(value as JsonObject, step)),
        asJson(random.pick(permits)),
      )
    if (other !== undefined) put(parent, key, other)
  }),
  'seal of another': (copy, { random, permits }) => {
    copy['seal'] = asJson(random.pick(permits))['seal'] ?? null
    return 'seal'
  },
  'wrong key': (copy, bench, permit) => confuseKeys(copy, bench, permit),
  'seal spelling': (copy, { random }, permit) => {
    const seal = copy['seal'] as JsonObject
    const { signature } = permit.seal
    seal['signature'] = random.pick([
      signature.replaceAll('+', '-').replaceAll('/', '_'),
      signature.replaceAll('=', ''),
      `${signature}\n`,
      ` ${signature}`,
      nextSpelling(signature),
      Buffer.from(signature, 'base64').toString('hex'),
    ])
    return 'seal.signature'
  },
  'arguments spelling': (copy, { random }, permit) => {
    const subject = copy['subject'] as JsonObject
    subject['args'] = respell(parsedArgs(permit.subject.args), random)
    return 'subject.args'
  },
  'sealed again': (copy, bench, permit) => dishonest(copy, bench, permit),
}

/** What a gateway could seal with its own key, and the executor must still refuse. */
function dishonest(copy: JsonObject, { host, random, at }: Bench, permit: Permit): string | undefined {
  const honest = permit.subject
  const hash = sha256Hex(String(random.below(1e9)))
  const respelt = respell(parsedArgs(honest.args), random)
  const otherArgs = canonicalText({ ...parsedArgs(honest.args), path: 'other.txt' })
  const past = new Date(at.getTime() - 1000)
  const changes: Record<string, Partial<ApprovalSubject> | undefined> = {
    'audience.executor': {
      audience: { ...honest.audience, executor: changeId(honest.audience.executor, random) },
    },
    'audience.key': { audience: { ...honest.audience, key: hash } },
    'gateway.id': { gateway: { ...honest.gateway, id: changeId(honest.gateway.id, random) } },
    'gateway.epoch': {
      gateway: { ...honest.gateway, epoch: honest.gateway.epoch + random.pick([-1, 1, 2]) },
    },
    operator: { operator: changeId(honest.operator, random) },
    'tool.version': { tool: { ...honest.tool, version: '0' } },
    'tool.definition': { tool: { ...honest.tool, definition: hash } },
    'tool.effect': { tool: { ...honest.tool, effect: honest.tool.effect === 'pure' ? 'once' : 'pure' } },
    'tool.name': {
      tool: { ...honest.tool, name: honest.tool.name === 'read_file' ? 'list_directory' : 'read_file' },
    },
    args: { args: otherArgs },
    'args and hash': respelt === honest.args ? undefined : { args: respelt, argsHash: sha256Hex(respelt) },
    argsHash: { argsHash: hash },
    'resources none': { resources: [] },
    'resources content': {
      resources: honest.resources.map((item) =>
        'content' in item ? { ...item, content: hash } : { ...item, port: 1 },
      ) as ApprovalSubject['resources'],
    },
    'resources more': { resources: [...honest.resources, ...honest.resources] },
    'what of another': { what: hash },
    'chain of another': {
      chain: honest.chain.map((link) => (link.kind === 'run' ? { ...link, id: 'run' } : link)),
    },
    sandbox: { sandbox: 'none at all' },
    egress: { egress: 'all' },
    secrets: { secrets: ['token'] },
    policy: { policy: hash },
    'tier low': honest.tier > 0 ? { tier: (honest.tier - 1) as 0 } : undefined,
    'tier high': {
      tier: random.pick([3, 4]),
      decision: 'ask',
      approval: `apr_${'0'.repeat(32)}` as ApprovalSubject['approval'],
    },
    'no approval': honest.approval ? { approval: null } : undefined,
    'no decision':
      honest.tier >= 2 && honest.decision === 'ask' ? { decision: 'allow', approval: null } : undefined,
    'no grant': honest.grant === null ? undefined : { grant: null },
    expired: { notAfter: past.toISOString() },
  }
  const times: Record<string, Date> = {
    'decided in the future': new Date(at.getTime() + 6000 + random.below(1e9)),
    'decided long ago': new Date(at.getTime() - 10 * 60_000 - random.below(1e9)),
  }
  const possible = Object.keys(changes).filter((name) => changes[name] !== undefined)
  const name = random.pick([...possible, ...Object.keys(times)])
  const decidedAt = times[name] ?? at
  const change = name in times ? {} : changes[name]
  if (!change) return undefined
  const subject: ApprovalSubject = { ...honest, ...change }
  copy['subject'] = structuredClone(subject) as unknown as JsonObject
  // The gateway cannot make a device seal, so where one is needed it can only try its own.
  copy['seal'] = { ...sealFor(host, subject, 'gateway', decidedAt) } as unknown as JsonObject
  if (honest.tier >= 3 && name in times)
    copy['seal'] = { ...sealFor(host, subject, 'device', decidedAt) } as unknown as JsonObject
  return `sealed again: ${name}`
}

function confuseKeys(
  copy: JsonObject,
  { host, random, at, stranger }: Bench,
  { subject, seal }: Permit,
): string {
  const digest = digestOf(subject)
  const decidedAt = at.toISOString()
  const { device, trust } = host.identity
  const gateway = trust.gateway.id
  const byDevice = { by: 'device', device: device.id, decidedAt }
  const byGateway = { by: 'gateway', decidedAt }
  const { privateKey: gatewayKey } = host.gatewayKey
  const { privateKey: deviceKey } = device.keys
  const options: [string, JsonObject, () => string][] = [
    [
      'stranger as device',
      byDevice,
      () => signText(stranger.privateKey, sealText(digest, device.id, decidedAt)),
    ],
    [
      'stranger as gateway',
      byGateway,
      () => signText(stranger.privateKey, sealText(digest, gateway, decidedAt)),
    ],
    ['gateway as device', byDevice, () => signText(gatewayKey, sealText(digest, device.id, decidedAt))],
    ['device as gateway', byGateway, () => signText(deviceKey, sealText(digest, gateway, decidedAt))],
    [
      'device seal in gateway form',
      byGateway,
      () => signText(deviceKey, sealText(digest, device.id, decidedAt)),
    ],
    [
      'gateway seal in device form',
      byDevice,
      () => signText(gatewayKey, sealText(digest, gateway, decidedAt)),
    ],
    ['bare digest', byDevice, () => signText(deviceKey, digest)],
    [
      'no domain',
      byGateway,
      () => signText(gatewayKey, sealText(digest, gateway, decidedAt).split('\0')[1] ?? ''),
    ],
    [
      'denial',
      byDevice,
      () => signText(deviceKey, sealText(digest, device.id, decidedAt).replace('approve', 'deny')),
    ],
    [
      'unknown device',
      { ...byDevice, device: changeId(device.id, random) },
      () => signText(deviceKey, sealText(digest, device.id, decidedAt)),
    ],
    ['empty', byGateway, () => Buffer.alloc(64).toString('base64')],
    [
      'passkey',
      { ...(sealFor(host, subject, 'passkey', at) as unknown as JsonObject) },
      () => String(seal.signature),
    ],
  ]
  const [name, fields, sign] = random.pick(options)
  copy['seal'] = { ...fields, signature: sign() }
  return `seal: ${name}`
}

interface Spot<T> {
  readonly path: string
  readonly value: T
}

type Container = JsonObject | JsonValue[]

function leaf(change: (value: JsonValue, bench: Bench) => JsonValue | undefined): Operator {
  return (copy, bench) => {
    const { path, value } = bench.random.pick(leavesIn(copy, ''))
    const changed = change(member(value.parent, value.key) ?? null, bench)
    if (changed === undefined) return undefined
    put(value.parent, value.key, changed)
    return path
  }
}

function anywhere(change: (parent: Container, key: string, bench: Bench, path: string) => void): Operator {
  return (copy, bench) => {
    const { path, value } = bench.random.pick(membersIn(copy, ''))
    change(value.parent, value.key, bench, path)
    return path
  }
}

interface Member {
  readonly parent: Container
  readonly key: string
}

function membersIn(value: JsonValue, path: string): Spot<Member>[] {
  if (value === null || typeof value !== 'object') return []
  return Object.keys(value).flatMap((key) => [
    { path: `${path}.${key}`, value: { parent: value, key } },
    ...membersIn(member(value, key) ?? null, `${path}.${key}`),
  ])
}

function leavesIn(value: JsonValue, path: string): Spot<Member>[] {
  return membersIn(value, path).filter(({ value: { parent, key } }) => {
    const found = member(parent, key)
    return found === null || typeof found !== 'object'
  })
}

function objectsIn(value: JsonValue, path: string): Spot<JsonObject>[] {
  const all = membersIn(value, path).map((spot) => ({
    path: spot.path,
    value: member(spot.value.parent, spot.value.key),
  }))
  return [{ path, value }, ...all].filter(
    (spot): spot is Spot<JsonObject> =>
      typeof spot.value === 'object' && spot.value !== null && !Array.isArray(spot.value),
  )
}

function arraysIn(value: JsonValue, path: string): Spot<JsonValue[]>[] {
  return membersIn(value, path)
    .map((spot) => ({ path: spot.path, value: member(spot.value.parent, spot.value.key) }))
    .filter((spot): spot is Spot<JsonValue[]> => Array.isArray(spot.value))
}

function member(parent: Container, key: string): JsonValue | undefined {
  return parent !== null && typeof parent === 'object' ? (parent as JsonObject)[key] : undefined
}

function put(parent: Container, key: string, value: JsonValue): void {
  const target = parent as JsonObject
  target[key] = structuredClone(value)
}

function asJson(permit: Permit): JsonObject {
  return JSON.parse(JSON.stringify(permit)) as JsonObject
}

function textOf(value: JsonObject): string {
  return canonicalText(value)
}

function flipBit(text: string, random: Random): string {
  const at = random.below(text.length)
  return (
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(7))) + text.slice(at + 1)
  )
}

function changeId<Id extends string>(id: Id, random: Random): Id {
  const at = id.length - 1 - random.below(32)
  const digit = ((Number.parseInt(id[at] ?? '0', 16) + 1 + random.below(15)) % 16).toString(16)
  return (id.slice(0, at) + digit + id.slice(at + 1)) as Id
}

/** Another base64 text for the same bytes: the unused bits of the last digit. */
function nextSpelling(signature: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const at = signature.replace(/=+$/, '').length - 1
  return signature.slice(0, at) + digits[digits.indexOf(signature[at] ?? '') ^ 1] + signature.slice(at + 1)
}

/** Another JSON text for the same value: other key order, white space and escapes. */
function respell(value: JsonValue, random: Random): string {
  const space = () => random.pick(['', '', ' ', '\n', '\t '])
  if (typeof value === 'string') {
    const splitsPair = /^[\uD800-\uDFFF]/.test(value)
    return value === '' || splitsPair || random.below(3) > 0
      ? JSON.stringify(value)
      : `"${escapeFirst(value)}"`
  }
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => respell(item, random)).join(`${space()},`)}${space()}]`
  if (value !== null && typeof value === 'object') {
    const members = random
      .shuffle(Object.entries(value))
      .map(([key, item]) => `${space()}${JSON.stringify(key)}:${space()}${respell(item, random)}`)
    return `{${members.join(',')}${space()}}`
  }
  return JSON.stringify(value)
}

function escapeFirst(text: string): string {
  const unit = text.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${unit}${JSON.stringify(text.slice(1)).slice(1, -1)}`
}
