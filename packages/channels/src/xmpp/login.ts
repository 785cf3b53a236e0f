/** Owns how we come in: a private line, the password, and an address for this connection. */
import { resolveSrv } from 'node:dns/promises'
import { RejectedError } from '../frame/adapter.ts'
import type { XmppSettings } from './manifest.ts'
import { createScram, type Scram } from './scram.ts'
import { connectStream, type StreamAddress, type XmppStream } from './stream.ts'
import { attrOf, childOf, elementsOf, textOf, type XmlElement, xml } from './xml.ts'

export interface XmppLogin {
  readonly stream: XmppStream
  /** With a resource. */
  readonly jid: string
}

const spaces = {
  tls: 'urn:ietf:params:xml:ns:xmpp-tls',
  sasl: 'urn:ietf:params:xml:ns:xmpp-sasl',
  bind: 'urn:ietf:params:xml:ns:xmpp-bind',
}

const loginMs = 30_000

export async function loginXmpp(
  settings: XmppSettings,
  password: string,
  signal: AbortSignal,
): Promise<XmppLogin> {
  const [user = '', domain = ''] = settings.account.toLowerCase().split('@')
  const stream = await connectStream(await addressOf(settings, domain), signal)
  const timer = setTimeout(() => stream.destroy('The server does not let us in.'), loginMs)
  try {
    let features = await begin(stream)
    if (settings.security === 'starttls') features = await makePrivate(stream, features)
    await authenticate(stream, features, { user, password, mayTell: stream.isSecure })
    await begin(stream)
    return { stream, jid: await bind(stream) }
  } catch (error) {
    await stream.end()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

export const isThisComputer = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

/** Where the name service sends us counts for the way only: the certificate must be that of the domain. */
async function addressOf(settings: XmppSettings, domain: string): Promise<StreamAddress> {
  const isTlsAtOnce = settings.security === 'tls'
  const { host, port } = settings
  const usual = isTlsAtOnce ? 5_223 : 5_222
  if (settings.security === 'none' && !isThisComputer(host ?? domain))
    throw new RejectedError('Without TLS only a server on this computer is spoken to.')
  if (host !== undefined || port !== undefined || isThisComputer(domain))
    return { host: host ?? domain, port: port ?? usual, domain, isTlsAtOnce }
  const records = await resolveSrv(`_xmpp${isTlsAtOnce ? 's' : ''}-client._tcp.${domain}`).catch(() => [])
  const [first] = records.toSorted((one, other) => one.priority - other.priority)
  if (first?.name === '' || first === undefined) return { host: domain, port: usual, domain, isTlsAtOnce }
  return { host: first.name, port: first.port, domain, isTlsAtOnce }
}

async function answer(stream: XmppStream): Promise<XmlElement> {
  const element = await stream.next()
  if (!element) throw new Error(stream.problem)
  if (element.name === 'error')
    throw new Error(`The server closes the stream: ${elementsOf(element)[0]?.name ?? ''}`)
  return element
}

async function begin(stream: XmppStream): Promise<XmlElement> {
  stream.open()
  const features = await answer(stream)
  if (features.name !== 'features') throw new Error('The server does not say what it can do.')
  return features
}

async function makePrivate(stream: XmppStream, features: XmlElement): Promise<XmlElement> {
  // Somebody on the way may have taken the offer out; nothing is said to them.
  if (!childOf(features, 'starttls', spaces.tls)) throw new RejectedError('The server offers no TLS.')
  stream.write(xml('starttls', { xmlns: spaces.tls }))
  if ((await answer(stream)).name !== 'proceed') throw new Error('The server did not start TLS.')
  await stream.startTls()
  return begin(stream)
}

interface Credentials {
  readonly user: string
  readonly password: string
  /** The line is private, so that the password itself may be told. */
  readonly mayTell: boolean
}

async function authenticate(stream: XmppStream, features: XmlElement, who: Credentials): Promise<void> {
  const offered = elementsOf(childOf(features, 'mechanisms', spaces.sasl) ?? features).map(textOf)
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const say = (name: string, text: string, mechanism?: string) =>
    stream.write(xml(name, { xmlns: spaces.sasl, mechanism }, Buffer.from(text).toString('base64') || '='))
  let scram: Scram | undefined
  if (offered.includes('SCRAM-SHA-256')) scram = createScram('sha256', who.user, who.password, nonce)
  else if (offered.includes('SCRAM-SHA-1')) scram = createScram('sha1', who.user, who.password, nonce)
  if (scram) say('auth', scram.first, offered.includes('SCRAM-SHA-256') ? 'SCRAM-SHA-256' : 'SCRAM-SHA-1')
  else if (offered.includes('PLAIN') && who.mayTell) say('auth', `\0${who.user}\0${who.password}`, 'PLAIN')
  else throw new RejectedError('The server takes no password in a way that is safe.')
  for (;;) {
    const element = await answer(stream)
    const told = Buffer.from(textOf(element), 'base64').toString()
    if (element.name === 'challenge' && scram) say('response', scram.answer(told))
    else if (element.name === 'success') return scram?.check(told)
    else throw failure(element)
  }
}

function failure(element: XmlElement): Error {
  const condition = elementsOf(element).find(({ name }) => name !== 'text')?.name ?? element.name
  const text = `The server does not take the account or its password (${condition}).`
  return condition === 'temporary-auth-failure' ? new Error(text) : new RejectedError(text)
}

async function bind(stream: XmppStream): Promise<string> {
  stream.write(xml('iq', { type: 'set', id: 'bind' }, xml('bind', { xmlns: spaces.bind })))
  for (;;) {
    const element = await answer(stream)
    if (element.name !== 'iq' || attrOf(element, 'id') !== 'bind') continue
    const jid = textOf(childOf(childOf(element, 'bind', spaces.bind), 'jid'))
    if (jid === '') throw new Error('The server gives us no address.')
    return jid
  }
}
