/** Owns the generated calls: any call to be approved, and calls that stand close to one of them on either side. */
import type {
  Effect,
  FileResource,
  GrantRequest,
  JsonObject,
  Label,
  Requester,
  Resource,
  UrlResource,
} from '@countersign/contract'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { MadeCall } from './sentence-reading.ts'

export interface Call extends MadeCall {
  readonly effects: readonly Effect[]
  readonly label: Label
  readonly secrets: readonly string[]
  /** Left out, nothing that policy looks at. */
  readonly value?: JsonObject
  /** Left out, the operator. */
  readonly requester?: Requester
}

const trusted: Label = { integrity: 'operator', confidentiality: 'public', sources: [] }
const hostNames = [
  'example.org',
  'api.example.org',
  'example.org.evil.test',
  'evilexample.org',
  'example.com',
]
const paths = ['a.txt', 'notes/a.txt', 'notes/b.txt', 'notes/deep/c.txt', 'notesold/a.txt', 'note', 'notes']
const hostPaths = [
  '/srv/data/a.csv',
  '/srv/data/b.csv',
  '/srv/data/deep/c.csv',
  '/srv/database/a.csv',
  '/top.txt',
  '/srv',
]

export function anyCall(random: Random, tool: string, at: number): Call {
  const resources = Array.from({ length: random.pick([1, 1, 1, 2]) }, () => anyTarget(random))
  return {
    tool,
    args: JSON.stringify({ at, salt: random.below(3) }),
    resources,
    effects: effectsOf(resources),
    label: trusted,
    secrets: [],
    session: `ses_${random.below(3)}`,
    run: `run_${random.below(4)}`,
    agent: random.pick(['assistant', 'helper']),
    goal: random.pick([null, 'goal_1', 'goal_2']),
  }
}

export function anyRequest(random: Random): GrantRequest {
  if (random.below(2) === 0) {
    const where = random.pick(['goal', 'agent', 'everywhere'] as const)
    return {
      scope: 'rule',
      stop: random.pick(['call', 'target', 'target', 'place', 'place', 'place', 'tool'] as const),
      where,
      days: random.pick([1, 2, 30]),
      maxUses: random.pick([null, null, 1, 2, 5]),
    }
  }
  return {
    scope: random.pick(['run', 'session', 'time'] as const),
    ...(random.below(2) === 0 ? {} : { minutes: random.pick([1, 30, 60, 1440]) }),
    ...(random.below(2) === 0 ? {} : { maxUses: random.pick([1, 2, 3]) }),
  }
}

/** The approved call again with one thing different, or none. */
export function near(random: Random, call: Call, at: number): Call {
  const turn = random.pick(turns)
  const turned = { ...call, ...(random.below(3) === 0 ? {} : { args: JSON.stringify({ at, new: 1 }) }) }
  const made = turn(turned, random)
  return made.resources === turned.resources ? made : { ...made, effects: effectsOf(made.resources) }
}

type Turn = (call: Call, random: Random) => Call

const onFiles =
  (change: (file: FileResource, random: Random) => FileResource): Turn =>
  (call, random) => ({
    ...call,
    resources: call.resources.map((each) => (each.type === 'file' ? change(each, random) : each)),
  })
const onUrls =
  (change: (url: UrlResource, random: Random) => UrlResource): Turn =>
  (call, random) => ({
    ...call,
    resources: call.resources.map((each) => (each.type === 'url' ? change(each, random) : each)),
  })

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const turns: readonly Turn[] = [
  // Nothing, more often than anything else: what was granted comes again.
  (call) => call,
  (call) => call,
  (call) => call,
  (call) => call,
  // Beside the approved target, below it, and where only the name begins alike.
  onFiles((file) => ({
    ...file,
    path: `${folderOf(file.path)}/beside.txt`.replace(/^\/(?=beside)/, file.root === 'host' ? '/' : ''),
  })),
  onFiles((file) => ({
    ...file,
    path: `${folderOf(file.path)}/deeper/below.txt`.replace(/^\/(?=deeper)/, file.root === 'host' ? '/' : ''),
  })),
  onFiles((file) => ({
    ...file,
    path: folderOf(file.path) === '' ? `${file.path}x` : `${folderOf(file.path)}x/a.txt`,
  })),
  onFiles((file) => ({ ...file, path: `${file.path}.bak` })),
  onFiles((file, random) => ({
    ...file,
    path: `${folderOf(file.path) || file.path}${random.pick(['old', '.bak', '-2', ' '])}/a.txt`,
  })),
  onFiles((file, random) => ({ ...file, path: random.pick(file.root === 'host' ? hostPaths : paths) })),
  onFiles((file) => ({ ...file, op: file.op === 'read' ? 'list' : 'read' })),
  // There already, and gone.
  onFiles((file) => ({ ...file, identity: file.identity === 'absent' ? isThere : 'absent' })),
  onFiles((file) => ({ ...file, path: `${folderOf(file.path) || file.path}/.git/a.txt` })),
  onUrls((url, random) => ({ ...url, host: random.pick(hostNames) })),
  onUrls((url) => ({ ...url, host: `sub.${url.host}` })),
  onUrls((url) => ({ ...url, method: url.method === 'GET' ? 'HEAD' : 'GET' })),
  onUrls((url) => ({ ...url, port: url.port + 1 })),
  onUrls((url) => ({ ...url, port: url.port === 443 ? 8443 : 443 })),
  onUrls((url) => ({ ...url, port: url.port === 443 ? 80 : 443 })),
  onUrls((url) => ({ ...url, scheme: url.scheme === 'https' ? 'http' : 'https' })),
  // One target more, one less, none.
  (call, random) => ({ ...call, resources: [...call.resources, anyTarget(random)] }),
  (call) => ({ ...call, resources: call.resources.slice(0, 1) }),
  (call) => ({ ...call, resources: [] }),
  // Somewhere else.
  (call, random) => ({ ...call, session: `ses_${random.below(3)}` }),
  (call) => ({ ...call, session: `${call.session}0` }),
  (call, random) => ({ ...call, run: `run_${random.below(4)}` }),
  (call) => ({ ...call, agent: call.agent === 'helper' ? 'assistant' : 'helper' }),
  (call, random) => ({ ...call, goal: random.pick([null, 'goal_1', 'goal_2']) }),
  (call) => ({ ...call, tool: `${call.tool}s` }),
  onUrls((url) => ({ ...url, carries: 'more' })),
  // What no grant covers: a program, an outward act, untrusted content, a secret that leaves.
  (call) => ({ ...call, resources: [...call.resources, program] }),
  (call) => ({ ...call, effects: call.effects.map((effect) => ({ ...effect, outward: true })) }),
  (call) => ({ ...call, effects: call.effects.map((effect) => ({ ...effect, reversible: false })) }),
  (call) => ({ ...call, label: { ...trusted, integrity: 'untrusted' } }),
  (call) => ({ ...call, label: { ...trusted, integrity: 'untrusted', confidentiality: 'private' } }),
  (call) => ({ ...call, label: { ...trusted, confidentiality: 'private' } }),
  (call) => ({ ...call, label: { ...trusted, confidentiality: 'secret' } }),
  (call) => ({ ...call, secrets: ['mine'] }),
]

const isThere = { device: '1', inode: '2' }

const program: Resource = {
  type: 'exec',
  path: '/usr/bin/make',
  content: '0'.repeat(64),
  argv: ['make'],
  cwd: '/',
  environment: '0'.repeat(64),
  uninspectable: false,
  view: null,
}

function anyTarget(random: Random): Resource {
  if (random.below(2) === 0)
    return {
      type: 'url',
      scheme: random.pick(['https', 'https', 'http'] as const),
      host: random.pick(hostNames),
      port: random.pick([443, 8443]),
      method: random.pick(['GET', 'HEAD']),
      addressClass: 'name',
      redirects: 'refused',
      carries: random.pick(['address', 'address', 'address', 'more'] as const),
    }
  const root = random.pick(['workspace', 'host'] as const)
  return {
    type: 'file',
    root,
    path: random.pick(root === 'host' ? hostPaths : paths),
    op: random.pick(['read', 'list', 'write'] as const),
    identity: random.pick(['absent', isThere] as const),
    content: null,
  }
}

/** A boundary is crossed, so that every call asks by itself; a write stays inside and lets something leave. */
function effectsOf(resources: readonly Resource[]): Effect[] {
  const common = { reversible: true, outward: false }
  return resources.map((resource): Effect => {
    if (resource.type === 'url')
      return { ...common, verb: 'fetch', object: resource.host, scope: 'boundary', leaves: ['the address'] }
    const verb = resource.type === 'file' ? resource.op : 'read'
    const isWrite = verb === 'write'
    return {
      ...common,
      verb,
      object: 'a file',
      scope: isWrite ? 'inside' : 'boundary',
      leaves: isWrite ? ['a note'] : [],
    }
  })
}
