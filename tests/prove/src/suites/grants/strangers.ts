/**
 * Makes grants that hold after untrusted content was read, and others beside them, and calls of runs that strangers lead: near
 * to what was approved, and never more than a plain look or a plain document. A grant answers none that its sentence does
 * not say, and none that nobody can grant for such a run.
 */
import type {
  Effect,
  FileResource,
  GrantRequest,
  JsonObject,
  Label,
  UrlResource,
} from '@countersign/contract'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { Base } from './base.ts'
import type { Call } from './calls.ts'
import { readSentence, type SentenceReading } from './sentence-reading.ts'

const callsPerWorld = 20
const led: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] }
const isThere = { device: '1', inode: '2' }

/** A call whose arguments and target say the same. */
interface LedCall extends Call {
  readonly value: JsonObject
}

export interface StrangersTally {
  calls: number
  answered: number
  grants: number
}

export async function tryStrangers(
  base: Base,
  { worlds, random, blame }: { worlds: number; random: Random; blame(problem: string): void },
): Promise<StrangersTally> {
  const tally: StrangersTally = { calls: 0, answered: 0, grants: 0 }
  const now = new Date('2026-03-01T12:00:00.000Z')
  for (let world = 0; world < worlds; world += 1) {
    const given: { id: Parameters<Base['revoke']>[0]; reading: SentenceReading }[] = []
    const approved = random.pick(approvedCalls)(random)
    for (const untrusted of random.shuffle([true, random.below(2) === 0])) {
      const made = await base.grant(approved, requestOf(random, untrusted), now)
      if (made) given.push({ id: made.id, reading: readSentence(made.sentence, approved) })
    }
    tally.grants += given.length
    for (let at = 0; at < callsPerWorld; at += 1) {
      const call = random.pick(turns)(approved, random)
      const { grant } = await base.decide(call, now)
      tally.calls += 1
      if (grant === undefined) continue
      tally.answered += 1
      const used = given.find(({ id }) => id === grant)
      const isSaid = used?.reading.untrusted === true && used.reading.allows(call)
      const problem = isSaid ? neverGranted(call) : 'its sentence does not say that'
      if (problem !== null)
        blame(`a grant answered a run that strangers lead: ${problem}: ${JSON.stringify(call)}`)
    }
    for (const { id } of given) await base.revoke(id, now)
  }
  if (tally.answered === 0) blame('no grant answered a run that strangers lead, so nothing is proven')
  return tally
}

function requestOf(random: Random, untrusted: boolean): GrantRequest {
  return {
    scope: 'rule',
    stop: random.pick(['call', 'target', 'place', 'place', 'tool'] as const),
    where: random.pick(['agent', 'everywhere'] as const),
    days: 1,
    maxUses: null,
    ...(untrusted ? { untrusted } : {}),
  }
}

/** Why nobody can grant it for such a run; null where one can. Written anew from decision 0058. */
function neverGranted({
  tool,
  value,
  resources,
  effects,
  secrets,
  label,
  requester,
}: LedCall): string | null {
  const [target, ...others] = resources
  if (!target || others.length > 0) return 'it has several targets'
  if (secrets.length > 0 || label.confidentiality === 'secret') return 'a secret'
  if (requester !== undefined && requester.kind !== 'operator') return 'somebody else asks'
  if (effects.some(({ outward, reversible }) => outward || !reversible)) return 'it cannot be taken back'
  if (target.type === 'url') {
    const url = new URL(textOf(value['url']))
    if (!['fetch_web_page', 'http_request', 'json_api'].includes(tool)) return 'another tool'
    if (url.search !== '' || url.pathname.length > 80) return 'words in the address'
    if (target.addressClass !== 'name') return 'an inner address'
    return target.port === (target.scheme === 'https' ? 443 : 80) ? null : 'an odd port'
  }
  if (target.type !== 'file' || target.op !== 'write' || tool !== 'write_file') return 'no document'
  if (!/^[\w/-]+\.(?:md|csv|tsv)$/.test(target.path) || /(?:readme|agents|skill)/i.test(target.path))
    return 'no plain name'
  const content = textOf(value['content'])
  // A formula is one in a table only.
  const isFormula = !target.path.endsWith('.md') && /^=/m.test(content)
  return isFormula || /!\[|<\w|^---/m.test(content) ? 'no plain text' : null
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const common = { label: led, secrets: [], session: 'ses_1', run: 'run_1', agent: 'assistant', goal: null }

function looking(tool: string, address: string, more: Partial<UrlResource> = {}): LedCall {
  const url = new URL(address)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const resource: UrlResource = {
    type: 'url',
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    host: url.hostname,
    port,
    method: 'GET',
    addressClass: 'name',
    redirects: 'same-host',
    carries: 'address',
    ...more,
  }
  const value = { url: address, ...(resource.method === 'GET' ? {} : { method: resource.method }) }
  const effect: Effect = {
    verb: 'fetch',
    object: url.hostname,
    scope: 'boundary',
    reversible: true,
    outward: false,
    leaves: ['the address'],
  }
  return { ...common, tool, value, args: JSON.stringify(value), resources: [resource], effects: [effect] }
}

function writing(
  path: string,
  content: string,
  more: Partial<FileResource> = {},
  tool = 'write_file',
): LedCall {
  const resource: FileResource = {
    type: 'file',
    root: 'workspace',
    path,
    op: 'write',
    identity: isThere,
    content: null,
    ...more,
  }
  const value = { path, content }
  const scope = resource.root === 'workspace' ? 'inside' : 'boundary'
  const verb = resource.op === 'delete' ? 'delete' : 'write'
  const effect: Effect = { verb, object: path, scope, reversible: true, outward: false, leaves: [] }
  return { ...common, tool, value, args: JSON.stringify(value), resources: [resource], effects: [effect] }
}

const lookers = ['fetch_web_page', 'http_request', 'json_api']
const site = 'https://docs.example.org'

const approvedCalls: readonly ((random: Random) => LedCall)[] = [
  (random) => looking(random.pick(lookers), `${site}/guide`),
  (random) => looking(random.pick(lookers), 'http://docs.example.org/guide'),
  () => writing('notes/plan.md', 'As before.'),
  () => writing('notes/new.md', 'Something new.', { identity: 'absent' }),
  () => writing('tables/list.csv', 'a,b'),
]

type Turn = (approved: LedCall, random: Random) => LedCall

/** The address of the approved call, or one of a site where it has none. */
const addressOf = ({ value }: LedCall) => (typeof value['url'] === 'string' ? value['url'] : `${site}/guide`)
const pathOf = ({ value }: LedCall) => (typeof value['path'] === 'string' ? value['path'] : 'notes/plan.md')
const folderOf = (call: LedCall) => pathOf(call).split('/')[0] ?? ''
const toolFor = ({ tool }: LedCall) => (lookers.includes(tool) ? tool : 'fetch_web_page')
const hostTurned = (approved: LedCall, host: string) => {
  const url = new URL(addressOf(approved))
  return `${url.protocol}//${host}${url.pathname}`
}

const turns: readonly Turn[] = [
  (approved) => approved,
  (approved) => approved,
  (approved) => ({ ...approved, label: { ...led, confidentiality: 'public' } }),
  // Another address of the same host, and what looks like the host.
  (approved) => looking(toolFor(approved), new URL('/other', addressOf(approved)).href),
  (approved, random) =>
    looking(
      toolFor(approved),
      hostTurned(
        approved,
        random.pick(['example.org', 'a.docs.example.org', 'docs.example.org.evil.test', 'xdocs.example.org']),
      ),
    ),
  (approved) => looking(toolFor(approved), hostTurned(approved, 'docs.example.org:8443')),
  (approved) =>
    looking(
      toolFor(approved),
      addressOf(approved).replace(/^https?/, (scheme) => (scheme === 'http' ? 'https' : 'http')),
    ),
  (approved) => looking(toolFor(approved), `${addressOf(approved)}?d=private`),
  (approved) => looking(toolFor(approved), `${addressOf(approved)}/${'secret-words-'.repeat(8)}`),
  (approved, random) =>
    looking(toolFor(approved), addressOf(approved), {
      method: random.pick(['HEAD', 'POST', 'PUT', 'DELETE']),
    }),
  (approved) => looking(toolFor(approved), addressOf(approved), { carries: 'more' }),
  (approved, random) =>
    looking(toolFor(approved), addressOf(approved), {
      addressClass: random.pick(['loopback', 'private'] as const),
    }),
  (approved, random) =>
    looking(
      random.pick([...lookers, 'browser_navigate', 'search_web', 'download_file']),
      addressOf(approved),
    ),
  // Another document, and what is none.
  (approved, random) =>
    writing(`${folderOf(approved)}/beside.md`, 'Theirs.', { identity: random.pick(['absent', isThere]) }),
  (approved, random) =>
    writing(
      `${folderOf(approved)}${random.pick(['', 'x', '/../other', '/deep'])}/${random.pick(['a.txt', 'a.html', 'a.svg', 'run.sh', 'README.md', 'AGENTS.md', '.hidden.md', 'a', '.git/a.md', 'a.json'])}`,
      'Theirs.',
      { identity: random.pick(['absent', isThere]) },
    ),
  (approved, random) =>
    writing(
      pathOf(approved),
      random.pick([
        '![](https://evil.test/p.png)',
        '<script>1</script>',
        '=HYPERLINK("https://evil.test")',
        '---\nrun: 1\n---',
        'Theirs.',
      ]),
    ),
  (approved) => writing(pathOf(approved), 'Theirs.', { op: 'delete' }, 'delete_file'),
  (approved) => writing(`/srv/${pathOf(approved)}`, 'Theirs.', { root: 'host' }),
  (approved) => writing(pathOf(approved), 'Theirs.', {}, 'copy_file'),
  // More than one target, and who nobody grants anything.
  (approved) => ({
    ...approved,
    resources: [...approved.resources, ...writing('other/a.md', 'x').resources],
  }),
  (approved) => ({ ...approved, effects: approved.effects.map((effect) => ({ ...effect, outward: true })) }),
  (approved) => ({
    ...approved,
    effects: approved.effects.map((effect) => ({ ...effect, reversible: false })),
  }),
  (approved) => ({ ...approved, label: { ...led, confidentiality: 'secret' } }),
  (approved) => ({ ...approved, secrets: ['mine'] }),
  (approved, random) => ({
    ...approved,
    requester: { kind: random.pick(['peer', 'webhook'] as const), id: 'them' },
  }),
  (approved) => ({ ...approved, agent: 'helper' }),
]
