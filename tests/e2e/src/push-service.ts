/**
 * Owns a push service in the place of a browser maker's, which no test can reach: it has a name of the public internet, a
 * certificate, and one browser that is subscribed. It opens what was encrypted for that browser and hands it to its
 * worker, as the browser itself would.
 */
import { execFileSync } from 'node:child_process'
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

const name = 'push.countersign-test.com'

export interface Pushed {
  /** As it came: nobody on the way can read it. */
  readonly sealed: Buffer
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

export interface PushService {
  /** By which the gateway finds the service: the way of a network that has a proxy, and an authority of its own. */
  readonly environment: Readonly<Record<string, string>>
  readonly pushed: readonly Pushed[]
  /** Before its first page: the browser subscribes here. */
  subscribes(context: BrowserContext): Promise<void>
  /** Hands what was pushed to the worker of the page. */
  deliver(page: Page, one: Pushed): Promise<void>
  close(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-push-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const wanted = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${name}`
  execFileSync('openssl', [...wanted.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const browser = createBrowserKeys()
  const pushed: Pushed[] = []
  const service = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const sealed = Buffer.concat(parts)
        pushed.push({ sealed, text: browser.opened(sealed), headers: request.headers })
        response.writeHead(201).end()
      })
    },
  ).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const proxy = createHttpServer().listen(0, '127.0.0.1')
  proxy.on('connect', (request, client) => {
    if (request.url !== `${name}:443`) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(server).pipe(client)
    })
    server.on('error', () => client.destroy())
    client.on('error', () => server.destroy())
  })
  await once(proxy, 'listening')
  return {
    environment: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: certificate,
    },
    pushed,
    async subscribes(context) {
      await context.addInitScript(subscribing({ endpoint: `https://${name}/send/1`, keys: browser.keys }))
    },
    async deliver(page, { text }) {
      const session = await page.context().newCDPSession(page)
      const found = new Promise<string>((resolve) => {
        session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId)
        })
      })
      await session.send('ServiceWorker.enable')
      const { origin } = new URL(page.url())
      await session.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId: await found,
        data: text,
      })
      await session.detach()
    },
    async close() {
      for (const server of [service, proxy]) {
        server.closeAllConnections()
        server.close()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In the page. What a browser remembers of its subscription outlives the page. */
function subscribing(body: unknown): string {
  return `{
    const kept = 'push-of-the-test'
    const subscription = {
      toJSON: () => (${JSON.stringify(body)}),
      unsubscribe: async () => {
        localStorage.removeItem(kept)
        return true
      },
    }
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (userVisibleOnly !== true || !applicationServerKey)
        throw new DOMException('A key of the application is needed.', 'NotSupportedError')
      localStorage.setItem(kept, 'on')
      return subscription
    }
    PushManager.prototype.getSubscription = async () =>
      localStorage.getItem(kept) === 'on' ? subscription : null
  }`
}

/** The keys of a subscription, and what is encrypted for them (RFC 8291). */
function createBrowserKeys() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const secret = randomBytes(16)
  return {
    keys: { p256dh: pair.getPublicKey('base64url'), auth: secret.toString('base64url') },
    opened(body: Buffer): string {
      const salt = body.subarray(0, 16)
      const sender = body.subarray(21, 21 + (body[20] ?? 0))
      const sealed = body.subarray(21 + sender.length)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
      const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), secret, info, 32))
      const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
      const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')
    },
  }
}
