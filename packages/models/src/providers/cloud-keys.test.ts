import { createHash, createHmac, createVerify, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../../../tests/model-servers/src/index.ts'
import { createModel } from '../calls/model.ts'
import { awsKeysIn, awsRegionOf } from './aws-keys.ts'
import { listModels } from './list-models.ts'
import { accountTokens, serviceAccountIn } from './service-account.ts'

const id = 'AKIDEXAMPLEABCDEF'
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

let opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened) await each.close()
  opened = []
})

async function models(): Promise<ModelServer> {
  const server = await startModelServer({ script: () => ({ text: 'Good day.' }), models: ['m-1'] })
  opened.push(server)
  return server
}

async function said(config: Parameters<typeof createModel>[0]) {
  const request = {
    purpose: 'chat',
    system: 'Be kind.',
    messages: [{ role: 'user', text: 'Hello' }],
    tools: [],
    maxOutputTokens: 100,
  } as const
  const chunks = []
  for await (const chunk of createModel(config).stream(request, AbortSignal.timeout(10_000)))
    chunks.push(chunk)
  return chunks.at(-1)
}

/** The signature over what arrived, reckoned here from the specification of AWS and by none of the code under test. */
function signatureOf(
  method: string,
  path: string,
  body: string,
  headers: IncomingMessage['headers'],
  region: string,
): string {
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const date = String(headers['x-amz-date'])
  const [plain = '', query = ''] = path.split('?')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const canonical = [
    method,
    // Encoded once more, as for every service but storage.
    plain.split('/').map(encodeURIComponent).join('/'),
    query,
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    hash(body),
  ].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/bedrock/aws4_request`
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
  const key = [date.slice(0, 8), region, 'bedrock', 'aws4_request'].reduce<Buffer | string>(
    (all, part) => hmac(all, part),
    `AWS4${secret}`,
  )
  return hmac(key as Buffer, ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')).toString('hex')
}

/** Takes a request as it came and passes it on to the scripted server. */
async function watched(server: ModelServer) {
  const seen: { method: string; path: string; body: string; headers: IncomingMessage['headers'] }[] = []
  const front: Server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const part of request) body += String(part)
      const path = request.url ?? ''
      seen.push({ method: request.method ?? '', path, body, headers: request.headers })
      const answer = await fetch(server.url + path, {
        method: request.method ?? 'GET',
        ...(body === '' ? {} : { body }),
      })
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
      })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => front.close() })
  return { seen, url: `http://127.0.0.1:${(front.address() as AddressInfo).port}` }
}

describe('keys of AWS', () => {
  test('are an id and a secret, with a token or without; anything else is a key of its own', () => {
    expect(awsKeysIn(`${id}:${secret}`)).toEqual({ accessKeyId: id, secretAccessKey: secret })
    expect(awsKeysIn(`${id}:${secret}:${'t'.repeat(40)}`)?.sessionToken).toBe('t'.repeat(40))
    expect(awsKeysIn('bedrock-api-key-YWJj')).toBeUndefined()
    expect(awsKeysIn(`${id}:short`)).toBeUndefined()
  })

  test('belong to the region that the address names', () => {
    expect(awsRegionOf('https://bedrock-runtime.eu-central-1.amazonaws.com')).toBe('eu-central-1')
    expect(awsRegionOf('https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/')).toBe('us-gov-west-1')
    expect(awsRegionOf('https://vpce-1.bedrock-runtime.us-west-2.vpce.amazonaws.com')).toBe('us-west-2')
    expect(awsRegionOf('http://127.0.0.1:1')).toBe('us-east-1')
  })

  test('sign a reply that is asked for, and the secret does not travel', async () => {
    const { seen, url } = await watched(await models())
    const config = { name: 'aws', kind: 'bedrock', model: 'anthropic.claude-v1:0', timeoutMs: 5_000 } as const
    const end = await said({
      ...config,
      baseUrl: `${url}/bedrock`,
      apiKey: `${id}:${secret}`,
      requestId: 'r1',
    })
    expect(end).toMatchObject({ type: 'end', reply: { text: 'Good day.' } })
    const [request] = seen
    if (!request) throw new Error('nothing was asked')
    const { method, path, body, headers } = request
    expect(headers.authorization).toContain(`Credential=${id}/`)
    expect(headers.authorization).toContain(
      `Signature=${signatureOf(method, path, body, headers, 'us-east-1')}`,
    )
    expect(JSON.stringify(seen)).not.toContain(secret)
  })

  test('sign the list of models too', async () => {
    const { seen, url } = await watched(await models())
    const listed = await listModels(
      { kind: 'bedrock', baseUrl: `${url}/bedrock`, apiKey: `${id}:${secret}`, timeoutMs: 5_000 },
      fetch,
    )
    expect(listed).toEqual({ kind: 'listed', models: ['m-1'] })
    const { method, path, body, headers } = seen[0] as (typeof seen)[number]
    expect(headers.authorization).toContain(
      `Signature=${signatureOf(method, path, body, headers, 'us-east-1')}`,
    )
  })
})

describe('a service account of Google', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const file = (token_uri: string) =>
    Buffer.from(
      JSON.stringify({
        type: 'service_account',
        client_email: 'agent@p.iam.gserviceaccount.com',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri,
      }),
    ).toString('base64')

  async function tokenServer(status = 200) {
    const asked: URLSearchParams[] = []
    const server = createServer((request, response) => {
      void (async () => {
        let body = ''
        for await (const part of request) body += String(part)
        asked.push(new URLSearchParams(body))
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ access_token: `ya29.${asked.length}`, expires_in: 3_600 }))
      })()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened.push({ close: () => server.close() })
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` }
  }

  test('signs a statement, gets a token for it, and is asked again only before its end', async () => {
    const { asked, url } = await tokenServer()
    let now = 1_800_000_000_000
    const account = serviceAccountIn(file(url))
    if (!account) throw new Error('no account')
    const token = accountTokens(account, fetch, () => now)
    expect(await token()).toBe('ya29.1')
    now += 50 * 60_000
    expect(await token()).toBe('ya29.1')
    now += 6 * 60_000
    expect(await token()).toBe('ya29.2')
    const [header = '', claims = '', signature = ''] = (asked[0]?.get('assertion') ?? '').split('.')
    const verifier = createVerify('RSA-SHA256').update(`${header}.${claims}`)
    expect(verifier.verify(publicKey, signature, 'base64url')).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: 'agent@p.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: url,
      iat: 1_800_000_000,
      exp: 1_800_003_600,
    })
  })

  test('answers with the token, and with no key in any header', async () => {
    const { url } = await tokenServer()
    const server = await models()
    const config = { name: 'v', kind: 'vertex', model: 'gemini-2.5-pro', timeoutMs: 5_000 } as const
    const end = await said({ ...config, baseUrl: server.baseUrl('vertex'), apiKey: file(url) })
    expect(end).toMatchObject({ type: 'end', reply: { text: 'Good day.' } })
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer ya29.1' })
    expect(server.requests[0]?.headers['x-goog-api-key']).toBeUndefined()
    const listed = await listModels(
      { kind: 'vertex', baseUrl: server.baseUrl('vertex'), apiKey: file(url), timeoutMs: 5_000 },
      fetch,
    )
    expect(listed).toEqual({ kind: 'listed', models: ['m-1'] })
  })

  test('that is refused a token fails the call, and says nothing of the account', async () => {
    const { url } = await tokenServer(401)
    const server = await models()
    const config = { name: 'v', kind: 'vertex', model: 'gemini-2.5-pro', timeoutMs: 5_000 } as const
    const end = await said({ ...config, baseUrl: server.baseUrl('vertex'), apiKey: file(url) })
    expect(end?.type).toBe('failed')
    expect(JSON.stringify(end)).not.toContain('gserviceaccount')
    expect(server.requests).toEqual([])
  })

  test('with a place that is not safe is none', () => {
    expect(serviceAccountIn(file('http://token.example/token'))).toBeUndefined()
    expect(serviceAccountIn(file('https://user:pw@token.example/token'))).toBeUndefined()
    expect(serviceAccountIn('AIzaSyExample')).toBeUndefined()
    const asItIs = Buffer.from(file('https://oauth2.googleapis.com/token'), 'base64').toString()
    expect(serviceAccountIn(asItIs)?.email).toBe('agent@p.iam.gserviceaccount.com')
  })
})
