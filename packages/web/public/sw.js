// Owns the shell of the app while nothing answers, notifications, and what another app shares, until the page has shown
// it: the gateway is told of it only when its person sends it. It never keeps an answer of /v1. What the gateway
// of this browser did not sign it neither shows nor keeps; before this browser is paired there is no key to know it by.

const shell = 'countersign-shell-3'
/** As the page takes it (src/data/shared.ts), and the manifest names it. */
const shared = 'countersign-shared'
const shareTarget = '/share'
const mostShared = 60_000_000
const first = ['/', '/theme.js', '/manifest.webmanifest', '/icons/stamp.svg', '/icons/stamp-192.png']

// Another worker stands here: an older one of ours, or what somebody left who had this port for a time.
let replaces = false

self.addEventListener('install', (event) => {
  replaces = self.registration.active !== null
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (request.method === 'POST' && url.pathname === shareTarget) event.respondWith(keepShared(request))
  if (request.method !== 'GET') return
  if (url.pathname === '/v1' || url.pathname.startsWith('/v1/')) return
  if (request.mode === 'navigate') event.respondWith(page(url.pathname))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(named(url.pathname))
  else if (first.includes(url.pathname)) event.respondWith(fresh(url.pathname))
})

self.addEventListener('push', (event) => {
  event.waitUntil(notify(event.data))
})

async function notify(data) {
  const told = await read(data)
  await self.registration.showNotification(told.title, {
    body: told.body,
    tag: told.tag,
    icon: '/icons/stamp-192.png',
    badge: '/icons/stamp-192.png',
    data: { url: told.url },
    requireInteraction: told.needsYou,
  })
}

// Opens the place that it speaks of. It decides nothing.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  event.waitUntil(show(url.href))
})

async function show(href) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = open.find((client) => client.url === href) ?? open[0]
  if (page === undefined) return self.clients.openWindow(href)
  if (page.url !== href) await page.navigate(href)
  return page.focus()
}

/** Waits here for the page, one at a time: whoever shares again takes the place of what nobody looked at. */
async function keepShared(request) {
  const body = await request.blob()
  const type = request.headers.get('content-type') ?? ''
  await caches.delete(shared)
  if (body.size > mostShared || !type.startsWith('multipart/form-data')) return toComposer('refused')
  const id = crypto.randomUUID()
  const cache = await caches.open(shared)
  await cache.put(`${shareTarget}/${id}`, new Response(body, { headers: { 'content-type': type } }))
  return toComposer(id)
}

function toComposer(id) {
  return Response.redirect(`/chat/new?shared=${id}`, 303)
}

/** The only worker of the only origin. Pages that another one has served are loaded anew. */
async function takeOver() {
  const isHome =
    self.registration.scope === `${self.location.origin}/` && self.location.hostname !== '127.0.0.1'
  if (!isHome) return self.registration.unregister()
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== shell).map((name) => caches.delete(name)))
  await self.clients.claim()
  if (!replaces) return
  for (const client of await self.clients.matchAll({ type: 'window' })) await client.navigate(client.url)
}

/** The page as the gateway serves it, or the one that was kept: every address of the app is the same page. */
async function page(path) {
  try {
    const answer = await asked(path)
    if (answer.ok && answer.headers.get('content-type')?.startsWith('text/html')) {
      const cache = await caches.open(shell)
      await cache.put('/', answer.clone())
      await dropOld(cache, await answer.clone().text())
    }
    return answer
  } catch (error) {
    const kept = await caches.match('/')
    if (kept !== undefined) return kept
    throw error
  }
}

/** The name of a file in /assets changes with its content, so the kept one is the right one. */
async function named(path) {
  const kept = await caches.match(path)
  if (kept !== undefined) return kept
  const answer = await asked(path)
  if (answer.ok) await (await caches.open(shell)).put(path, answer.clone())
  return answer
}

async function fresh(path) {
  try {
    const answer = await asked(path)
    if (answer.ok) await (await caches.open(shell)).put(path, answer.clone())
    return answer
  } catch (error) {
    const kept = await caches.match(path)
    if (kept !== undefined) return kept
    throw error
  }
}

/** From the beginning: whatever is there under this name may be somebody else's. */
async function keepShell() {
  await caches.delete(shell)
  const cache = await caches.open(shell)
  await keep(cache, first)
  const html = await (await cache.match('/'))?.text()
  await keep(cache, assetsIn(html ?? ''))
}

/** After a new version the files of the one before are of no use; screens that are open have theirs in memory. */
async function dropOld(cache, html) {
  const entry = assetsIn(html)
  const has = await Promise.all(entry.map((path) => cache.match(path)))
  if (has.every((kept) => kept !== undefined)) return
  for (const request of await cache.keys())
    if (new URL(request.url).pathname.startsWith('/assets/')) await cache.delete(request)
  await keep(cache, entry)
}

async function keep(cache, paths) {
  await Promise.all(
    paths.map(async (path) => {
      const answer = await asked(path)
      if (!answer.ok) throw new Error(`${path} is not there.`)
      await cache.put(path, answer)
    }),
  )
}

/** Past every cache of the browser, which may hold what another program at this port has said. Throws unless proven. */
async function asked(path) {
  const nonce = crypto.randomUUID()
  const address = addressOf(self.location)
  const headers = { 'countersign-nonce': nonce, 'countersign-address': address }
  const answer = await fetch(path, { headers, cache: 'no-store', redirect: 'error' })
  const body = await answer.arrayBuffer()
  const bodyHash = hex(await crypto.subtle.digest('SHA-256', body))
  const parts = [address, 'GET', path, nonce, String(answer.status), bodyHash]
  const proof = answer.headers.get('countersign-proof') ?? ''
  const isProven = await provenBy(({ gateway }) => ['countersign/answer/v1', gateway, ...parts], proof)
  if (isProven === false) throw new Error('What answers here did not prove that it is your gateway.')
  const kept = new Headers(answer.headers)
  for (const name of ['content-encoding', 'content-length']) kept.delete(name)
  return new Response(body, { status: answer.status, statusText: answer.statusText, headers: kept })
}

/** Whether a gateway that this browser is paired with signed it; undefined while it is paired with none. */
async function provenBy(textFor, signature) {
  const keys = await pairedKeys()
  if (keys.length === 0) return undefined
  for (const key of keys) {
    const text = new TextEncoder().encode(textFor(key).join('\0'))
    const gateway = await crypto.subtle.importKey('raw', bytes(key.gatewayKey), 'Ed25519', false, ['verify'])
    if (await crypto.subtle.verify('Ed25519', gateway, bytes(signature), text)) return true
  }
  return false
}

/** As the page keeps them. Without a page that made it there is no store, and none is made here. */
function pairedKeys() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('countersign', 1)
    let isNew = false
    opening.onupgradeneeded = () => {
      isNew = true
      opening.transaction.abort()
    }
    opening.onerror = () => (isNew ? resolve([]) : reject(opening.error))
    opening.onsuccess = () => {
      const reading = opening.result.transaction('keys', 'readonly').objectStore('keys').getAll()
      reading.onsuccess = () => resolve(reading.result.filter(({ gatewayKey }) => gatewayKey))
      reading.onerror = () => reject(reading.error)
      reading.transaction.oncomplete = () => opening.result.close()
    }
  })
}

/** As the contract writes an address: the names of this computer are one. */
function addressOf({ protocol, origin, port }) {
  return protocol === 'https:' ? origin : `http://127.0.0.1:${port === '' ? '80' : port}`
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function assetsIn(html) {
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1])
}

// The worker is not built, so it has its few words itself. Everything else that it shows comes from the gateway.
const words = {
  en: {
    waiting: 'Something is waiting for you.',
    unsigned: 'A notification was hidden because your gateway did not sign it.',
  },
  de: {
    waiting: 'Etwas wartet auf dich.',
    unsigned: 'Eine Benachrichtigung wurde ausgeblendet, weil dein Gateway sie nicht signiert hat.',
  },
}
const { waiting, unsigned } = words[self.navigator.language.slice(0, 2)] ?? words.en

const plain = {
  title: 'Countersign',
  body: waiting,
  url: '/',
  tag: 'countersign',
  needsYou: false,
}

/** Browsers want something to be shown for every message, also for one that nobody signed. */
async function read(data) {
  try {
    const { message, signature } = data.json()
    const textFor = ({ gateway, device }) => ['countersign/notification/v1', gateway, device, message]
    if ((await provenBy(textFor, signature)) !== true) return { ...plain, body: unsigned }
    const told = JSON.parse(message)
    return {
      title: text(told.title, plain.title),
      body: text(told.body, plain.body),
      // A path of this app and nothing else.
      url: typeof told.url === 'string' && /^\/(?!\/)/.test(told.url) ? told.url : plain.url,
      tag: text(told.tag, plain.tag),
      needsYou: told.needsYou === true,
    }
  } catch {
    return plain
  }
}

function text(value, otherwise) {
  return typeof value === 'string' && value !== '' ? value : otherwise
}
