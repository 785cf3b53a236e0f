import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Client,
  createClient,
  pairingCalls,
  type Transport,
} from '../packages/contract/src/client/index.ts'
import { type DeviceId, type GatewayId, proofHeader, SetupStepId } from '../packages/contract/src/index.ts'
import * as routes from '../packages/contract/src/routes/index.ts'
import { recordResources } from '../packages/tools/src/index.ts'
import { clientParts } from '../packages/web/build/without-server-parts.ts'
import { declaredRoutes } from './api-doc.ts'
import { repository } from './workspace.ts'

type Row = routes.RouteDefinition | routes.StreamDefinition

const rows: readonly Row[] = [
  ...Object.values(routes).flatMap((each) => (typeof each === 'object' ? Object.values<Row>(each) : [])),
  ...SetupStepId.options.map(routes.setUpRoute),
]
const placeOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method.toUpperCase()} ${path}`

/** Beside the table: routes that change records, which follow from their collections, and callers without a device. */
const withoutClient = [
  ...recordResources.map(({ path }) => `/v1/${path}`),
  '/v1/tables',
  '/hooks',
  '/mcp',
  '/metrics',
  '/openai/v1',
]

/** What a computer asks that is not a node yet: it believes nobody so far, and so has no client. */
const ofNewNodes = ['nodePairing', 'requestNodePairing', 'nodePairingState'] as const
const byNewNodes = ofNewNodes.map((name) => placeOf(routes.nodeRoutes[name]))

test('the gateway has the routes of the table, and no others', async () => {
  const declared = (await declaredRoutes()).filter(
    (each) =>
      rows.some((row) => placeOf(row) === placeOf(each)) ||
      !withoutClient.some((place) => each.path === place || each.path.startsWith(`${place}/`)),
  )
  const told = ({ method, path, summary }: Omit<Row, 'reply'>) => `${placeOf({ method, path })}: ${summary}`
  expect(declared.map((each) => told(each as Row)).toSorted()).toEqual(rows.map(told).toSorted())
})

test('the client asks for every row of the table', async () => {
  const asked = new Set<string>()
  const answer = new Map([
    ['/v1/pairing', { gateway: `gw_${'0'.repeat(32)}`, key: 'AAAA', name: 'a', passkeys: true }],
  ])
  const fetch: Transport = async (url, { method }) => {
    const literal = rows.find((row) => placeOf(row) === `${method} ${url.pathname}`)
    const row =
      literal ?? rows.find((each) => method === each.method.toUpperCase() && fits(each.path, url.pathname))
    asked.add(row ? placeOf(row) : `${method} ${url.pathname}`)
    return Response.json(answer.get(url.pathname) ?? {}, { headers: { [proofHeader]: 'proof' } })
  }
  const ports = { hash: async () => '', nonce: () => '', verify: async () => true }
  const client = createClient({
    url: 'http://127.0.0.1:1',
    signer: {
      ...ports,
      device: '' as DeviceId,
      gateway: '' as GatewayId,
      sign: async () => '',
      proves: async () => true,
      now: () => new Date(0),
    },
    fetch,
  })
  const pairing = pairingCalls({ url: 'http://127.0.0.1:1', fetch, isExpected: () => true, ports })
  const { setUp, ...others } = client as Record<keyof Client, (...given: unknown[]) => Promise<unknown>>
  const calls = [...Object.values(others), ...(Object.values(pairing) as (typeof setUp)[])]
  // What comes back is of no form, and what is sent is not looked at: only where it goes.
  await Promise.allSettled(calls.map((call) => call('one', 'other', 'third')))
  await Promise.allSettled(SetupStepId.options.map((step) => setUp(step, {})))
  const byClients = rows.map(placeOf).filter((place) => !byNewNodes.includes(place))
  expect([...asked].toSorted()).toEqual(byClients.toSorted())
})

test('the page takes the paths and replies of the table, and neither its words nor its requests', () => {
  const folder = join(repository, 'packages/contract/src/routes')
  const text = globSync('*.ts', { cwd: folder })
    .map((file) => clientParts(readFileSync(join(folder, file), 'utf8')))
    .join('\n')
  const taken = rows.filter((each) => 'reply' in each && !each.path.startsWith('/v1/onboarding/'))
  expect(taken.filter(({ path }) => !text.includes(`'${path}'`))).toEqual([])
  expect(taken.filter(({ summary }) => text.includes(`'${summary}'`))).toEqual([])
  expect(text).not.toContain('body: SetGoal')
})

function fits(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}
