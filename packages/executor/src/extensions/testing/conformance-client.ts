/**
 * Drives our client for the protocol's conformance suite: connects to the address in the first argument as the executor
 * does, plays the operator where one signs in, lists the tools and calls each. For tests.
 */
import { type AskOperator, type JsonObject, presetsOf } from '@countersign/contract'
import { createEgress, defaultEgressLimits } from '../../egress/egress.ts'
import { createAccessTokens, type GrantSource } from '../../oauth/access-tokens.ts'
import { type ClientFound, createServerOAuthFinder } from '../../oauth/find-server-oauth.ts'
import { createOAuthServer } from '../../oauth/oauth-server.ts'
import { egressTransport } from '../egress-transport.ts'
import { keptBearer, type ServerBearer, signedInBearer } from '../server-bearer.ts'
import { connectServer } from '../server-connection.ts'
import { createServerQuestions } from '../server-questions.ts'

const { signal } = new AbortController()
const [, , address = ''] = process.argv
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context } = process.env
const known = JSON.parse(context ?? '{}') as { client_id?: string; client_secret?: string }

/** As the operator names their own places, one after the other. */
const allowPrivate: { host: string; port: number }[] = []
const allow = (url: string): void => {
  const { hostname, port } = new URL(url)
  allowPrivate.push({ host: hostname, port: Number(port) })
}
allow(address)
const egress = createEgress({ allow: { allowPrivate, ports: [] }, limits: defaultEgressLimits })

/** Gives what the server says when it does not take what it is shown. */
async function tried(bearer: ServerBearer | undefined): Promise<string | undefined> {
  try {
    const questions = createServerQuestions()
    const transport = egressTransport(
      { url: address, bearer, isPatient: questions.isWaiting },
      egress,
      signal,
    )
    const connection = await connectServer(transport, signal, { now: Date.now, questions })
    const tools = await connection.list(signal)
    for (const { name, input } of tools) {
      const answer = await connection.call({ tool: name, input: inputFor(input as JsonObject), signal, ask })
      process.stdout.write(`${name}: ${JSON.stringify(answer)}\n`)
      if (answer.kind === 'silent') return answer.reason
    }
    await connection.close()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** As an operator who sends each form as it stands. */
const ask: AskOperator = async (asked) =>
  asked.kind === 'form'
    ? { kind: 'accepted', values: presetsOf(asked.form) }
    : { kind: 'declined', reason: asked.reason }

/** A number for each number, a word for each word. */
function inputFor({ properties = {} }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonObject>).map(([name, { type }]) => [
      name,
      type === 'number' ? 2 : 'two',
    ]),
  )
}

async function signedIn(scopes: readonly string[] | undefined): Promise<ServerBearer> {
  const finder = createServerOAuthFinder(egress)
  const told = await finder.providers(address, signal)
  if (told.kind === 'failed') throw new Error(told.reason)
  const [provider = ''] = told.providers
  allow(provider)
  const wish = {
    server: 'far',
    provider,
    redirectPort: 49_152,
    scopes,
    clientId: known.client_id,
    hasSecret: known.client_secret !== undefined,
  }
  const found = await finder.client(address, wish, signal)
  if (found.kind === 'failed') throw new Error(found.reason)
  return bearerOf(found)
}

async function bearerOf({ oauth, clientSecret = known.client_secret }: ClientFound): Promise<ServerBearer> {
  const server = createOAuthServer(egress)
  const redirectUri = `http://127.0.0.1:${oauth.redirectPort}/`
  const begun = await server.beginBrowser(oauth, redirectUri)
  const page = await fetch(begun.address, { redirect: 'manual' })
  const callback = new URL(page.headers.get('location') ?? '').search.slice(1)
  const reply = await server.redeem(
    { client: oauth, clientSecret },
    { ...begun, callback, redirectUri },
    signal,
  )
  if (reply.kind !== 'tokens') throw new Error(JSON.stringify(reply))
  const { accessToken, refreshToken } = reply
  const kept = new Map([[oauth.secret, refreshToken ?? '']])
  if (oauth.clientSecret !== null && clientSecret !== undefined) kept.set(oauth.clientSecret, clientSecret)
  const grants: GrantSource = {
    current: async (name) => kept.get(name),
    async exchange(name, before, after) {
      if (kept.get(name) !== before) return false
      if (after === null) kept.delete(name)
      else kept.set(name, after)
      return true
    },
    mask: () => undefined,
  }
  const tokens = createAccessTokens(server, () => new Date())
  const launch = { kind: 'http', url: address, secret: null, oauth } as const
  const bearer = signedInBearer({ server: { name: 'far', launch }, oauth, tokens, grants: () => grants })
  // The gateway would refuse such a sign-in, since it ends by itself.
  return refreshToken === undefined ? { ...bearer, token: keptBearer(accessToken).token } : bearer
}

/** Whoever is told that more is wanted allows it once, and not for ever. */
const mostSignIns = 3

async function main(): Promise<void> {
  let problem = await tried(undefined)
  let scopes: string[] | undefined
  for (
    let times = 0;
    problem !== undefined && scenario.startsWith('auth/') && times < mostSignIns;
    times += 1
  ) {
    problem = await tried(await signedIn(scopes))
    scopes = /It asks for “([^”]+)”\./.exec(problem ?? '')?.[1]?.split(' ')
    if (scopes === undefined) break
  }
  if (problem !== undefined) throw new Error(problem)
}

await main()
