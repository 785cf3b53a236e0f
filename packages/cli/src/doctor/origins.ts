/**
 * Looks whether the app answers at its public origins, and whether what stands there passes a WebSocket. Nothing secret is
 * sent, so a certificate that this computer does not know is no reason to stop; it is said.
 */
import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secured } from 'node:https'
import { TLSSocket } from 'node:tls'
import { type DoctorFinding, findingText, hint, ok, warning } from '@countersign/contract/doctor'

const guide = 'docs/operators/remote-access.md'
const answerMs = 5_000
const mostBytes = 4_096

export async function publicOrigins(origins: readonly string[]): Promise<DoctorFinding> {
  if (origins.length === 0) return ok('origins', 'the app is reached from this computer only')
  const looks = await Promise.all(origins.map(async (origin) => ({ origin, ...(await look(origin)) })))
  const evidence = looks.map(({ origin, state }) => `${origin} ${stateWords[state]}`).join('; ')
  const worst = (['elsewhere', 'no-socket', 'unreached', 'uncertain'] as const).find((state) =>
    looks.some((each) => each.state === state),
  )
  const problem = looks.find((each) => each.state === worst)
  if (worst === undefined || !problem) return ok('origins', evidence)
  const why = problem.why === '' ? evidence : `${evidence} (${problem.why})`
  const found = worst === 'uncertain' || worst === 'unreached' ? hint : warning
  return found('origins', why, fixes[worst])
}

type State = 'good' | 'elsewhere' | 'no-socket' | 'unreached' | 'uncertain'

const stateWords: Readonly<Record<State, string>> = {
  good: 'answers',
  elsewhere: 'is answered by something else',
  'no-socket': 'passes no WebSocket, so the app there connects again and again',
  unreached: 'cannot be reached from this computer',
  uncertain: 'answers, with a certificate that this computer does not know',
}

const fixes: Readonly<Record<Exclude<State, 'good'>, string>> = {
  elsewhere: `Lead it to the port of the gateway, with the Host as it came: ${guide}.`,
  'no-socket': `Have the proxy pass Upgrade and Connection: ${guide}.`,
  unreached:
    'Open it on the phone. Where it works there, nothing is wrong: some routers lead nobody back to themselves.',
  uncertain: 'Have your devices trust it, or use one that they know: a phone makes no key without.',
}

async function look(origin: string): Promise<{ readonly state: State; readonly why: string }> {
  try {
    const health = await ask(origin, '/v1/health', {})
    if (health.status !== 200 || !health.text.includes('"ok":true'))
      return { state: 'elsewhere', why: `status ${health.status}` }
    const socket = await ask(
      origin,
      `/v1/socket?nonce=${randomBytes(16).toString('hex')}&address=${origin}`,
      {
        origin,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    )
    if (socket.status !== 101) return { state: 'no-socket', why: `status ${socket.status}` }
    return { state: health.trusted ? 'good' : 'uncertain', why: '' }
  } catch (error) {
    return { state: 'unreached', why: findingText(error) }
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  /** Its certificate is one that this computer knows; also where none is needed. */
  readonly trusted: boolean
}

function ask(origin: string, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const url = new URL(path, origin)
  const send = url.protocol === 'https:' ? secured : plain
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMs)
    const sent = send(url, { headers, signal, agent: false, rejectUnauthorized: false })
    let trusted = true
    sent.on('socket', (socket) =>
      socket.once('secureConnect', () => {
        trusted = socket instanceof TLSSocket && socket.authorized
      }),
    )
    const answered = (got: IncomingMessage, text: string) => {
      resolve({ status: got.statusCode ?? 0, text, trusted })
      sent.destroy()
    }
    sent.on('upgrade', (got, socket) => {
      socket.destroy()
      answered(got, '')
    })
    sent.on('response', (got) => {
      let text = ''
      got.on('data', (piece: Buffer) => {
        text += piece.toString()
        if (text.length > mostBytes) answered(got, text)
      })
      got.on('end', () => answered(got, text))
    })
    sent.on('error', reject)
    sent.end()
  })
}
