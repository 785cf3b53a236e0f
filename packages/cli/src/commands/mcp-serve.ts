/**
 * `countersign mcp serve`: passes messages of MCP between a program on this computer and the gateway. It has the token of a
 * program and nothing else; what may be asked is for the gateway to say.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { CountersignError } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, ended } from '../output/answer.ts'

interface Door {
  readonly address: URL
  readonly token: string
}

const tokenShape = /^cs_[A-Za-z0-9_-]{43}$/

export const serve: Handler = async (context, _args, { tokenFile }): Promise<CommandAnswer> => {
  const token = tokenFrom(context, typeof tokenFile === 'string' ? tokenFile : undefined)
  const door = { address: new URL('/mcp', await addressFor(context)), token }
  const { input, output } = context.host
  const write = (message: string) => output.write(`${message}\n`)
  const under = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const passed: Promise<void> = pass(door, line, write).finally(() => under.delete(passed))
    under.add(passed)
  }
  await Promise.all(under)
  return ended(0)
}

/** A gateway on this computer proves itself before the token is sent there; elsewhere TLS does. */
async function addressFor(context: Context): Promise<string> {
  const { url } = context.flags
  if (url?.startsWith('https:')) return url
  const gateway = await context.gateway()
  await gateway.client.status()
  return gateway.url
}

function tokenFrom({ host }: Context, file: string | undefined): string {
  const token = (
    file === undefined ? (host.environment.programToken ?? '') : readFileSync(file, 'utf8')
  ).trim()
  if (tokenShape.test(token)) return token
  throw new CountersignError('usage', 'There is no token of a program.', {
    next: 'Make one with `countersign program add`, and name its file with --token-file or set COUNTERSIGN_PROGRAM_TOKEN.',
  })
}

/** One message there; what comes back is written as it comes, and a failure is told in the words of the protocol. */
async function pass(
  { address, token }: Door,
  message: string,
  write: (message: string) => void,
): Promise<void> {
  const { id, version } = readHead(message)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      },
      body: message,
    })
    const text = await response.text()
    if (!response.ok && !isMessage(text)) throw new Error(`The gateway answered ${response.status}.`)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    for (const each of isStream ? eventsIn(text) : [text.trim()]) if (each !== '') write(each)
  } catch (error) {
    if (id === undefined) return
    const told = error instanceof Error ? error.message : String(error)
    write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: `Countersign: ${told}` } }))
  }
}

interface MessageHead {
  /** Of a request; nothing waits for an answer to anything else. */
  readonly id: string | number | undefined
  /** A message that names its version needs it in a header too. */
  readonly version: string | undefined
}

function readHead(message: string): MessageHead {
  const read = objectIn(message)
  const id = read['id']
  const params = read['params']
  const meta = typeof params === 'object' && params !== null && '_meta' in params ? params._meta : undefined
  const version =
    typeof meta === 'object' && meta !== null
      ? (meta as Record<string, unknown>)['io.modelcontextprotocol/protocolVersion']
      : undefined
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    version: typeof version === 'string' ? version : undefined,
  }
}

const isMessage = (text: string): boolean => objectIn(text)['jsonrpc'] === '2.0'

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const eventsIn = (text: string): string[] =>
  text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .flatMap((row) => (row.startsWith('data:') ? [row.slice(5).trim()] : []))
      .join('\n'),
  )
