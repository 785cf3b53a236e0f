/**
 * Owns docs/api.md, which is made from the routes that the gateway declares. Writes it, or with --check fails if it is
 * not what would be written. Refuses two routes at one place, because only the first would ever answer.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ApiOptions, createApi } from '../packages/gateway/src/server/api.ts'
import type { App } from '../packages/gateway/src/server/route.ts'
import { needsDevice } from '../packages/gateway/src/server/unsigned.ts'
import { type Shape, shapeNames } from './api-shape.ts'
import { repository } from './workspace.ts'

const file = 'docs/api.md'

export interface DeclaredRoute {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly query?: Shape
  readonly body?: Shape
  readonly reply?: { readonly type: string; readonly shape: Shape }
}

interface Registered {
  readonly method: string
  readonly path: string
  readonly summary?: string
  readonly request?: { readonly query?: Shape; readonly body?: { readonly content?: Content } }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}
type Content = Readonly<Record<string, { readonly schema?: Shape } | undefined>>

/** In the order of the page; a place that no noun names has a section of its own at the end. */
const nouns: readonly { readonly title: string; readonly places: readonly string[] }[] = [
  {
    title: 'The gateway',
    places: ['health', 'status', 'pause', 'resume', 'events', 'live', 'metrics', 'parts'],
  },
  { title: 'Devices, passkeys and pairing', places: ['devices', 'pairing', 'push'] },
  { title: 'Nodes', places: ['nodes'] },
  { title: 'The first run', places: ['onboarding'] },
  { title: 'Messages and sessions', places: ['messages', 'sessions', 'session-imports', 'episodes'] },
  { title: 'Runs', places: ['runs', 'why'] },
  { title: 'Approvals and questions', places: ['approvals', 'questions'] },
  { title: 'Grants', places: ['grants', 'what-can'] },
  { title: 'Ledger', places: ['ledger'] },
  { title: 'Tools and secrets', places: ['tools', 'tool-groups', 'secrets'] },
  {
    title: 'Models and providers',
    places: [
      'providers',
      'detected-providers',
      'models',
      'model',
      'routes',
      'model-catalogue',
      'model-estimate',
      'model-traces',
    ],
  },
  { title: 'Costs', places: ['costs', 'budgets', 'model-calls'] },
  { title: 'Agents', places: ['agents', 'agent-teams', 'agent-files', 'profile'] },
  { title: 'Goals and tasks', places: ['goals', 'goal-board', 'agent-tasks', 'inspections'] },
  { title: 'Plans', places: ['plans'] },
  { title: 'Automations', places: ['schedules', 'hooks'] },
  {
    title: 'Memory',
    places: [
      'memories',
      'memory-suggestions',
      'memory-search',
      'memory-stats',
      'memory-forget',
      'memory-never',
      'memory-export',
    ],
  },
  { title: 'Search', places: ['search'] },
  { title: 'Feed', places: ['feed'] },
  {
    title: 'Records',
    places: ['tasks', 'bookmarks', 'notes', 'contacts', 'calendar', 'expenses', 'expense-summary', 'tables'],
  },
]

/** Every route of the gateway, in the order in which they are tried. Nothing is opened and nobody is asked. */
export async function declaredRoutes(): Promise<readonly DeclaredRoute[]> {
  const app = createApi(optionsWith(await routeAdders()))
  const declared = app.openAPIRegistry.definitions.flatMap((each) =>
    'route' in each ? [routeOf(each.route as Registered)] : [],
  )
  const known = new Set(declared.map(placeOf))
  const silent = app.routes
    .filter(({ method, path }) => method !== 'ALL' && path !== '*' && path !== '/*')
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:(\w+)/g, '{$1}') }))
    .filter((each) => !known.has(placeOf(each)) && each.path !== '/openapi.json')
    .map((each) => ({ ...each, summary: 'Is not in the OpenAPI document.' }))
  return [...declared, ...silent]
}

/** The places at which more than one route is declared. */
export function contestedPaths(routes: readonly DeclaredRoute[]): string[] {
  const places = routes.map(placeOf)
  return [...new Set(places.filter((place, at) => places.indexOf(place) !== at))]
}

export function apiDoc(routes: readonly DeclaredRoute[]): string {
  const names = shapeNames()
  const first = routes.filter(
    (each, at) => routes.findIndex((other) => placeOf(other) === placeOf(each)) === at,
  )
  const named = new Set(nouns.flatMap(({ places }) => places))
  const strange = [...new Set(first.map(nounOf).filter((noun) => !named.has(noun)))]
  const sections = [...nouns, ...strange.map((noun) => ({ title: noun, places: [noun] }))].map(
    ({ title, places }) => {
      const here = first.filter((each) => places.includes(nounOf(each)))
      const rows = places.flatMap((place) => here.filter((each) => nounOf(each) === place)).map(rowOf)
      return `## ${title}\n\n| Call | What it does | Takes | Gives |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
    },
  )
  const shapes = names
    .used()
    .map(({ name, words }) => `- **${name}** ${words}`)
    .join('\n')
  return `${[head(first.length), ...sections, `${aboutShapes}\n\n${shapes}`].join('\n\n')}\n`

  function rowOf(each: DeclaredRoute): string {
    const { method, path, summary, query, body, reply } = each
    const unsigned = isSigned(each) ? '' : ' †'
    const takes = [
      ...(query ? names.fieldsOf(query).map(parameterWords) : []),
      ...(body ? [names.wordsOf(body)] : []),
    ]
    const gives = !reply
      ? ''
      : reply.type === 'application/json'
        ? names.wordsOf(reply.shape)
        : `text, \`${reply.type}\``
    return `| \`${method} ${path}\`${unsigned} | ${summary} | ${takes.join('<br>')} | ${gives} |`
  }
}

function head(count: number): string {
  return `# API

This page is made from the routes of the gateway by \`node scripts/api-doc.ts\`. Do not change it by hand. The same, for machines, is at \`/openapi.json\` of your gateway.

There are ${count} calls. The gateway listens on 127.0.0.1 and ::1, on port 7347 unless you say otherwise. Everything that the command line and the web app do is one of these calls.

- **Signed.** Every call is signed by a paired device, over method, path with query, hash of the body, time, a nonce, the gateway, the device and the address ([why](decisions/0010-every-request-is-signed.md)). Calls marked with † need no signature of a device. Use \`createClient\` of \`@countersign/contract/client\`; \`curl\` alone is not enough.
- **Proven.** Every answer to a request with a nonce carries \`countersign-proof\`, the gateway's signature over the question, the address and the answer ([how](decisions/0027-the-gateway-proves-itself.md)). An answer that is streamed is signed at its beginning.
- **Reach.** A device that looks may only GET. One that decides may not change devices, secrets, providers, models, tools, limits of money or the setup. See [devices](operators/devices.md).
- **Answers.** JSON, with 200, or 201 where a record was added. What was not done is \`{"ok":false,"error":{"type","message","next","details"}}\`; the types are in [errors](errors.md).
- **Changes** answer with the number of their entry in the ledger, mostly as a \`Receipt\`.
- **Live.** The socket at \`/v1/socket\` sends numbered events from where you left off. See [what is live](developers/live.md).
- **Bodies** have 1 MiB at most.`
}

const aboutShapes = `## Shapes

What the tables name. \`?\` after a name means that the field may be left out.`

function routeOf({ method, path, summary, request, responses }: Registered): DeclaredRoute {
  const body = request?.body?.content?.['application/json']?.schema
  const good = Object.entries(responses ?? {}).find(([code]) => code.startsWith('2'))?.[1].content ?? {}
  const [type, answered] = Object.entries(good)[0] ?? []
  return {
    method: method.toUpperCase(),
    path,
    summary: summary ?? '',
    ...(request?.query ? { query: request.query } : {}),
    ...(body ? { body } : {}),
    ...(type !== undefined && answered?.schema ? { reply: { type, shape: answered.schema } } : {}),
  }
}

/** Every function of the gateway that adds routes, wherever a new one is put. */
async function routeAdders(): Promise<((app: App) => void)[]> {
  const files = globSync(['packages/gateway/src/{server,onboarding}/*.ts'], {
    cwd: repository,
    exclude: ['**/*.test.ts'],
  }).toSorted()
  const found = new Set<Add>()
  for (const path of files) {
    const exported = (await import(pathToFileURL(join(repository, path)).href)) as Record<string, unknown>
    for (const [name, add] of Object.entries(exported))
      if (/^add\w+Routes?$/.test(name) && !addedByApi.has(name)) found.add(add as Add)
  }
  return [...found].map((add) => (app) => add(app, nobody))
}

type Add = (app: App, parts: unknown) => void

const addedByApi = new Set(['addSecretRoutes', 'addToolRoutes', 'addRecordRoutes'])

/** Stands for every collaborator while routes are declared. It is never asked for anything. */
const nobody: unknown = new Proxy(() => undefined, { get: (_target, key) => (key === 'token' ? '' : nobody) })

function optionsWith(added: ApiOptions['routes']): ApiOptions {
  const parts = 'kernel views gatekeeper prover status tools secrets address pages onProblem'.split(' ')
  const stubs = Object.fromEntries(parts.map((part) => [part, nobody])) as unknown as ApiOptions
  return { ...stubs, version: '', routes: added }
}

function isSigned({ method, path }: DeclaredRoute): boolean {
  if (!path.startsWith('/v1/')) return false
  return needsDevice(method, path.replaceAll(/\{\w+\}/g, '0'.repeat(32)))
}

/** Most may be left out, so only those that may not are said to be needed. */
function parameterWords({ name, words }: { readonly name: string; readonly words: string }): string {
  return name.endsWith('?') ? `\`?${name.slice(0, -1)}\` ${words}` : `\`?${name}\` ${words}, needed`
}

function nounOf({ path }: Pick<DeclaredRoute, 'path'>): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'v1' ? second : first
}

function placeOf({ method, path }: Pick<DeclaredRoute, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

if (import.meta.main) {
  const routes = await declaredRoutes()
  const wanted = apiDoc(routes)
  const path = join(repository, file)
  const problems = contestedPaths(routes).map(
    (place) => `${place} is declared twice, and only the first answers. Give one of them another path.`,
  )
  if (!process.argv.includes('--check')) {
    writeFileSync(path, wanted)
    process.stdout.write(`Wrote ${file}.\n`)
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== wanted)
    problems.push(`${file} is not what the routes are. Write it anew: node scripts/api-doc.ts`)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
